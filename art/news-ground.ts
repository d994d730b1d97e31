import { around, halftone } from './halftone.ts'
import type { Frame } from './poster.ts'
import { black, path, radial, rect, stroke } from './svg.ts'

/** A ground of one light: radial from `light` to `dark`, with dots of `dot` around its middle. */
export function lit(
  { width, height, cx, ground, pitch, dots }: Frame,
  light: string,
  dark: string,
  dot: string,
  lift = 90,
): string {
  return (
    `<defs>${radial('glow', cx, ground - lift, 250, [
      [0, light],
      [1, dark],
    ])}</defs>` +
    rect(0, 0, width, height, 'url(#glow)') +
    halftone({ width, height, pitch, steps: 9 }, dot, around(cx, ground - lift, 230, 0.85), ` opacity="${dots}"`)
  )
}

/** The ground with a line of light at its edge, around the middle of the art. */
export function floor({ width, height, cx, ground }: Frame, edge: string): string {
  return (
    path(`M${-cx} 0H${width - cx}V${height - ground}H${-cx}z`, black) + stroke(`M${-cx} .7H${width - cx}`, edge, 1.5)
  )
}
