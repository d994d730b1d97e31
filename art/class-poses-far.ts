import type { ClassFigure } from './class-poses-near.ts'
import { tail } from './figure.ts'
import { blob, capsule, oval, poly } from './outline.ts'

const fold = '#3A4360'

/** Bow drawn to the ear, long stride, braid and coat tails behind. */
export const archerFigure: ClassFigure = {
  pose: {
    head: [3, -91],
    chest: [4, -78.5],
    hip: [5, -50],
    tilt: 0,
    hipTilt: -2,
    arms: [
      [
        [-17, -81],
        [-31, -83],
      ],
      [
        [25, -81],
        [10, -84],
      ],
    ],
    legs: [
      [
        [-10, -29],
        [-17, -4],
      ],
      [
        [17, -28],
        [26, -4],
      ],
    ],
    toes: [-1, 1],
    clothes: 'slacks',
    girth: 0.9,
    more: [
      blob([-4, -91], [-4, -97], [3, -100], [10, -96.5], [10, -89], [7, -85], [0, -97]),
      tail([8, -96], 6, [16, -97], [23, -89], [26, -79], [34, -72]),
      blob(
        [13, -68, 1],
        [15, -52],
        [24, -40],
        [36, -34, 1],
        [26, -30],
        [24, -22, 1],
        [12, -38],
        [-2, -42, 1],
        [-5, -52],
      ),
      poly([16, -85], [21, -87], [30, -62], [25, -60]),
      capsule([18, -90], 0.7, [23, -78], 0.7),
      capsule([21, -91], 0.7, [24, -78], 0.7),
    ],
  },
  props:
    '<path d="M-21-126C-34-117-33-101-34-84-33-67-36-53-20-42" fill="none" stroke="#06070C" stroke-width="3.6"/><path d="M-22.5-124C-34.5-115-34.5-100-35.3-84-34.5-68-37-55-22-44" fill="none" stroke="#F5F1E6" stroke-width=".8"/>' +
    '<path d="M-21-126 9-84.5-20-42" fill="none" stroke="#F5F1E6" stroke-width=".7"/><path d="M12-84.5H-50" stroke="#F5F1E6" stroke-width="1.2"/><path d="M12-84.5l4-2.5M12-84.5l4 2.5M9-84.5l4-2.5M9-84.5l4 2.5" stroke="#F5F1E6" stroke-width=".8"/>' +
    '<path d="M-60-84.5-48-89.5-50.5-84.5-48-79.5Z" fill="#FFD21F"/><path d="M15.8-92.5 17.5-93M18.8-93.5 20.5-94" stroke="#F5F1E6" stroke-width="1.6"/>' +
    `<path d="M4-76 6-45M-5-56l20-1M-4-53l19-1M9-45l9 18M0-45l-9 17M16-84l13 22" stroke="${fold}" stroke-width=".8" fill="none"/>`,
}

/** In a lab coat, goggles up, the coil gun held level from the hip. */
export const scientistFigure: ClassFigure = {
  pose: {
    head: [4, -92],
    chest: [5, -79.5],
    hip: [7, -51],
    tilt: 2,
    hipTilt: 3,
    arms: [
      [
        [-8, -66],
        [-19, -66],
      ],
      [
        [21, -65],
        [9, -58],
      ],
    ],
    legs: [
      [
        [0, -28],
        [-6, -4],
      ],
      [
        [12, -27],
        [14, -4],
      ],
    ],
    toes: [-1, 1],
    clothes: 'slacks',
    girth: 0.95,
    more: [
      blob(
        [-3.5, -93, 1],
        [-6, -99, 1],
        [0, -99],
        [3, -103, 1],
        [7, -99.5],
        [13, -100, 1],
        [11.5, -94],
        [12, -88, 1],
        [8, -86],
        [6, -96],
      ),
      blob(
        [-6, -78, 1],
        [16, -80, 1],
        [17, -58],
        [24, -36],
        [32, -18, 1],
        [22, -20],
        [16, -15, 1],
        [12, -38],
        [2, -42],
        [-3, -17, 1],
        [-9, -19],
        [-3, -56],
      ),
      poly([-42, -70], [10, -66], [20, -60], [18, -52], [10, -55], [-4, -60], [-42, -63]),
      poly([-6, -62], [0, -61], [-2, -51], [-7, -52]),
      oval([-46, -66.5], 4.5, 6),
    ],
  },
  props:
    '<path d="M-22-72V-60M-27-72.5V-60.5M-32-73V-61M-37-73.5V-61.5" stroke="#F5F1E6" stroke-width="2"/>' +
    '<circle cx="-47.5" cy="-66.5" r="6.5" fill="#FFD21F"/><circle cx="-47.5" cy="-66.5" r="11" fill="none" stroke="#FFD21F" stroke-width="1.1"/><path d="M-47.5-81v6M-47.5-58v6M-62-66.5h6" stroke="#FFD21F" stroke-width="1.1"/><circle cx="-47.5" cy="-66.5" r="2.6" fill="#FFF3B8"/>' +
    '<path d="M-2.5-95.5 10-97" stroke="#F5F1E6" stroke-width="2.6"/><path d="M-1.5-95.6 3-96.100M5-96.3 9-96.8" stroke="#11141F" stroke-width="1.4"/>' +
    `<path d="M-1-76 5-66 10-77M5-66 6-42M16-58l9 26M-2-50l-4 28M-10-67 8-62" stroke="${fold}" stroke-width=".8" fill="none"/>`,
}

