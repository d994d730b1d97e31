import { blob, capsule, oval, type Point, poly } from './outline.ts'
import { black } from './svg.ts'

/** Two joints of a limb: elbow and hand, or knee and ankle. */
type Limb = readonly [Point, Point]

/** A person of 100 units, feet near y = 0, head up at about −92. Left and right are the viewer's. */
export interface Pose {
  readonly head: Point
  /** Middle of the shoulder line. */
  readonly chest: Point
  readonly hip: Point
  /** How much the left shoulder (hip) lies lower than the right one. */
  readonly tilt: number
  readonly hipTilt: number
  readonly arms: readonly [Limb, Limb]
  readonly legs: readonly [Limb, Limb]
  /** Where each shoe points: −1 left, 1 right. */
  readonly toes: readonly [number, number]
  readonly clothes: 'slacks' | 'skirt' | 'shorts'
  /** Outlines in the same units for hair, cap, cloth and props held close. */
  readonly more: readonly string[]
  /** 1 is a frame of 23 units across the shoulders. */
  readonly girth?: number
}

/** A pose as one path. */
function figurePath(pose: Pose): string {
  const { head, chest, hip, tilt, hipTilt, arms, legs, toes, clothes, more, girth = 1 } = pose
  const shoulder: readonly [Point, Point] = [
    [chest[0] - 10 * girth, chest[1] + tilt / 2],
    [chest[0] + 10 * girth, chest[1] - tilt / 2],
  ]
  const side: readonly [Point, Point] = [
    [hip[0] - 4.6 * girth, hip[1] + hipTilt / 2],
    [hip[0] + 4.6 * girth, hip[1] - hipTilt / 2],
  ]
  const waist: Point = [chest[0] * 0.4 + hip[0] * 0.6, chest[1] * 0.4 + hip[1] * 0.6]
  const torso = blob(
    [shoulder[0][0] - 2.5, shoulder[0][1] + 1],
    [chest[0] - 4, chest[1] - 4],
    [chest[0] + 4, chest[1] - 4],
    [shoulder[1][0] + 2.5, shoulder[1][1] + 1],
    [waist[0] + 8 * girth, waist[1]],
    [side[1][0] + 5, side[1][1] + 3],
    [hip[0], hip[1] + 5],
    [side[0][0] - 5, side[0][1] + 3],
    [waist[0] - 8 * girth, waist[1]],
  )
  const parts = [oval(head, 6.2, 7.3), capsule(head, 3, [chest[0], chest[1] + 2], 4), torso]
  arms.forEach(([elbow, hand], i) => {
    const from = shoulder[i] ?? chest
    parts.push(capsule(from, 4, elbow, 3.2), capsule(elbow, 3.1, hand, 2.3), oval(hand, 3, 3))
  })
  legs.forEach(([knee, ankle], i) => {
    const from = side[i] ?? hip
    const wide = clothes === 'slacks'
    parts.push(
      capsule(from, wide ? 6 : 5.2, knee, wide ? 4.6 : 3.6),
      capsule(knee, wide ? 4.5 : 3.5, ankle, wide ? 3.9 : 2.3),
    )
    parts.push(shoe(ankle, toes[i] ?? 1))
  })
  if (clothes === 'shorts')
    parts.push(...legs.map(([knee], i) => capsule(side[i] ?? hip, 6.2, [knee[0], knee[1] - 6], 5)))
  return [...parts, ...more].join('')
}

function shoe([x, y]: Point, toe: number): string {
  return blob(
    [x - 3 * toe, y - 2],
    [x + 2.6 * toe, y - 2],
    [x + 8 * toe, y + 1.6],
    [x + 8.6 * toe, y + 4, 1],
    [x - 3.6 * toe, y + 4, 1],
  )
}

/** A pleated skirt from the hip, its hem blown to one side by `blow`. */
export function skirt(hip: Point, blow: number, length = 22): string {
  const [x, y] = hip
  const hem = y + length
  return poly(
    [x - 7, y - 5],
    [x + 7, y - 5],
    [x + 15 + blow, hem - 1],
    [x + 8 + blow, hem + 1],
    [x + 3 + blow, hem - 1.5],
    [x - 3 + blow / 2, hem + 1],
    [x - 9 + blow / 2, hem - 1],
    [x - 14, hem + 0.5],
  )
}

/** A baseball cap on the head, brim to −1 left or 1 right. */
export function cap([x, y]: Point, brim: number): string {
  return blob(
    [x - 7 * brim, y - 1, 1],
    [x - 6.4 * brim, y - 5.5],
    [x, y - 8.6],
    [x + 6 * brim, y - 5.5],
    [x + 7 * brim, y - 2.6, 1],
    [x + 14 * brim, y - 1, 1],
    [x + 13.5 * brim, y + 0.6, 1],
    [x + 5 * brim, y - 0.2],
  )
}

/** A tail of hair or the end of a scarf: from a root along the points, thick at first, a point at last. */
export function tail(root: Point, thick: number, ...along: readonly Point[]): string {
  const last = along.at(-1) ?? root
  const mids = along.slice(0, -1)
  return blob(
    [root[0], root[1] - thick / 2],
    ...mids.map(([x, y]): Point => [x, y - thick * 0.55]),
    [last[0], last[1], 1],
    ...mids.toReversed().map(([x, y]): Point => [x, y + thick * 0.45]),
    [root[0], root[1] + thick / 2],
  )
}

interface Standing {
  readonly id: string
  readonly pose: Pose
  readonly x: number
  /** The ground under the feet. */
  readonly y: number
  readonly height: number
  /** Colour of the light that catches the edge. */
  readonly rim: string
  /** Where that light comes from: −1 left, 1 right. */
  readonly from: number
  readonly flip?: boolean
  /** Further SVG in the figure's units, drawn over it (held props with their own colours). */
  readonly props?: string
  readonly fill?: string
}

/** The silhouette on its ground with a rim of light at one edge. */
export function figure({ id, pose, x, y, height, rim, from, flip, props = '', fill = black }: Standing): string {
  const scale = height / 100
  const edge = (1.5 / scale) * from * (flip ? -1 : 1)
  return (
    `<g transform="translate(${x} ${y}) scale(${flip ? -scale : scale} ${scale})">` +
    `<g fill="${rim}"><path id="${id}" transform="translate(${edge.toFixed(2)} -.6)" d="${figurePath(pose)}"/></g>` +
    `<use href="#${id}" fill="${fill}" transform="translate(${(-1.2 * edge).toFixed(2)} .6)"/>${props}</g>`
  )
}
