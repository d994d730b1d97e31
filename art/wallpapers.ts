import { rainyCoop } from './coop.ts'
import { figure } from './figure.ts'
import { ball, emptyCourt, longBanner } from './gallery-rooms.ts'
import { around, both, down, halftone } from './halftone.ts'
import { lastTrip } from './jeepney.ts'
import { parol } from './parol.ts'
import { reacher } from './poses-townsfolk.ts'
import { type Frame, floor, lit, poster, type Scene } from './poster.ts'
import { rooftop } from './posters.ts'
import { beam, bulbs, glints, rain, skyline, stars } from './scenery.ts'
import { black, box, circle, group, linear, path, phoenix, randomFrom, rect, schools, signal, stroke } from './svg.ts'

/** A desktop's 16:9: 5 px a unit are 1920×1080. */
const wide: Frame = { width: 384, height: 216, cx: 183, ground: 190, words: false, pitch: 12, dots: 0.75 }

/** A phone's 1080×2400 at 3⅓ px a unit; the upper third stays calm for the clock. */
const tall: Frame = { width: 324, height: 720, cx: 161, ground: 520, words: false, pitch: 12, dots: 0.75 }

/** The wing of the school below its roof: louvred bays, a few of them lit. */
function facade({ width, height, ground }: Frame): string {
  const random = randomFrom(26)
  let dark = ''
  let bright = ''
  for (let y = ground + 26; y < height; y += 46)
    for (let x = 12; x < width - 20; x += 27) {
      if (random() > 0.8) bright += box(x, y, 19, 27)
      else dark += box(x, y, 19, 27)
    }
  const louvres = Array.from({ length: 5 }, (_, row) =>
    [9, 14, 19].map((at) => `M0 ${ground + 26 + row * 46 + at}H${width}`).join(''),
  ).join('')
  return (
    rect(0, ground + 12, width, 3, '#1B2650') +
    path(dark, '#141B3A') +
    path(bright, '#C99A1A') +
    stroke(louvres, black, 2)
  )
}

function tallRooftop(): Scene {
  const scene = rooftop(tall)
  const { width, ground } = tall
  return {
    back:
      scene.back +
      beam(40, ground, -60, 640, 60, 'g') +
      beam(120, ground, 40, 640, 46, 'j') +
      beam(286, ground, 40, 640, 60, 'p') +
      stars(14, 0, width, 330, 130) +
      skyline(7, -4, width + 8, ground, 58, '#101A50', '#C99A1A'),
    art: scene.art,
    front: facade(tall),
  }
}

function tallCourt(): Scene {
  const { width, cx, ground } = tall
  const cone = (x: number, y: number, spread: number) => `M${x} ${y}L${x - spread} 0H${x + spread}Z`
  const lamp = (x: number, y: number) =>
    path(`M${x - 13} ${y}h26l-6-11h-14z`, black) + stroke(`M${x - 11} ${y + 1}h22`, signal, 3)
  const hung: readonly [0 | 1 | 2, number, number, number][] = [
    [0, -101, -420, 1.22],
    [2, 101, -390, 1.22],
    [1, 0, -330, 1.36],
  ]
  return {
    back: `${lit(tall, '#E0561A', '#180805', '#FFB54A', 150)}${halftone({ width, height: ground, pitch: 12, steps: 7 }, '#C9431A', both(around(cx, ground - 170, 380), down(20, 300)))}<defs>${linear(
      'cone',
      [0, 0, 0, 1],
      [
        [0, '#FFE9A8', 0.6],
        [1, '#FFE9A8', 0],
      ],
    )}</defs>`,
    art:
      path(cone(-101, -450, 96) + cone(0, -450, 96) + cone(101, -450, 96), 'url(#cone)') +
      stroke(
        `M-170-452H170M-170-470H170${Array.from({ length: 17 }, (_, i) => `M${-170 + i * 20}-452l10-18 10 18`).join('')}`,
        black,
        3,
      ) +
      [-101, 0, 101].map((x) => lamp(x, -436)).join('') +
      stroke(hung.map(([, x, y, s]) => `M${x - 34 * s} ${y}V-452M${x + 34 * s} ${y}V-452`).join(''), black, 1.6) +
      hung.map(([school, x, y, s]) => longBanner(school, x, y, s)).join('') +
      floor(tall, phoenix.b) +
      stroke('M-200 46H200M-70 200V120a70 34 0 0 1 140 0V200', '#C9641A', 3) +
      glints(5, -170, 340, 20, 170, '#5A1F0C') +
      ball(-26, -10, 11),
  }
}

