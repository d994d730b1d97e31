import { cat } from './coop.ts'
import { figure } from './figure.ts'
import { around, halftone } from './halftone.ts'
import { jeepney } from './jeepney.ts'
import { word } from './lettering.ts'
import { eater } from './poses-townsfolk.ts'
import { bulbs, pole, skyline, stars } from './scenery.ts'
import {
  black,
  box,
  circle,
  gate,
  group,
  ink,
  linear,
  n,
  paper,
  path,
  phoenix,
  radial,
  rect,
  schools,
  signal,
  stroke,
  svg,
} from './svg.ts'

const width = 480
const height = 260

/** The error page's picture: the jeepney has stopped, bonnet steaming, a warning triangle on the road. 480×260, edges fade into the page. */
export function errorSign(): string {
  const steam = [
    [150, 92, 9],
    [143, 76, 12],
    [152, 57, 15],
    [140, 36, 18],
    [156, 16, 13],
  ] as const
  return svg(
    width,
    height,
    `<defs>${radial('glow', 250, 150, 250, [
      [0, '#4B2A9A', 0.9],
      [0.6, '#1B1548', 0.6],
      [1, ink, 0],
    ])}${linear(
      'edge',
      [0, 0, 1, 0],
      [
        [0, black, 0],
        [0.12, black],
        [0.88, black],
        [1, black, 0],
      ],
    )}</defs>` +
      rect(0, 0, width, height, 'url(#glow)') +
      halftone({ width, height: 214, pitch: 10, steps: 8 }, '#6B3FD4', around(270, 180, 220, 0.8), ' opacity=".7"') +
      stars(6, 60, 360, 90, 22) +
      skyline(14, 50, 380, 214, 54, '#100C30', '#C99A1A') +
      pole(66, 216, 170) +
      stroke('M66 62Q200 110 440 60', black, 1.2) +
      bulbs(
        [
          [66, 66],
          [250, 60],
          [430, 84],
        ],
        9,
        22,
      ) +
      rect(20, 212, 440, 48, 'url(#edge)') +
      path(
        'M60 230h40v3H60zM130 230h40v3h-40zM200 230h40v3h-40zM270 230h40v3h-40zM340 230h40v3h-40z',
        '#8F7012',
        ' opacity=".7"',
      ) +
      group('translate(130 216)', jeepney()) +
      path('M198 151 158 104 146 108 192 153z', phoenix.a) +
      path('M198 151 158 104 155 105 194 152z', '#FF8A5C') +
      stroke('M160 156 164 122', '#C3C8D4', 1.6) +
      path('M136 164l64-8v-5l-64 9z', ink) +
      steam.map(([x, y, r]) => circle(x, y, r, paper, ` opacity="${n(0.1 + (r < 14 ? 0.12 : 0.04))}"`)).join('') +
      stroke('M152 104q-8-10 0-20t0-22q-6-10 2-20', paper, 2.4, ' stroke-linecap="round" opacity=".7"') +
      stroke('M164 100q8-9 2-18t4-18', paper, 2, ' stroke-linecap="round" opacity=".5"') +
      path('M74 190 96 228H52z', phoenix.a) +
      path('M74 200 87 223H61z', paper) +
      path('M72.5 206h3l-.6 9h-1.8zM72.6 217h2.8v3h-2.8z', ink) +
      figure({ id: 'f', pose: eater, x: 112, y: 224, height: 84, rim: gate.t, from: 1, flip: true }),
  )
}

