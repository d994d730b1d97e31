import { cap, type Pose, tail } from './figure.ts'
import { blob, capsule, poly } from './outline.ts'

/*
 * The fighters of the class posters, drawn for 330 px. What a class is known by is the one yellow thing on its poster
 * and stands in `props`, with the few inner lines that the large size asks for.
 */

/** A pose with what is drawn over its silhouette. */
export interface ClassFigure {
  readonly pose: Pose
  readonly props: string
}

const fold = '#3A4360'

/** Weight on the back leg, the wrapped fist thrown straight out, the other one at the chin. */
export const brawlerFigure: ClassFigure = {
  pose: {
    head: [3, -89],
    chest: [3, -76.5],
    hip: [8, -49],
    tilt: 3,
    hipTilt: -2,
    arms: [
      [
        [-19, -77],
        [-35, -81],
      ],
      [
        [19, -62],
        [10, -76],
      ],
    ],
    legs: [
      [
        [-8, -30],
        [-16, -4],
      ],
      [
        [20, -29],
        [26, -4],
      ],
    ],
    toes: [-1, 1],
    clothes: 'slacks',
    girth: 1.1,
    more: [
      blob([-43, -84], [-40, -88], [-34, -87.5], [-31.5, -83], [-32.5, -77], [-38, -75.5], [-43, -78]),
      blob([5, -78], [9, -82], [14, -80], [15, -74.5], [11, -71.5], [6, -72.5]),
      blob(
        [-3.5, -91, 1],
        [-4, -97, 1],
        [0, -97],
        [1, -101.5, 1],
        [5, -97.5],
        [10, -100, 1],
        [10, -95],
        [13, -92, 1],
        [8, -88],
      ),
      tail([8, -92], 3, [17, -96], [25, -92], [36, -99]),
      tail([8, -91], 2.6, [16, -90], [24, -86], [33, -89]),
      blob([-8, -70, 1], [16, -70, 1], [19, -52], [22, -40, 1], [10, -43], [-4, -40, 1], [-4, -54]),
      poly([16, -50], [22, -51], [31, -37], [27, -34]),
      poly([14, -48], [19, -47], [24, -30], [20, -29]),
    ],
  },
  props:
    '<path d="M-42.5-83.5-40-87.5-34.5-87-32-83-33-77.5-38-76-42.5-78.5Z" fill="#FFD21F"/>' +
    '<path d="M-42-82.5h6M-42.3-80h6.3M-38.2-87 -36-76.5M-31.5-86.5-29-75.5" stroke="#06070C" stroke-width="1" fill="none"/>' +
    `<path d="M-27-84.5-24.5-74.5M6-70 9-58 7-45M-3-51.5 21-49M9-45l10 17 4 22M4-45l-9 16-7 22" stroke="${fold}" stroke-width=".8" fill="none"/>`,
}