/** Weight on one leg, the belled staff planted, beads and ribbons in the mountain wind. */
export const shamanFigure: ClassFigure = {
  pose: {
    head: [-1.5, -91.5],
    chest: [-2, -79],
    hip: [1, -52],
    tilt: 2,
    hipTilt: 3,
    arms: [
      [
        [-17, -69],
        [-26, -78],
      ],
      [
        [14, -68],
        [22, -78],
      ],
    ],
    legs: [
      [
        [-6, -27],
        [-10, -4],
      ],
      [
        [4, -27],
        [4, -4],
      ],
    ],
    toes: [-1, 1],
    clothes: 'skirt',
    girth: 0.86,
    more: [
      blob(
        [-10, -66, 1],
        [8, -66, 1],
        [14, -40],
        [24, -14, 1],
        [14, -17],
        [6, -12, 1],
        [-4, -16],
        [-16, -12, 1],
        [-17, -22],
        [-11, -46],
      ),
      blob(
        [-8.5, -92],
        [-8, -99],
        [-2, -101.5],
        [5, -98],
        [6, -90],
        [7, -76, 1],
        [3, -84],
        [-6, -85],
        [-10, -76, 1],
        [-9.5, -86],
      ),
      tail([4, -98], 7, [14, -98], [22, -92], [34, -92]),
      tail([5, -92], 5, [14, -89], [24, -82], [33, -82]),
      capsule([22.5, -1], 1.2, [22.5, -112], 1.2),
      tail([8, -54], 5, [18, -50], [26, -42], [37, -44]),
      blob([-27, -80, 1], [-30, -84], [-25, -84], [-22, -78], [-26, -75]),
    ],
  },
  props:
    '<path d="M22.5-140 36-114.5H9Z" fill="none" stroke="#06070C" stroke-width="4"/><path d="M22.5-140 36-114.5H9Z" fill="none" stroke="#F5F1E6" stroke-width="1.5"/><circle cx="22.5" cy="-122.5" r="5" fill="#FFD21F"/><circle cx="22.5" cy="-122.5" r="8.5" fill="#FFD21F" opacity=".22"/>' +
    '<path d="M10.5-113v5M34.5-113v5" stroke="#F5F1E6" stroke-width=".8"/><path d="M8-104a2.5 4 0 0 1 5 0zM32-104a2.5 4 0 0 1 5 0z" fill="#F5F1E6"/>' +
    '<path d="M-27-87q2-6-1-11q-3-4 1-9M-22-86q4-4 2-9" fill="none" stroke="#6FDDBB" stroke-width="1.2" opacity=".9"/>' +
    '<path d="M-8-78q6 9 12 0M-9-76q7 14 14 0" fill="none" stroke="#F5F1E6" stroke-width="1" stroke-dasharray="1.2 1"/>' +
    `<path d="M-10-60h18M-10-57h18M-4-55l-6 38M1-55v38M5-55l9 36" stroke="${fold}" stroke-width=".8" fill="none"/>`,
}

