import { crest } from './charges.ts'
import { figure } from './figure.ts'
import { around, both, down, halftone } from './halftone.ts'
import { word } from './lettering.ts'
import { blob, oval, poly } from './outline.ts'
import { hanger } from './poses-townsfolk.ts'
import type { Frame, Scene } from './poster.ts'
import { bulbs, pole, skyline, stars, textShade } from './scenery.ts'
import {
  black,
  box,
  circle,
  disc,
  gate,
  group,
  ink,
  linear,
  paper,
  path,
  peak,
  phoenix,
  rect,
  signal,
  stroke,
} from './svg.ts'

const steel = '#C3C8D4'
const shade = '#141a33'

/** A jeepney, 262 long and 122 high, nose to the left at x = 0, tyres on y = 0. */
export function jeepney(): string {
  return load() + cabin() + body() + nose() + wheel(52) + wheel(196)
}

/** What rides on the roof: rack, sacks, a crate, whips with ribbons. */
function load(): string {
  return (
    stroke('M92-106V-116H236V-106M128-116V-106M164-116V-106M200-116V-106', steel, 1.6) +
    path(
      blob([134, -108], [133, -119], [143, -124], [156, -121], [160, -108]) +
        blob([158, -108], [160, -117], [170, -120], [180, -115], [181, -108]) +
        box(190, -124, 30, 16),
      '#4B55A0',
    ) +
    stroke('M205-124v16M190-116h30M146-122l-4 14', gate.t, 0.9, ' opacity=".6"') +
    stroke('M28-56C20-84 16-98 4-112', black, 1.1) +
    path('M5-111c-8 1-9 5-17 3 5-4 6-6 16-5zM13-99c-8 2-9 5-16 5 4-4 6-6 15-7z', phoenix.a)
  )
}

function cabin(): string {
  const heads = [104, 136, 152, 184, 214]
  return (
    path('M84-98H244L240-60H70Z', signal) +
    path('M84-98H244V-90H82Z', '#FF9B1A') +
    path(
      heads
        .map(
          (x, i) =>
            oval([x, -77 - (i % 2) * 2], 5, 6) +
            blob([x - 10, -58, 1], [x - 9, -66], [x - 4, -71], [x + 4, -71], [x + 9, -66], [x + 10, -58, 1]),
        )
        .join(''),
      shade,
    ) +
    // Pillars between the open windows, roof and its visor.
    path(
      box(116, -99, 5, 40) +
        box(166, -99, 5, 40) +
        box(198, -99, 4, 40) +
        box(232, -99, 14, 40) +
        poly([66, -62], [71, -62], [89, -99], [83, -99]),
      ink,
    ) +
    path('M72-108Q74-113 84-113H246q6 0 6 7v8H70z', gate.a) +
    path('M70-100H252v3H70z', paper) +
    path('M58-116H122l-4 17H64z', ink) +
    path('M60-114.5H119.5l-3.3 14H65z', signal) +
    word('TAMBAYAN', { x: 91.5, y: -102.8, size: 14, fill: ink, anchor: 'middle' })
  )
}

function body(): string {
  return (
    path('M62-63H246V-22H62Z', steel) +
    path('M62-63H246V-59H62Z', paper) +
    path('M62-56H246V-47H62Z', gate.a) +
    path('M62-56H132l-14 9H62Z', phoenix.a) +
    path('M188-56H246V-47H174Z', peak.a) +
    path('M118-47l14-9h5l-14 9zM174-47l14-9h5l-14 9z', signal) +
    path('M62-45H246V-43H62Z', ink) +
    path('M62-35H246V-31H62Z', phoenix.a) +
    path('M62-29H246V-27H62Z', signal) +
    path('M66-22a30 24 0 0 1-4-41V-22zM172-20a25 25 0 0 1 48 0z', ink) +
    `<g transform="translate(141 -60) scale(.5)">${crest(0)}</g>` +
    path('M60-24H262v5H60z', ink) +
    rect(246, -60, 3, 40, ink) +
    path('M244-44h6v9h-6z', '#FF5D4D')
  )
}