/** Weight on the left leg, the long blade on the shoulder, coat and scarf in the wind. */
export const swordFigure: ClassFigure = {
  pose: {
    head: [-3, -92.5],
    chest: [-1, -79.5],
    hip: [-3, -51],
    tilt: -3,
    hipTilt: -4,
    arms: [
      [
        [-18, -68],
        [-12, -54],
      ],
      [
        [20, -72],
        [13, -82],
      ],
    ],
    legs: [
      [
        [-6, -27],
        [-6, -4],
      ],
      [
        [7, -29],
        [15, -4],
      ],
    ],
    toes: [-1, 1],
    clothes: 'slacks',
    more: [
      blob(
        [-10, -93],
        [-11, -99, 1],
        [-6, -99.5],
        [-2, -103, 1],
        [2, -99],
        [6, -97, 1],
        [4, -91],
        [2, -87, 1],
        [0, -96],
        [-6, -95],
      ),
      tail([4, -82], 6, [16, -80], [24, -72], [36, -76]),
      tail([4, -81], 5, [14, -76], [21, -67], [31, -66]),
      blob(
        [-13, -78, 1],
        [11, -78, 1],
        [12, -58],
        [20, -40],
        [28, -20, 1],
        [17, -24],
        [10, -18, 1],
        [3, -42],
        [-8, -38],
        [-15, -22, 1],
        [-18, -28],
        [-12, -58],
      ),
      poly([9, -78.5], [16, -85.5], [18.5, -83], [11, -76]),
      poly([5, -70], [8.5, -73.5], [15, -84], [12, -86]),
    ],
  },
  props:
    '<path d="M15.5-85.5 20-81 54-119 57.5-127 49.5-123.5Z" fill="#FFD21F"/><path d="M17.5-83.5 57-126.5 49.5-123.5 15.5-85.5Z" fill="#FFF3B8"/>' +
    '<path d="M11.5-87.5 22-78.5" stroke="#06070C" stroke-width="3"/><path d="M12.5-86.5 21-79.5" stroke="#F5F1E6" stroke-width=".9"/>' +
    `<path d="M-12-60h22M-12-57.5h22M-1-76-2-40M6-55l9 26M-7-55l-6 24M-1-40l4 16" stroke="${fold}" stroke-width=".8" fill="none"/>`,
}

/** Low on one bent leg, the opened balisong before the face, hood up. */
export const assassinFigure: ClassFigure = {
  pose: {
    head: [-9, -74],
    chest: [-2, -63],
    hip: [10, -40],
    tilt: 5,
    hipTilt: 2,
    arms: [
      [
        [-18, -52],
        [-27, -66],
      ],
      [
        [16, -54],
        [28, -44],
      ],
    ],
    legs: [
      [
        [-16, -33],
        [-13, -4],
      ],
      [
        [22, -22],
        [40, -4],
      ],
    ],
    toes: [-1, 1],
    clothes: 'slacks',
    girth: 0.95,
    more: [
      blob([-18, -73, 1], [-17, -81], [-10, -85.5], [-2, -83], [5, -76, 1], [5, -66], [-4, -64], [-13, -67]),
      tail([3, -69], 7, [16, -76], [27, -72], [42, -84]),
      tail([3, -67], 5.5, [15, -68], [26, -62], [39, -67]),
      blob([-9, -62, 1], [10, -62], [18, -44], [30, -33], [36, -22, 1], [22, -25], [12, -30], [0, -32, 1], [-6, -46]),
      capsule([28, -44], 2.8, [33, -41], 2.4),
    ],
  },
  props:
    '<path d="M-29-69-34.5-94-31-104-26-95Z" fill="#FFD21F"/><path d="M-31-104-26-95-29-69-30.5-94Z" fill="#FFF3B8"/>' +
    '<path d="M-30-69-20-51-17.5-53.5-26.5-70Z" fill="#06070C"/><path d="M-28.5-68-38-52-35.5-50-26-66Z" fill="#F5F1E6"/><path d="M-27.5-68-18.5-52.5" stroke="#F5F1E6" stroke-width="1" fill="none"/>' +
    '<path d="M-16-75.5-9-74-15-72.800Z" fill="#F5F1E6"/>' +
    `<path d="M-4-60 6-44 14-36M-8-48 8-41M10-40-14-30M16-36l10 13" stroke="${fold}" stroke-width=".8" fill="none"/>`,
}

