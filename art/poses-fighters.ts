import { cap, type Pose, skirt, tail } from './figure.ts'
import { blob, capsule, poly } from './outline.ts'

/** Weight on the left leg, bat across the shoulders, cap. */
export const batter: Pose = {
  head: [1, -93],
  chest: [0, -80],
  hip: [-2.5, -51],
  tilt: -2.5,
  hipTilt: -3,
  arms: [
    [
      [-18, -70],
      [-14, -85],
    ],
    [
      [19, -76],
      [16, -88],
    ],
  ],
  legs: [
    [
      [-6, -27],
      [-7, -4],
    ],
    [
      [7, -28],
      [13, -4],
    ],
  ],
  toes: [-1, 1],
  clothes: 'slacks',
  more: [
    cap([1, -93], -1),
    capsule([-25, -82], 1.4, [10, -88.5], 1.8),
    capsule([8, -88], 2, [31, -92.5], 3.8),
    poly([-11, -60], [10, -62], [11, -45], [4, -43], [-12, -44]),
  ],
}

/** Weight on the right leg, a long staff planted at her side, ponytail and skirt in the wind. */
export const staffBearer: Pose = {
  head: [0.5, -91.5],
  chest: [0, -79],
  hip: [2, -52],
  tilt: 2,
  hipTilt: 2.5,
  arms: [
    [
      [-15, -66],
      [-9, -54],
    ],
    [
      [15, -68],
      [19, -79],
    ],
  ],
  legs: [
    [
      [-5, -27],
      [-9, -4],
    ],
    [
      [5, -27],
      [5, -4],
    ],
  ],
  toes: [-1, 1],
  clothes: 'skirt',
  girth: 0.86,
  more: [
    skirt([2, -52], -4),
    blob([-6, -92], [-5, -98.5], [1, -100.5], [7, -97], [7.4, -90], [5, -86], [-5.5, -86]),
    tail([5, -96], 6, [12, -97], [20, -92], [27, -93], [33, -86]),
    capsule([19.5, -1], 1, [19.5, -112], 1),
    poly([19.5, -128], [24.5, -119], [19.5, -108], [14.5, -119]),
  ],
}

/** Guard up, knees soft, the ends of a head band flying behind. */
export const boxer: Pose = {
  head: [-2, -89],
  chest: [0, -77],
  hip: [3, -49],
  tilt: 3,
  hipTilt: 0,
  arms: [
    [
      [-17, -66],
      [-19, -81],
    ],
    [
      [6, -63],
      [-9, -74],
    ],
  ],
  legs: [
    [
      [-12, -29],
      [-13, -4],
    ],
    [
      [12, -27],
      [20, -4],
    ],
  ],
  toes: [-1, -1],
  clothes: 'slacks',
  girth: 1.05,
  more: [
    blob([-22.5, -84], [-18, -87], [-14, -83], [-16, -77], [-21, -77.5]),
    blob([-13.5, -77], [-9, -80], [-4.5, -76], [-7, -70], [-12, -70.5]),
    blob(
      [-8, -92, 1],
      [-9, -97, 1],
      [-5, -97],
      [-4, -101, 1],
      [0, -97.5],
      [5, -100, 1],
      [4.5, -95],
      [8, -93, 1],
      [4, -89],
    ),
    tail([3, -92], 3, [12, -95], [19, -91], [28, -97]),
    tail([3, -91], 2.6, [11, -90], [18, -86], [25, -87]),
    poly([-9, -56], [13, -56], [14, -43], [-8, -43]),
  ],
}

/** Bow drawn to the ear, long stride, coat tails behind. The bow string and arrow are in `bowAndArrow`. */
export const archer: Pose = {
  head: [1, -91],
  chest: [2, -78.5],
  hip: [3, -50],
  tilt: 0,
  hipTilt: -1,
  arms: [
    [
      [-20, -80],
      [-31, -81.5],
    ],
    [
      [23, -80],
      [8, -83],
    ],
  ],
  legs: [
    [
      [-11, -29],
      [-17, -4],
    ],
    [
      [14, -28],
      [23, -4],
    ],
  ],
  toes: [-1, 1],
  clothes: 'slacks',
  girth: 0.95,
  more: [
    blob([-6, -91], [-6, -97], [1, -100], [8, -96], [8, -89], [5, -85], [-2, -97]),
    tail([6, -95], 6, [14, -93], [19, -86], [27, -86]),
    blob([12, -66, 1], [14, -50], [24, -36], [30, -33, 1], [20, -31], [8, -38], [-3, -41, 1], [-6, -50]),
  ],
}

/** The archer's bow, string and arrow, in the figure's units. */
export const bowAndArrow =
  '<path d="M-24-117C-36-110-33-97-34-82-33-66-36-54-23-46" fill="none" stroke="#06070C" stroke-width="3"/><path d="M-24-117 9-83-23-46M10-83H-47M-41-86.5-49-83-41-79.5" fill="none" stroke="#F5F1E6" stroke-width="1"/>'

/** Low stance, blade trailing behind, scarf up in the wind. */
export const swordBearer: Pose = {
  head: [-4, -88],
  chest: [-2, -76],
  hip: [3, -48],
  tilt: 4,
  hipTilt: 2,
  arms: [
    [
      [-16, -63],
      [-12, -52],
    ],
    [
      [15, -66],
      [22, -56],
    ],
  ],
  legs: [
    [
      [-13, -30],
      [-15, -4],
    ],
    [
      [14, -29],
      [24, -4],
    ],
  ],
  toes: [-1, 1],
  clothes: 'slacks',
  more: [
    blob([-11, -89], [-11, -95], [-5, -98], [2, -94], [3, -87, 1], [1, -92], [-6, -90]),
    tail([2, -79], 6, [12, -85], [20, -82], [30, -90]),
    tail([2, -78], 5, [11, -79], [18, -74], [27, -76]),
    poly([20, -60], [26, -55], [23.5, -52], [18, -56.5]),
    poly([24, -55], [27.5, -57.5], [58, -37], [62, -30], [54, -32]),
    blob([8, -60, 1], [12, -46], [20, -38], [18, -34, 1], [2, -39], [-8, -42, 1], [-7, -58]),
  ],
}

/** Hands at the hips, hair short and wild, jacket over the shoulders like a cape. */
export const captain: Pose = {
  head: [0, -92],
  chest: [0, -79.5],
  hip: [2, -51],
  tilt: 2,
  hipTilt: 3,
  arms: [
    [
      [-19, -67],
      [-9, -56],
    ],
    [
      [18, -68],
      [10, -57],
    ],
  ],
  legs: [
    [
      [-7, -27],
      [-11, -4],
    ],
    [
      [7, -27],
      [7, -4],
    ],
  ],
  toes: [-1, 1],
  clothes: 'slacks',
  more: [
    blob([-7, -92, 1], [-9, -98, 1], [-5, -98], [-5, -103, 1], [0, -99], [5, -102, 1], [5, -97], [9, -96, 1], [6, -91]),
    blob(
      [-12, -82, 1],
      [0, -84],
      [12, -83, 1],
      [19, -70],
      [25, -52],
      [35, -40, 1],
      [25, -39],
      [20, -33, 1],
      [12, -44],
      [6, -60],
    ),
  ],
}