/** Bonnet, grille, lamp, bumper, and the small horse every bonnet carries. */
function nose(): string {
  return (
    path('M8-56 70-64V-22H8Z', phoenix.a) +
    path('M8-56 70-64V-57L8-49Z', '#FF8A5C') +
    path('M26-40H66v2H26zM26-34H66v2H26z', phoenix.d) +
    path('M3-57H12V-22H3Z', paper) +
    stroke('M3-51H12M3-46H12M3-41H12M3-36H12M3-31H12', steel, 1.4) +
    path('M26-22a27 27 0 0 1 53 0z', ink) +
    path('M-5-28H10v7H-5z', steel) +
    path('M-7-30h5v12h-5z', paper) +
    circle(5, -46, 7.5, ink) +
    circle(4, -46, 6, '#FFF3B8') +
    path(
      blob(
        [22, -58],
        [24, -66],
        [22, -71],
        [27, -75, 1],
        [32, -72],
        [38, -66],
        [46, -67],
        [50, -62, 1],
        [44, -62],
        [40, -59],
        [30, -61],
        [28, -58],
      ),
      paper,
    ) +
    stroke('M23-69l-4 1M30-60l-5-4', paper, 1.6)
  )
}

function wheel(x: number): string {
  return (
    path(disc(x, -17, 17), black) +
    stroke(disc(x, -17, 12.5), '#2C3348', 2) +
    path(disc(x, -17, 7.5), steel) +
    path(disc(x, -17, 3), ink) +
    stroke(`M${x - 11}-27a15 15 0 0 1 13-5`, gate.t, 1.2)
  )
}

const night = '#0C0A24'

/** The last trip home: a full jeepney, one more rider on the step, its lamp on the empty road. */
export function lastTrip(frame: Frame): Scene {
  const { width, height, cx, ground } = frame
  const scale = frame.words ? 0.87 : 0.98
  const left = frame.words ? -95 : -137
  const lampX = cx + left + 4 * scale
  const lampY = ground - 46 * scale
  const back =
    `<defs>${linear(
      'sky',
      [0, 0, 0.3, 1],
      [
        [0, night],
        [0.5, '#221A63'],
        [0.85, '#5A35A8'],
        [1, '#C4508F'],
      ],
    )}${linear(
      'lamp',
      [1, 0, 0, 0],
      [
        [0, '#FFE98A', 0.95],
        [0.25, signal, 0.4],
        [0.6, signal, 0.12],
        [1, signal, 0],
      ],
    )}</defs>` +
    rect(0, 0, width, height, 'url(#sky)') +
    halftone(
      { width, height: ground, pitch: frame.pitch, steps: 7 },
      '#E0569B',
      both(down(40, ground + 30), around(cx + 20, ground, 330, 0.8)),
      ` opacity="${frame.dots}"`,
    ) +
    stars(3, cx - 250, 420, 70, 26) +
    skyline(12, -4, width + 4, ground - 6, 58, '#15103F', '#FFC94A') +
    (frame.words ? textShade(width, height, 350, night) : '')
  const end = width - cx
  const art =
    pole(-118, -4, 150) +
    pole(118, -4, 158) +
    stroke(`M-300-150Q-220-128-133-134Q10-108 103-142Q140-132 ${end}-128M-131-124Q0-98 107-132`, black, 1) +
    bulbs(
      [
        [-118, -128],
        [118, -136],
      ],
      12,
      20,
    ) +
    bulbs(
      [
        [118, -136],
        [end + 60, -120],
      ],
      8,
      20,
    ) +
    path(`M${-cx} -6H${end}V${height - ground}H${-cx}Z`, black) +
    path(`M${-cx} -6H${end}v1.5H${-cx}z`, '#3A2A7C') +
    path(
      `M${-cx} 14h30v2.5h-30zM${-cx + 60} 14h34v2.5h-34zM${-cx + 128} 14h34v2.5h-34zM${-cx + 196} 14h34v2.5h-34zM${-cx + 264} 14h34v2.5h-34zM${-cx + 332} 14h34v2.5h-34zM${-cx + 400} 14h34v2.5h-34zM${-cx + 468} 14h34v2.5h-34zM${-cx + 536} 14h34v2.5h-34z`,
      '#8F7012',
    ) +
    group(
      `translate(${left} 4) scale(${scale})`,
      jeepney() + figure({ id: 'rider', pose: hanger, x: 257, y: -20, height: 80, rim: phoenix.t, from: 1 }),
    ) +
    path('M-112 6H104V9H-112Z', '#241A55')
  const front =
    path(`M${lampX} ${lampY - 4}L${lampX - 270} ${ground - 14}V${height}L${lampX} ${lampY + 4}Z`, 'url(#lamp)') +
    `<circle cx="${lampX}" cy="${lampY}" r="13" fill="#FFF3B8" opacity=".35"/>`
  return { back, art, front }
}