/** A hand above the ground, chalk wand writing its star, pages and robe rising around. */
export const magicianFigure: ClassFigure = {
  pose: {
    head: [3, -98],
    chest: [4, -85],
    hip: [6, -58],
    tilt: 3,
    hipTilt: 2,
    arms: [
      [
        [-12, -90],
        [-22, -104],
      ],
      [
        [19, -74],
        [30, -82],
      ],
    ],
    legs: [
      [
        [0, -36],
        [8, -18],
      ],
      [
        [10, -34],
        [14, -12],
      ],
    ],
    toes: [-1, 1],
    clothes: 'skirt',
    girth: 0.86,
    more: [
      blob(
        [-5, -72, 1],
        [13, -73, 1],
        [18, -48],
        [32, -30],
        [46, -24, 1],
        [34, -20],
        [30, -10, 1],
        [20, -24],
        [8, -28],
        [-6, -18, 1],
        [-8, -34],
        [-3, -54],
      ),
      blob([-8, -101, 1], [3, -105], [15, -104, 1], [21, -99.5, 1], [10, -99], [-2, -99.5], [-14, -97, 1]),
      blob([-3, -102, 1], [0, -112], [7, -120], [17, -124, 1], [14, -116], [12, -103, 1]),
      blob([-4, -98], [-5, -88, 1], [-1, -86], [8, -87], [13, -78, 1], [11, -94], [9, -99]),
      capsule([-22, -104], 1, [-30, -117], 0.8),
      poly([24, -84], [37, -90], [40, -82], [27, -76]),
    ],
  },
  props:
    '<path d="M-36-152-32.5-139.5-20-136-32.5-132.5-36-120-39.5-132.5-52-136-39.5-139.5Z" fill="#FFD21F"/><path d="M-36-152-32.5-139.5-36-136ZM-20-136-32.5-132.5-36-136ZM-36-120-39.5-132.5-36-136ZM-52-136-39.5-139.5-36-136Z" fill="#FFF3B8"/>' +
    '<path d="M-36-160a24 24 0 0 1 20 11M-57-124a24 24 0 0 1-3-17" fill="none" stroke="#F5F1E6" stroke-width="1.3"/><path d="M-24-107.5-30-117.5" stroke="#F5F1E6" stroke-width="2"/>' +
    '<path d="M24.5-84.5 31.5-90.5 31-81.5 27-76.5ZM32-90.5 41-90 40-82 31.5-81.5Z" fill="#F5F1E6"/><path d="M44-108 52-112 54-105 46-101ZM30-122 37-121 35-114 28.5-115.5ZM50-72 57-70 54-64 48-66Z" fill="#F5F1E6" opacity=".85"/>' +
    `<path d="M-1-102.5 12-103.5M-4-66l17-1M4-64 2-30M9-64 20-28M12-62 30-30" stroke="${fold}" stroke-width=".8" fill="none"/>`,
}

/** One foot on a block of her own, spanner on the shoulder, the next block turning above the palm. */
export const shaperFigure: ClassFigure = {
  pose: {
    head: [4, -92],
    chest: [4, -79.5],
    hip: [6, -51],
    tilt: -2,
    hipTilt: -3,
    arms: [
      [
        [-13, -72],
        [-26, -80],
      ],
      [
        [22, -70],
        [17, -84],
      ],
    ],
    legs: [
      [
        [-11, -42],
        [-12, -21],
      ],
      [
        [11, -27],
        [13, -4],
      ],
    ],
    toes: [-1, 1],
    clothes: 'slacks',
    girth: 0.94,
    more: [
      blob([-3, -92], [-3, -98.5], [4, -101], [11, -97.5], [11, -90], [9, -86], [2, -97]),
      blob([7, -100], [10, -106], [16, -105], [16, -99], [11, -97]),
      capsule([12, -78], 1.4, [37, -104], 1.6),
      blob([34, -104, 1], [36, -110], [42, -113, 1], [41, -108], [44, -105], [49, -106, 1], [46, -100], [40, -99]),
      blob([-6, -66, 1], [15, -66, 1], [18, -46], [16, -38, 1], [4, -42], [-5, -40, 1], [-3, -52]),
      poly([13, -58], [21, -60], [24, -46], [16, -44]),
      blob([-30, -80, 1], [-29, -83], [-23, -83.5], [-21, -79], [-26, -76]),
    ],
  },
  props:
    '<path d="M-26-124-9-114.5-26-105-43-114.5Z" fill="#FFD21F"/><path d="M-43-114.5-26-105V-86L-43-95.5Z" fill="#11141F"/><path d="M-9-114.5-26-105V-86L-9-95.5Z" fill="#2C3348"/><path d="M-26-124-9-114.5V-95.5L-26-86-43-95.5V-114.5ZM-43-114.5-26-105-9-114.5M-26-105V-86" fill="none" stroke="#F5F1E6" stroke-width="1.1"/>' +
    '<path d="M-2-17.5-14-11-34-11-22-17.5Z" fill="#2C3348"/><path d="M-34-11H-14V0H-34Z" fill="#11141F"/><path d="M-14-11-2-17.5V-6.5L-14 0Z" fill="#1A1F2E"/><path d="M-34-11-22-17.5H-2V-6.5L-14 0H-34ZM-34-11H-14V0M-14-11-2-17.5" fill="none" stroke="#F5F1E6" stroke-width=".9"/>' +
    '<path d="M38-105l8 3" stroke="#F5F1E6" stroke-width=".8"/>' +
    `<path d="M4-77 5-44M-4-60h19M15-57l7-1M-4-57h19M9-44l3 34M-2-44l-9 4-1 16" stroke="${fold}" stroke-width=".8" fill="none"/>`,
}
