import { coinToken } from './charges.ts'
import { figure } from './figure.ts'
import { across, around, both, down, halftone } from './halftone.ts'
import { word } from './lettering.ts'
import { star } from './parol.ts'
import { batter } from './poses-fighters.ts'
import { type Frame, poster } from './poster.ts'
import { rooftop } from './posters.ts'
import { bulbs } from './scenery.ts'
import {
  black,
  circle,
  coin,
  gate,
  group,
  ink,
  ink2,
  paper,
  path,
  peak,
  phoenix,
  rect,
  signal,
  stroke,
  svg,
} from './svg.ts'

/** The menu's left field: a signpost at night, 264×236. Decorative. */
export function signpost(): string {
  const board = (d: string, fill: string, text: string, x: number, y: number, size: number, color: string) =>
    path(d, black, ' transform="translate(3 3)" opacity=".55"') +
    path(d, fill) +
    word(text, { x, y, size, fill: color })
  return svg(
    264,
    236,
    rect(0, 0, 264, 236, ink2) +
      halftone(
        { width: 264, height: 236, pitch: 10, steps: 8 },
        gate.a,
        both(across(20, 250), down(-30, 230)),
        ' opacity=".95"',
      ) +
      path('M0 214H264V236H0z', black) +
      figure({ id: 'f', pose: batter, x: 208, y: 216, height: 92, rim: gate.t, from: 1 }) +
      path('M62 24h7v194h-7z', paper) +
      path('M66 24h3v194h-3z', '#C2BAA4') +
      path('M50 212h31v5H50z', paper) +
      board('M20 34H188L212 57 188 80H20z', signal, 'Which way?', 36, 70, 40, ink) +
      board('M46 97H178V135H46L24 116z', paper, 'Gate, left', 56, 125.5, 31, ink) +
      board('M20 152H138L158 172 138 192H20z', phoenix.a, 'Coop, open', 34, 181.5, 30, '#fff') +
      bulbs(
        [
          [-6, 14],
          [66, 20],
          [270, 6],
        ],
        6,
        22,
      ),
  )
}

/** The menu's gallery picture, 160×160. */
export function galleryThumb(): string {
  const frame: Frame = { width: 160, height: 160, cx: 77, ground: 140, words: false, pitch: 12, dots: 0.85 }
  return poster(frame, rooftop(frame))
}

/** The capsule banner's picture, 110×96, on the banner's own ground. */
export function capsule(): string {
  const ball = (x: number, y: number, r: number, turn: number, top: string, mark: string) =>
    group(
      `translate(${x} ${y}) rotate(${turn})`,
      circle(0, 0, r + 2, black) +
        path(`M${-r} 0a${r} ${r} 0 0 1 ${2 * r} 0z`, top) +
        path(`M${-r} 0a${r} ${r} 0 0 0 ${2 * r} 0z`, paper) +
        path(`M${-r} -2.5h${2 * r}v5h${-2 * r}z`, black) +
        path(star(0, r * 0.52, r * 0.3, r * 0.14), mark) +
        stroke(
          `M${-r * 0.62}-${r * 0.35}a${r * 0.75} ${r * 0.75} 0 0 1 ${r * 0.42}-${r * 0.34}`,
          '#fff',
          r * 0.1,
          ' stroke-linecap="round" opacity=".85"',
        ),
    )
  return svg(
    110,
    96,
    halftone({ width: 110, height: 96, pitch: 8, steps: 7 }, phoenix.a, around(66, 52, 66)) +
      ball(92, 28, 13, 24, peak.a, peak.a) +
      ball(28, 66, 15, -28, gate.a, gate.a) +
      ball(66, 54, 29, 10, phoenix.b, ink),
  )
}

/** The redeem banner's picture, 110×96: a code slip under the R-Coin. */
export function redeem(): string {
  const slip = 'M0 0H62V11a5 5 0 0 0 0 10V32H0V21a5 5 0 0 0 0-10z'
  return svg(
    110,
    96,
    halftone({ width: 110, height: 96, pitch: 8, steps: 7 }, peak.a, around(66, 44, 66)) +
      group(
        'translate(14 54) rotate(-12)',
        path(slip, black, ' transform="translate(2 3)" opacity=".5"') +
          path(slip, paper) +
          path('M9 8h6v6H9zM18 8h6v6h-6zM27 8h6v6h-6zM36 8h6v6h-6zM45 8h6v6h-6zM9 19h26v4H9z', ink) +
          path('M40 19h12v4H40z', phoenix.a),
      ) +
      group('translate(44 2) scale(2.5)', circle(12, 12.8, 11.6, black, ' opacity=".45"') + coinToken()) +
      stroke('M98 60l4 10M104 54l6 5M92 64v7', coin, 2),
  )
}

/** The torn receipt of an empty list, 120×136. */
export function receiptEmpty(): string {
  const teeth = Array.from({ length: 12 }, () => 'l-4 6-4-6').join('')
  return svg(
    120,
    136,
    `<g transform="translate(0 2) rotate(-4 60 66)">${path(`M15 13H111V117${teeth}z`, black, ' opacity=".6"')}${path(`M12 10H108V114${teeth}z`, paper)}` +
      path('M24 24h40v6H24z', ink) +
      path('M24 38H96v3H24z', ink) +
      path('M24 52h30v4H24zM24 64h42v4H24zM24 76h24v4H24zM84 52h12v4H84zM80 64h16v4H80zM86 76h10v4H86z', '#C2BAA4') +
      stroke('M24 88H96', '#6E685A', 1.5, ' stroke-dasharray="4 3"') +
      path(
        'M24 96h3v12h-3zM30 96h2v12h-2zM35 96h5v12h-5zM43 96h2v12h-2zM48 96h3v12h-3zM54 96h1.5v12H54zM58 96h5v12h-5zM66 96h2v12h-2zM71 96h4v12h-4zM78 96h2v12h-2zM83 96h5v12h-5zM91 96h2v12h-2z',
        ink,
      ) +
      path('M96 10v10h12z', '#C2BAA4') +
      path('M96 10l12 10V10z', ink2) +
      '</g>',
  )
}
