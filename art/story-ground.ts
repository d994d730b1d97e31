import { around, halftone } from './halftone.ts'
import { black, path, radial, rect, stroke, svg } from './svg.ts'

export const width = 840
export const height = 280
/** Where feet stand. */
export const ground = 244

interface Light {
  readonly heart: string
  readonly middle: string
  readonly dark: string
  readonly dot: string
  /** Where the light comes from. */
  readonly x: number
  readonly y: number
  readonly reach: number
}

/** A chapter's picture: one light with its dots, the drawing, the ground's edge. */
export function strip(light: Light, edge: string, art: string, front = ''): string {
  const { heart, middle, dark, dot, x, y, reach } = light
  return svg(
    width,
    height,
    `<defs>${radial('l', x, y, reach * 1.5, [
      [0, heart],
      [0.4, middle],
      [1, dark],
    ])}</defs>${rect(0, 0, width, height, 'url(#l)')}` +
      halftone({ width, height: ground, pitch: 14, steps: 6 }, dot, around(x, y, reach, 0.9), ' opacity=".55"') +
      art +
      path(`M0 ${ground}H${width}V${height}H0z`, black) +
      stroke(`M0 ${ground + 0.7}H${width}`, edge, 1.5) +
      front,
  )
}
