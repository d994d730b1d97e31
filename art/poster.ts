import { around, halftone } from './halftone.ts'
import { black, path, radial, rect, stroke, svg } from './svg.ts'

/** Where a poster's drawing stands: the picture's size, the middle of the art, the ground under it. */
export interface Frame {
  readonly width: number
  readonly height: number
  readonly cx: number
  readonly ground: number
  /** On the phone the words stand below the picture, so nothing is kept dark for them. */
  readonly words: boolean
  /** Pitch of the sky's halftone. Rastered pictures take a coarse one: every dot's edge costs them bytes. */
  readonly pitch: number
  /** Strength of those dots, 0 to 1. */
  readonly dots: number
}

/** The rotator's 615×210, words from x 28 to 330. */
export const wide: Frame = { width: 615, height: 210, cx: 462, ground: 182, words: true, pitch: 12, dots: 0.85 }

/** The phone's 323×186. */
export const phone: Frame = { width: 323, height: 186, cx: 161, ground: 164, words: false, pitch: 12, dots: 0.85 }

/** What a poster is: sky and ground in the frame's own coordinates, art around (0, 0) at the middle of the ground. */
export interface Scene {
  readonly back: string
  readonly art: string
  readonly front?: string
}

/** A scene as a file. */
export function poster(frame: Frame, scene: Scene): string {
  return svg(
    frame.width,
    frame.height,
    `${scene.back}<g transform="translate(${frame.cx} ${frame.ground})">${scene.art}</g>${scene.front ?? ''}`,
  )
}

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
