import { cap, type Pose, skirt } from './figure.ts'
import { blob, capsule, poly } from './outline.ts'

/** Under an umbrella, waiting, weight on one leg. The umbrella is a separate prop. */
export const waiter: Pose = {
  head: [-1, -91],
  chest: [0, -78.5],
  hip: [1.5, -52],
  tilt: -2,
  hipTilt: 2,
  arms: [
    [
      [-12, -65],
      [-3, -74],
    ],
    [
      [13, -65],
      [10, -53],
    ],
  ],
  legs: [
    [
      [-4, -27],
      [-7, -4],
    ],
    [
      [4.5, -27],
      [5, -4],
    ],
  ],
  toes: [-1, 1],
  clothes: 'skirt',
  girth: 0.84,
  more: [
    skirt([1.5, -52], 1, 21),
    blob([-7, -92], [-6, -98], [0, -99.5], [6, -97], [8, -90], [9, -78], [6, -70], [3, -80], [-6, -86]),
    capsule([-3, -60], 0.9, [-3, -116], 0.9),
    poly([6, -56], [17, -56], [16, -40], [7, -40]),
  ],
}

/** Bent a little over a cup of hot noodles, chopsticks up. */
export const eater: Pose = {
  head: [-3, -90],
  chest: [1, -78],
  hip: [3, -50],
  tilt: 1,
  hipTilt: -2,
  arms: [
    [
      [-11, -64],
      [-16, -74],
    ],
    [
      [11, -64],
      [-8, -71],
    ],
  ],
  legs: [
    [
      [-2, -27],
      [-4, -4],
    ],
    [
      [9, -27],
      [13, -4],
    ],
  ],
  toes: [-1, 1],
  clothes: 'shorts',
  more: [
    cap([-3, -90], 1),
    poly([-22, -79], [-11, -79], [-13, -70], [-20, -70]),
    capsule([-12, -78], 0.6, [-8, -92], 0.6),
    poly([-9, -58], [12, -58], [13, -44], [-8, -44]),
    blob([9, -79], [16, -78], [18, -66], [15, -58], [9, -60]),
  ],
}

/** On her toes, both arms up to hang a lantern. */
export const reacher: Pose = {
  head: [2, -90],
  chest: [0, -78],
  hip: [0, -51],
  tilt: 2,
  hipTilt: 2,
  arms: [
    [
      [-12, -94],
      [-7, -109],
    ],
    [
      [14, -94],
      [9, -109],
    ],
  ],
  legs: [
    [
      [-4, -27],
      [-5, -5],
    ],
    [
      [6, -29],
      [12, -8],
    ],
  ],
  toes: [-1, 1],
  clothes: 'skirt',
  girth: 0.86,
  more: [
    skirt([0, -52], 4, 22),
    blob([-4, -92], [-3, -98], [3, -99], [9, -96], [10, -88], [11, -76], [5, -72], [4, -82], [-2, -86]),
  ],
}

/** One hand on the rail, one foot on the step, shirt in the wind: the place at the back of every jeepney. */
export const hanger: Pose = {
  head: [8, -86],
  chest: [5, -74],
  hip: [4, -47],
  tilt: -5,
  hipTilt: -3,
  arms: [
    [
      [-8, -84],
      [-14, -98],
    ],
    [
      [18, -66],
      [24, -58],
    ],
  ],
  legs: [
    [
      [-4, -27],
      [-7, -4],
    ],
    [
      [14, -28],
      [18, -12],
    ],
  ],
  toes: [-1, 1],
  clothes: 'shorts',
  more: [
    cap([8, -86], 1),
    blob([-4, -70, 1], [14, -72], [22, -60], [30, -54, 1], [22, -50], [24, -44, 1], [10, -44], [-4, -43, 1]),
  ],
}