function tallTrip(): Scene {
  const scene = lastTrip(tall)
  const { cx, ground, width } = tall
  const moon =
    circle(238, 150, 44, '#FFE98A', ' opacity=".16"') +
    circle(238, 150, 34, '#FFF3B8') +
    circle(226, 142, 30, '#1A1450')
  return {
    back:
      scene.back +
      stars(44, 0, width, 330, 140) +
      moon +
      skyline(12, -4, width + 8, ground - 6, 74, '#15103F', '#FFC94A'),
    art: scene.art,
    front:
      (scene.front ?? '') +
      rect(0, ground + 36, width, 170, '#0A0820') +
      `<g clip-path="url(#road)" opacity=".3">${group(`translate(${cx} ${ground + 44}) scale(1 -.8)`, scene.art)}</g>` +
      `<clipPath id="road">${rect(0, ground + 40, width, 170, '#000')}</clipPath>` +
      glints(21, 0, width, ground + 44, 150, '#3A2A7C') +
      path(
        box(-10, ground + 28, 40, 4) +
          box(66, ground + 28, 44, 4) +
          box(146, ground + 28, 44, 4) +
          box(226, ground + 28, 44, 4) +
          box(306, ground + 28, 44, 4),
        '#C99A1A',
      ),
  }
}

function tallCoop(): Scene {
  const scene = rainyCoop(tall)
  const { cx, ground, width, height } = tall
  return {
    back:
      scene.back +
      skyline(81, -4, width + 8, ground, 210, '#063A2B', '#0B5A43') +
      skyline(29, -4, width + 8, ground, 120, '#042A20', '#8F7012'),
    art: scene.art,
    front:
      `<clipPath id="wet">${rect(0, ground + 4, width, 200, '#000')}</clipPath>` +
      `<g clip-path="url(#wet)" opacity=".32">${group(`translate(${cx} ${ground + 2}) scale(1 -1)`, scene.art)}</g>` +
      glints(11, 0, width, ground + 8, 180, '#0F7A5C') +
      rain(4, width, height, 190, '#BFEBDD'),
  }
}

/** A sky full of lanterns, each pair's own colours, over the quad. */
function parolSky(frame: Frame): Scene {
  const { width, height, ground, cx } = frame
  const random = randomFrom(12)
  const colors = [
    ...schools.map(({ a, t, b }) => ({ rim: a, light: t, heart: b })),
    { rim: '#7B3FE4', light: '#D7B8FF', heart: signal },
    { rim: phoenix.a, light: signal, heart: '#FF5D4D' },
  ]
  const step = 62
  const hung: string[] = []
  for (let row = 0; row * step < ground - 66; row++)
    for (let x = row % 2 ? 8 : 36; x < width; x += step) {
      const color = colors[Math.floor(random() * colors.length)]
      const far = random()
      if (color)
        hung.push(parol(x + random() * 12 - cx, row * step + 18 + random() * 20 - ground, 11 + far * 11, color, 300))
    }
  return {
    back: `${lit(frame, '#7A2A8A', '#120820', '#C23A7A', 130)}${stars(5, 0, width, ground - 60, Math.round(height / 4))}<defs>${linear(
      'floor',
      [0, 0, 0, 1],
      [
        [0, phoenix.b, 0.5],
        [1, '#C23A7A', 0],
      ],
    )}</defs>`,
    art:
      hung.join('') +
      skyline(91, -cx, width, 0, 40, '#1C0D30', '#B0601E') +
      floor(frame, phoenix.b) +
      path(`M-90 1H90L130 ${height - ground}H-130Z`, 'url(#floor)') +
      glints(17, -cx, width, 8, height - ground - 8, '#4A1E78') +
      path('M-26-12h34V0h-34z', '#0E0618') +
      figure({ id: 'f1', pose: reacher, x: -9, y: -12, height: 62, rim: '#FFB54A', from: 1 }) +
      bulbs(
        [
          [-cx - 10, -70],
          [0, -96],
          [width - cx + 10, -70],
        ],
        8,
        16,
      ),
  }
}

const drawn: readonly (readonly [wide: Scene, tall: Scene])[] = [
  [rooftop(wide), tallRooftop()],
  [emptyCourt(wide), tallCourt()],
  [lastTrip(wide), tallTrip()],
  [rainyCoop(wide), tallCoop()],
  [parolSky(wide), parolSky(tall)],
]

/** The wallpapers as SVG texts, by number from 1: for desktops 384×216 units, for phones 324×720. */
export function wallpapers(): { wide: string; tall: string }[] {
  return drawn.map(([desktop, handset]) => ({ wide: poster(wide, desktop), tall: poster(tall, handset) }))
}