/** The 404 page's picture: the covered court's gate, locked for the night, a lamp over it, a cat on the wall. 480×260. */
export function notFound(): string {
  const railTop = (i: number) => 96 + 3.5 * Math.abs(i - 10.5)
  const bars = Array.from({ length: 22 }, (_, i) =>
    Math.abs(i - 10.5) < 1 ? '' : box(118.5 + i * 11.5, railTop(i), 3, 216 - railTop(i)),
  ).join('')
  const spikes = Array.from({ length: 22 }, (_, i) => {
    const x = 120 + i * 11.5
    const y = railTop(i)
    return `M${n(x - 3)} ${n(y)}l3-9 3 9z`
  }).join('')
  const chord = (x: number, base: number) => base - 35 * (1 - ((x - 240) / 136) ** 2)
  const web = Array.from({ length: 13 }, (_, i) => {
    const x = 108 + i * 22
    return `${i ? 'L' : 'M'}${x} ${n(chord(x, 66))}${i < 12 ? `L${x + 11} ${n(chord(x + 11, 54))}` : ''}`
  }).join('')
  return svg(
    width,
    height,
    `<defs>${radial('glow', 240, 120, 240, [
      [0, '#3657F0', 0.9],
      [0.45, '#18286F', 0.8],
      [1, ink, 0],
    ])}${linear(
      'cone',
      [0, 0, 0, 1],
      [
        [0, '#FFE9A8', 0.75],
        [1, '#FFE9A8', 0],
      ],
    )}${linear(
      'edge',
      [0, 0, 1, 0],
      [
        [0, black, 0],
        [0.15, black],
        [0.85, black],
        [1, black, 0],
      ],
    )}</defs>` +
      rect(0, 0, width, height, 'url(#glow)') +
      halftone({ width, height: 216, pitch: 10, steps: 8 }, gate.a, around(240, 150, 210, 0.9)) +
      stars(8, 60, 360, 50, 20) +
      stroke(`${web}M104 66Q240-4 376 66M104 54Q240-18 376 54`, black, 3) +
      schools
        .map((school, i) =>
          path(`M${172 + i * 58} 46v${i === 1 ? 34 : 40}l10 8 10-8v-${i === 1 ? 34 : 40}z`, school.a, ' opacity=".9"'),
        )
        .join('') +
      stroke('M330 216V120H312', '#0C1440', 5) +
      rect(292, 106, 30, 22, '#0C1440') +
      path('M240 22 120 216H360z', 'url(#cone)') +
      path('M230 14h20l8 12h-36z', black) +
      path('M224 26h32v3h-32z', signal) +
      path(
        'M86 92h30v128H86zM364 92h30v128h-30zM82 84h38v10H82zM360 84h38v10h-38zM20 140h66v80H20zM394 140h66v80h-66z',
        'url(#wall)',
      ) +
      `<defs><linearGradient id="wall" gradientUnits="userSpaceOnUse" x1="10" x2="470" y1="0" y2="0"><stop stop-color="#0B0E1C" stop-opacity="0"/><stop offset=".17" stop-color="#10152E"/><stop offset=".83" stop-color="#10152E"/><stop offset="1" stop-color="#0B0E1C" stop-opacity="0"/></linearGradient></defs>` +
      stroke('M82 84.5h38M360 84.5h38M40 140.5h46M394 140.5h46', gate.t, 1.2, ' opacity=".7"') +
      path(`${bars}${spikes}M116 128h248v5H116zM116 202h248v5H116zM234 98h5v118h-5zM241 98h5v118h-5z`, black) +
      rect(10, 214, 460, 46, 'url(#edge)') +
      path('M140 216h200l40 30H100z', '#FFE9A8', ' opacity=".1"') +
      stroke('M214 166q14 16 26 4t26-4M214 172q14 10 26-8t26 10', '#C3C8D4', 3) +
      path('M227 170h26v23h-26z', signal) +
      stroke('M232 171v-6a8 8 0 0 1 16 0v6', '#C3C8D4', 3.4) +
      path('M238.5 178h3l1 8h-5z', ink) +
      `<g transform="rotate(-5 166 158)">${path('M136 140h62v36h-62z', black, ' transform="translate(2 3)" opacity=".5"')}${path('M136 140h62v36h-62z', paper)}${path('M139 143h56v30h-56z', phoenix.a)}${word('SARADO', { x: 167, y: 165, size: 21, fill: '#fff', anchor: 'middle' })}</g>` +
      stroke('M148 140l12-12 26 10', '#C3C8D4', 1.2) +
      cat(412, 141),
  )
}
