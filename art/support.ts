import { cat, umbrella } from './coop.ts'
import { figure } from './figure.ts'
import { around, halftone } from './halftone.ts'
import { word } from './lettering.ts'
import { captain } from './poses-fighters.ts'
import { waiter } from './poses-townsfolk.ts'
import { bulbs, stars } from './scenery.ts'
import {
  black,
  box,
  circle,
  gate,
  group,
  ink,
  ink2,
  linear,
  n,
  paper,
  path,
  peak,
  phoenix,
  radial,
  rect,
  signal,
  stroke,
  svg,
} from './svg.ts'

const steel = '#C3C8D4'

/** A slip out of the number machine, its notches at both sides, printed with a number. 60×36 about (0, 0). */
function numberSlip(digits: string): string {
  const slip = 'M-30-18H30V-5a5 5 0 0 0 0 10V18H-30V5a5 5 0 0 0 0-10z'
  return (
    path(slip, black, ' transform="translate(2 3)" opacity=".5"') +
    path(slip, paper) +
    path('M-19-12h38v3h-38zM-14 11h28v2h-28z', '#C2BAA4') +
    word(digits, { x: 0, y: 8, size: 25, fill: ink, anchor: 'middle' })
  )
}

/** The registrar's window after class: the shutter is up, the lamp is on, two wait with their numbers, the cat has none. 480×260. */
export function registrarWindow(): string {
  const left = 176
  const top = 84
  const bars = Array.from({ length: 11 }, (_, i) => box(left + 17 + i * 18, top, 2.4, 92)).join('')
  const slats = Array.from({ length: 5 }, (_, i) => box(left - 4, top - 20 + i * 4.4, 224, 3.2)).join('')
  const binders = [0, 9, 18, 30, 39, 52, 142, 151, 160, 172, 181, 190]
    .map((at, i) => box(left + 10 + at, top + 22 - (i % 3) * 3, 7.4, 22 + (i % 3) * 3))
    .join('')
  const tiles = Array.from({ length: 9 }, (_, i) => `M${20 + i * 55} 222l${n((i - 4) * 9)} 36`).join('')
  return svg(
    480,
    260,
    `<defs>${radial('glow', 286, 130, 250, [
      [0, '#3657F0', 0.85],
      [0.5, '#18286F', 0.75],
      [1, ink, 0],
    ])}${linear(
      'edge',
      [0, 0, 1, 0],
      [
        [0, black, 0],
        [0.14, black],
        [0.86, black],
        [1, black, 0],
      ],
    )}${linear(
      'spill',
      [0, 0, 0, 1],
      [
        [0, '#FFE68A', 0.5],
        [1, '#FFE68A', 0],
      ],
    )}<clipPath id="in"><path d="${box(left, top, 216, 92)}"/></clipPath></defs>` +
      rect(0, 0, 480, 260, 'url(#glow)') +
      halftone({ width: 480, height: 214, pitch: 12, steps: 7 }, gate.a, around(286, 130, 230, 0.85)) +
      stars(21, 20, 440, 40, 16) +
      path(box(left - 22, top - 34, 260, 166), '#0C1440') +
      stroke(`M${left - 22} ${top - 34}h260`, gate.t, 1.4, ' opacity=".8"') +
      rect(left, top, 216, 92, signal) +
      rect(left, top, 216, 30, '#FFE68A') +
      path(binders, '#B8720A', ' opacity=".75"') +
      rect(left, top + 44, 216, 3, '#B8720A', ' opacity=".75"') +
      `<g clip-path="url(#in)">${figure({ id: 'c', pose: captain, x: left + 104, y: top + 158, height: 148, rim: '#FF9B1A', from: 1 })}</g>` +
      path(bars, black) +
      path(`${box(left, top + 46, 216, 2.6)}${slats}`, black) +
      stroke(`M${left - 4} ${top + 1.5}h224`, gate.t, 1.2, ' opacity=".7"') +
      path(box(left - 14, top + 92, 244, 9), paper) +
      path(box(left - 14, top + 99, 244, 3), '#C2BAA4') +
      path(box(left - 8, top + 102, 232, 30), '#10152E') +
      path(`M${left - 8} ${top + 102}h232l26 46H${left - 34}z`, 'url(#spill)') +
      group(
        `translate(${left + 108} 46)`,
        path('M-72-23H72V23H-72z', black) +
          path('M-69-20H69V20H-69z', phoenix.a) +
          path('M19-15H64V15H19z', black) +
          word('SUPPORT', { x: -62, y: 8.5, size: 25, fill: '#fff' }) +
          word('042', { x: 41.5, y: 10, size: 29, fill: signal, anchor: 'middle' }),
      ) +
      stroke(`M${left + 60} 0v23M${left + 156} 0v23`, black, 2.4) +
      path(`M${left + 30} ${top + 92}a11 11 0 0 1 22 0zM${left + 39.5} ${top + 78}h3v4h-3z`, steel) +
      path(
        `${box(left + 150, top + 86, 34, 3)}${box(left + 152, top + 82.5, 32, 3)}${box(left + 149, top + 89, 34, 3)}`,
        paper,
      ) +
      path(`${box(left + 150, top + 88.6, 34, 0.8)}${box(left + 150, top + 85.4, 34, 0.8)}`, '#6E685A') +
      path(`M${left + 192} ${top + 76}h8l2 12h4v4h-20v-4h4z`, phoenix.d) +
      cat(left + 12, top + 92) +
      rect(10, 216, 460, 44, 'url(#edge)') +
      stroke(tiles, gate.t, 1, ' opacity=".16"') +
      path('M168 216h232l44 40H110z', '#FFE68A', ' opacity=".12"') +
      path('M424 116h30v100h-30z', black) +
      path('M427 119h24v26h-24z', peak.a) +
      path('M429 150h20v3h-20z', paper) +
      stroke('M424.7 116v100', peak.t, 1.4) +
      group('translate(439 166) rotate(-7) scale(.5)', numberSlip('043')) +
      group('translate(110 82) scale(.95)', umbrella(phoenix.a, signal)) +
      figure({ id: 'w', pose: waiter, x: 104, y: 226, height: 128, rim: signal, from: 1, flip: true }) +
      group('translate(62 146) rotate(-12) scale(.62)', numberSlip('042')) +
      bulbs(
        [
          [-10, 40],
          [90, 26],
          [154, 48],
        ],
        7,
        20,
      ),
  )
}

