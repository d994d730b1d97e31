import { around, halftone } from './halftone.ts'
import { blob, oval, type Point } from './outline.ts'
import { circle, gate, n, paper, path, peak, phoenix, randomFrom, rect, signal, stroke, svg } from './svg.ts'
import {
  mapBasement,
  mapBoiler,
  mapBridge,
  mapCoop,
  mapCourt,
  mapFountain,
  mapGuard,
  mapMarket,
  mapQuad,
  mapRooftop,
  mapShed,
} from './world-map-places.ts'
import { mapGate, mapPeak, mapPhoenix, mist, smoke } from './world-map-schools.ts'

const width = 1000
const height = 1120

/** The hill in three steps, each with the shadow of its edge. */
function hill(): string {
  const steps: readonly (readonly [string, string, readonly Point[]])[] = [
    [
      '#121A30',
      '#070A14',
      [
        [70, 250],
        [250, 60],
        [560, 40],
        [880, 110],
        [965, 360],
        [950, 640],
        [800, 800],
        [560, 880],
        [250, 890],
        [60, 800],
        [30, 520],
      ],
    ],
    [
      '#17213D',
      '#0A0F20',
      [
        [130, 270],
        [300, 110],
        [600, 90],
        [850, 190],
        [900, 420],
        [790, 600],
        [560, 700],
        [280, 720],
        [110, 600],
        [90, 420],
      ],
    ],
    [
      '#1D2A4E',
      '#0D142B',
      [
        [190, 300],
        [360, 180],
        [620, 160],
        [790, 270],
        [800, 430],
        [640, 560],
        [420, 610],
        [230, 560],
        [170, 430],
      ],
    ],
  ]
  return steps
    .map(
      ([top, side, points]) =>
        path(blob(...points.map(([x, y]): Point => [x, y + 16])), side) + path(blob(...points), top),
    )
    .join('')
}

const river = 'M1020 742C930 752 880 836 770 872S560 888 450 926S190 908-20 968'

/** The jeepney's loop around the hill, a third in each school's colour. */
const loop = [
  ['M560 1060C380 1060 210 1040 100 950S28 760 30 620', gate.a],
  ['M30 620C26 430 20 250 120 110S360 22 520 24', peak.a],
  ['M520 24C720 20 880 40 944 170S980 480 972 660S930 930 830 1010S680 1060 560 1060', phoenix.a],
] as const

const paths =
  'M300 1006L352 856C372 780 400 680 470 560M470 560C420 600 360 600 320 600M520 540C600 560 660 540 700 520M500 500C480 440 420 380 380 340M540 470C560 440 570 420 575 400M740 580C780 620 800 640 830 650M640 600C660 660 670 700 680 740M250 640C220 700 200 720 190 740M330 330C260 340 220 340 190 350'

function trees(): string {
  const random = randomFrom(26)
  const spots: readonly Point[] = [
    [60, 320],
    [70, 470],
    [400, 120],
    [470, 110],
    [650, 100],
    [720, 150],
    [930, 380],
    [925, 470],
    [660, 640],
    [735, 690],
    [600, 720],
    [560, 830],
    [300, 770],
    [330, 850],
    [260, 830],
    [80, 660],
    [60, 700],
    [230, 350],
    [250, 400],
    [430, 420],
    [650, 470],
    [410, 1010],
    [440, 1060],
    [120, 1010],
    [90, 1050],
    [890, 1040],
    [930, 1000],
    [860, 1080],
    [960, 1090],
    [770, 960],
    [40, 1100],
    [270, 1090],
    [735, 930],
    [900, 780],
  ]
  let crowns = ''
  let lights = ''
  let shades = ''
  for (const [x, y] of spots) {
    const r = 15 + random() * 9
    shades += oval([x + 5, y + 3], r, r * 0.4)
    crowns += blob(
      [x - r, y - r * 0.7],
      [x - r * 0.3, y - r * 1.9],
      [x + r * 0.7, y - r * 1.5],
      [x + r, y - r * 0.5],
      [x, y],
    )
    lights += blob(
      [x - r * 0.7, y - r],
      [x - r * 0.2, y - r * 1.7],
      [x + r * 0.3, y - r * 1.3],
      [x - r * 0.2, y - r * 0.8],
    )
  }
  return path(shades, '#05070E', ' opacity=".5"') + path(crowns, '#0C4A3A') + path(lights, '#14765A')
}