/** Planted wide, one arm up with the bolt, the other pressing down; the coat stands off from the current. */
export const extremeFigure: ClassFigure = {
  pose: {
    head: [1, -90],
    chest: [0, -77.5],
    hip: [-3, -50],
    tilt: 4,
    hipTilt: -3,
    arms: [
      [
        [-17, -65],
        [-27, -53],
      ],
      [
        [17, -92],
        [22, -108],
      ],
    ],
    legs: [
      [
        [-10, -28],
        [-13, -4],
      ],
      [
        [9, -29],
        [18, -4],
      ],
    ],
    toes: [-1, 1],
    clothes: 'slacks',
    girth: 1,
    more: [
      blob(
        [-6, -90, 1],
        [-10, -97, 1],
        [-5, -97],
        [-6, -104, 1],
        [0, -98.5],
        [4, -104.5, 1],
        [6, -97.5],
        [12, -98, 1],
        [8, -90],
      ),
      blob(
        [-13, -77, 1],
        [12, -80, 1],
        [13, -58],
        [20, -44],
        [34, -32, 1],
        [24, -32],
        [22, -22, 1],
        [10, -40],
        [0, -42],
        [-12, -38],
        [-24, -20, 1],
        [-26, -30],
        [-36, -30, 1],
        [-22, -46],
        [-14, -58],
      ),
      blob([-30, -52], [-29, -56], [-24, -55], [-23.5, -50.5], [-27, -48.5]),
      blob([18.5, -109], [20, -112.5], [24.5, -112], [25.5, -107], [21, -105]),
    ],
  },
  props:
    '<path d="M26-138 13-112.5H20L15.5-98 32-119H24.5L32-138Z" fill="#FFD21F"/><path d="M26-138 13-112.5H20L22-120 18-118Z" fill="#FFF3B8"/>' +
    '<path d="M-33-50l-7 4 3 2.5-8 5M-27-46l-2 7 3 1-2 8M-22-49l5 6-2 2 5 6" stroke="#FFD21F" stroke-width="1.3" fill="none" opacity=".9"/>' +
    `<path d="M-1-76-2-42M-12-60l22-2M8-56l13 18M-9-56l-15 18" stroke="${fold}" stroke-width=".8" fill="none"/>`,
}

/** On the back step of the jeepney, one hand on the rail, the fare fanned between the fingers of the other. */
export const conductorFigure: ClassFigure = {
  pose: {
    head: [-4, -90],
    chest: [0, -77.5],
    hip: [8, -51],
    tilt: 5,
    hipTilt: 3,
    arms: [
      [
        [-19, -70],
        [-31, -79],
      ],
      [
        [20, -93],
        [31, -106],
      ],
    ],
    legs: [
      [
        [-4, -31],
        [-9, -8],
      ],
      [
        [14, -28],
        [17, -4],
      ],
    ],
    toes: [-1, 1],
    clothes: 'shorts',
    girth: 1,
    more: [
      cap([-4, -90], -1),
      blob(
        [-11, -72, 1],
        [10, -76],
        [14, -58],
        [24, -50, 1],
        [18, -47],
        [22, -41, 1],
        [8, -42],
        [-4, -44, 1],
        [-9, -56],
      ),
      blob([-8, -80, 1], [-1, -83, 1], [4, -72], [2, -60, 1], [-5, -61, 1], [-4, -71]),
      blob([7, -48, 1], [19, -50, 1], [21, -37, 1], [9, -36, 1]),
    ],
  },
  props:
    '<path d="M-33-81-46-93-41-97.5-30.5-84ZM-31.5-82-39-100-33-102.5-29-84ZM-30-82-30-103-23.5-102.5-27.5-83Z" fill="#FFD21F"/>' +
    '<path d="M-32-82-43.5-95.300M-30.5-82-36-101.300M-29-82-26.8-102.8" stroke="#06070C" stroke-width=".9" fill="none"/>' +
    '<path d="M-8-79.5-1-82.5 4-72 2-60.5-4.5-61.5-3.5-71Z" fill="#F5F1E6"/><path d="M-4.2-65 2.5-64M-4-67.5 3-66.5" stroke="#C92C0E" stroke-width="1"/>' +
    `<path d="M-6-92.5-12-91M6-74 8-48M10-47h9M14-34l2 24M-1-36l-6 22" stroke="${fold}" stroke-width=".8" fill="none"/>`,
}