/** The suggestion box of an empty list: nothing in the slot, its padlock open, a cobweb in the corner. 120×136. */
export function ticketBox(): string {
  const front = 'M14 44H94V122H14z'
  return svg(
    120,
    136,
    `<g transform="rotate(-3 60 70)">` +
      path('M18 48H112V128H18z', black, ' opacity=".55"') +
      path('M94 44 110 34V110L94 122z', gate.d) +
      path('M14 44 32 34H110L94 44z', '#5C7BFF') +
      path(front, gate.a) +
      `<clipPath id="f"><path d="${front}"/></clipPath><g clip-path="url(#f)">${halftone({ x: 14, y: 74, width: 80, height: 50, pitch: 7, steps: 6 }, gate.d, (_x, y) => (y - 74) / 60)}</g>` +
      path('M42 36.6H88L84 40.6H37z', ink) +
      path('M24 58H84V92H24z', paper) +
      path('M24 58H84V61H24z', '#C2BAA4') +
      word('WALA PA', { x: 54, y: 82, size: 19, fill: ink, anchor: 'middle' }) +
      circle(29, 65.5, 1.4, '#6E685A') +
      circle(79, 65.5, 1.4, '#6E685A') +
      stroke('M48 102v-4a6 6 0 0 1 12 0v1', steel, 2.8) +
      path('M45 102h18v15H45z', signal) +
      path('M52.8 106.5h2.4l.9 6h-4.2z', ink) +
      stroke('M94 44v78M14 44h80', gate.t, 1.2, ' opacity=".8"') +
      '</g>' +
      group(
        'translate(78 20) rotate(14)',
        path('M-17-12H17V12H-17z', black, ' transform="translate(2 2)" opacity=".5"') +
          path('M-17-12H17V12H-17z', paper) +
          stroke('M-17-12 0 2 17-12', ink2, 1.6),
      ) +
      stroke('M52 12q-8-6-16 0t-14 2', '#98A0B4', 1.6, ' stroke-dasharray="3 4" stroke-linecap="round"'),
  )
}