/** A palm, leaning. */
function palms(): string {
  return [
    [86, 912, 1],
    [950, 860, -1],
    [705, 985, 1],
    [480, 985, -1],
  ]
    .map(([x = 0, y = 0, lean = 1]) => {
      const tx = x + 14 * lean
      const ty = y - 66
      return (
        stroke(`M${x} ${y}Q${x} ${y - 36} ${tx} ${ty}`, '#5A4526', 5) +
        stroke(
          `M${tx} ${ty}q-22-14-36 6M${tx} ${ty}q-14-26-30-22M${tx} ${ty}q8-26 26-22M${tx} ${ty}q24-14 38 6M${tx} ${ty}q-6 16-18 26M${tx} ${ty}q12 12 16 26`,
          '#15805F',
          5,
          ' stroke-linecap="round"',
        )
      )
    })
    .join('')
}

function water(): string {
  const random = randomFrom(7)
  const dashes = Array.from({ length: 26 }, (_, i) => {
    const t = i / 25
    const x = 1000 - 1000 * t
    const y = 748 + 150 * Math.min(1, t * 3.2) * 0.86 + 60 * t + (random() - 0.5) * 26
    return `M${n(x)} ${n(y)}h${n(14 + random() * 26)}`
  }).join('')
  return (
    stroke(river, '#080C1A', 78) +
    stroke(river, '#123A7A', 66) +
    stroke(river, '#1F5BB5', 34) +
    stroke(dashes, '#8FDCF5', 2.6, ' opacity=".6"')
  )
}

/** The world of the story, seen from above the river on a clear night. Names are not in it: the page writes them as text. */
export function worldMap(): string {
  return svg(
    width,
    height,
    rect(0, 0, width, height, '#0A0D18') +
      halftone({ width, height, pitch: 26, steps: 5 }, '#1B2A66', around(520, 420, 760)) +
      hill() +
      halftone(
        { x: 190, y: 150, width: 620, height: 440, pitch: 18, steps: 5 },
        '#3350C4',
        around(510, 380, 330, 0.8),
        ' opacity=".5"',
      ) +
      water() +
      loop.map(([d]) => stroke(d, '#05070E', 26)).join('') +
      loop.map(([d, color]) => stroke(d, color, 16)).join('') +
      stroke(loop.map(([d]) => d).join(''), paper, 2.4, ' stroke-dasharray="14 14"') +
      stroke('M312 972L352 856', '#05070E', 40) +
      stroke('M312 972L352 856', '#8A7650', 32) +
      stroke('M312 972L352 856', '#5E4E30', 32, ' stroke-dasharray="2 8"') +
      stroke(paths, '#33406B', 15, ' stroke-linecap="round"') +
      stroke(paths, '#4A5A8C', 2, ' stroke-dasharray="3 9"') +
      trees() +
      mapBasement(148, 300) +
      mapPeak(330, 132) +
      mist(330, 130) +
      mapBoiler(856, 232) +
      mapRooftop(560, 320) +
      smoke(792, 196) +
      mapPhoenix(770, 372) +
      mapFountain(500, 505) +
      mapGate(225, 480) +
      mapBridge() +
      mapMarket(822, 592) +
      mapCoop(690, 720) +
      mapQuad(440, 736) +
      mapCourt(172, 712) +
      mapGuard(262, 940) +
      palms() +
      mapShed(560, 1040) +
      circle(560, 1060, 11, paper) +
      circle(560, 1060, 6, signal) +
      stroke('M70 66v44M48 88h44', paper, 2) +
      path('M70 52l9 30h-18z', phoenix.a) +
      path('M70 124l9-30h-18z', paper),
  )
}
