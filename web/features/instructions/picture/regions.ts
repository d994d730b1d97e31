import type { PartKey } from '../content/part-keys.ts'

/** The interface picture's own measure: a screen and the desk under it. */
export const PICTURE = { width: 1000, height: 800 }

/** Where the scene stands in it. */
export const SCREEN = { x: 16, y: 16, width: 968, height: 600 }

type Region = { x: number; y: number; width: number; height: number }

/** The nine regions, left, top, width and height. */
export const REGIONS: Readonly<Record<PartKey, Region>> = {
  status: { x: 32, y: 32, width: 300, height: 96 },
  items: { x: 340, y: 504, width: 140, height: 96 },
  skills: { x: 492, y: 504, width: 262, height: 96 },
  chat: { x: 32, y: 392, width: 296, height: 208 },
  shortcuts: { x: 768, y: 504, width: 200, height: 96 },
  inventory: { x: 716, y: 204, width: 252, height: 284 },
  map: { x: 756, y: 32, width: 212, height: 156 },
  keys: { x: 70, y: 658, width: 660, height: 130 },
  mouse: { x: 800, y: 646, width: 100, height: 148 },
}

/** A region as shares of the picture, for what is laid over it. */
export function placeOf(key: PartKey) {
  const { x, y, width, height } = REGIONS[key]
  return {
    left: `${(100 * x) / PICTURE.width}%`,
    top: `${(100 * y) / PICTURE.height}%`,
    width: `${(100 * width) / PICTURE.width}%`,
    height: `${(100 * height) / PICTURE.height}%`,
  }
}
