import { coop, umbrella } from './coop.ts'
import { figure } from './figure.ts'
import { ball, longBanner } from './gallery-rooms.ts'
import { around, both, down, halftone } from './halftone.ts'
import { word } from './lettering.ts'
import { batter, boxer, staffBearer } from './poses-fighters.ts'
import { eater, waiter } from './poses-townsfolk.ts'
import { type Frame, floor, lit } from './poster.ts'
import { truss } from './posters.ts'
import { beam, beamLight, bulbs, glints, pole, rain, skyline, stars, waterTank } from './scenery.ts'
import {
  black,
  box,
  circle,
  gate,
  group,
  linear,
  n,
  paper,
  path,
  peak,
  phoenix,
  rect,
  signal,
  stroke,
  svg,
} from './svg.ts'

const frame: Frame = { width: 400, height: 225, cx: 200, ground: 192, words: false, pitch: 12, dots: 0.7 }
const { width, height, cx, ground } = frame
const middle = (body: string) => group(`translate(${cx} ${ground})`, body)
const smooth = (x: number) => x * x * (3 - 2 * x)

/** A gradient cone from '#FFE9A8' down to nothing. */
const cone = linear(
  'cone',
  [0, 0, 0, 1],
  [
    [0, '#FFE9A8', 0.6],
    [1, '#FFE9A8', 0],
  ],
)

const dusk =
  `<defs>${linear(
    'sky',
    [0, 0, 0, 1],
    [
      [0, '#0A0C13'],
      [1, '#22349A'],
    ],
  )}</defs>${rect(0, 0, width, height, 'url(#sky)')}` +
  halftone(
    { width, height: 150, pitch: 12, steps: 8 },
    '#2B50E8',
    both(down(20, 170), around(cx, 150, 260)),
    ' opacity=".8"',
  ) +
  stars(21, 0, width, 90, 60)

/** Shot one: the school's windows light up one after another; the film's name. */
function schoolAtDusk(t: number): string {
  const bays: readonly (readonly [number, number])[] = [0, 1, 2].flatMap((row) =>
    Array.from({ length: 9 }, (_, i) => [8 + i * 44, 142 + row * 28] as const),
  )
  const panes = ([x, y]: readonly [number, number]) =>
    box(x, y, 10, 16) + box(x + 13, y, 10, 16) + box(x + 26, y, 10, 16)
  const on = bays.filter((_, i) => ((i * 7) % 27) / 27 < t * 0.62)
  const titleAt = smooth(Math.max(0, Math.min(1, (t - 0.16) / 0.2)))
  return (
    dusk +
    path(`M0 130H90v-14h60l50-30 50 30h60v14h90V225H0z`, black) +
    stroke('M150 116l50-30 50 30', '#2B3FA0', 1.6) +
    circle(200, 110, 10, signal) +
    stroke('M200 104v6l5 3', black, 1.8) +
    path(bays.map(panes).join(''), '#171D33') +
    path(on.map(panes).join(''), '#8F7012') +
    path(on.map(([x, y]) => box(x, y, 10, 6) + box(x + 13, y, 10, 6) + box(x + 26, y, 10, 6)).join(''), signal) +
    `<g opacity="${n(titleAt)}">${word('One night on campus', { x: 200, y: 62 - 6 * titleAt, size: 50, fill: paper, anchor: 'middle' })}</g>`
  )
}

const hall = `${lit(frame, '#E0561A', '#180805', '#FFB54A', 84)}<defs>${cone}</defs>`
const hallFront = truss(-196, 202)
const hallFloor = floor(frame, phoenix.b) + glints(5, -190, 380, 12, 18, '#7A2A10')

/** Shot two: the empty court; somebody's ball comes bouncing through. */
function emptyHall(t: number): string {
  const sway = (phase: number) => Math.sin(t * 9 + phase) * 1.6
  const x = -190 + t * 400
  const hop = Math.abs(Math.sin(t * Math.PI * 4.5)) * 74 * (1 - t * 0.5)
  const banner = (school: 0 | 1 | 2, at: number, y: number, scale: number) =>
    group(`rotate(${sway(school * 2).toFixed(2)} ${at} ${y})`, longBanner(school, at, y, scale))
  return (
    hall +
    middle(
      path('M-118-158-176 0H-60ZM118-158 60 0H176ZM0-176-64 0H64Z', 'url(#cone)') +
        hallFront +
        banner(0, -100, -142, 0.78) +
        banner(1, 0, -156, 0.86) +
        banner(2, 100, -142, 0.78) +
        hallFloor +
        path(`M${n(x - 12 + hop / 12)} 2h${n(24 - hop / 6)}v2.4h${n(-24 + hop / 6)}z`, black, ' opacity=".7"') +
        group(`translate(${n(x)} ${n(-10 - hop)}) rotate(${n(t * 900)})`, ball(0, 0, 10)),
    )
  )
}

const street =
  lit(frame, '#17A37C', '#04120E', '#1FC596', 70) + skyline(29, -4, width + 8, ground, 120, '#063A2B', '#8F7012')
const shop =
  pole(-150, 0, 172) +
  bulbs(
    [
      [-150, -160],
      [-40, -140],
    ],
    8,
    17,
  ) +
  bulbs(
    [
      [60, -140],
      [210, -160],
    ],
    8,
    17,
  ) +
  coop() +
  word('SARI-SARI', { x: 0, y: -126.5, size: 21, fill: paper, anchor: 'middle', tracking: 1.5 }) +
  floor(frame, signal) +
  glints(11, -190, 390, 6, 24, '#D9A514') +
  figure({ id: 'w', pose: waiter, x: -58, y: 4, height: 100, rim: peak.t, from: -1 }) +
  group('translate(-61 -97) rotate(-7)', umbrella(phoenix.a, phoenix.t)) +
  figure({ id: 'e', pose: eater, x: 26, y: 4, height: 100, rim: '#FFE68A', from: 1 })
const drops =
  rain(4, width, height, 60, '#BFEBDD') + group(`translate(0 ${-height})`, rain(5, width, height, 60, '#BFEBDD'))

/** Shot three: rain at the co-op. */
function rainFalls(t: number): string {
  const fall = (t * 9) % 1
  const rings = [40, 128, 262, 330]
    .map((x, i) => {
      const age = (t * 5 + i * 0.27) % 1
      return `<ellipse cx="${x}" cy="${205 + (i % 2) * 10}" rx="${n(2 + age * 14)}" ry="${n(0.8 + age * 3.4)}" fill="none" stroke="#BFEBDD" stroke-width="1" opacity="${n(0.8 * (1 - age))}"/>`
    })
    .join('')
  return (
    street +
    middle(shop) +
    rings +
    group(`translate(${n(-fall * 55)} ${n(fall * height)})`, drops) +
    group(`translate(${n(width - fall * 55)} ${n(fall * height)})`, drops)
  )
}

const sky =
  `<defs>${linear(
    'sky',
    [0, 0, 0.25, 1],
    [
      [0, '#0B1136'],
      [0.55, '#16246F'],
      [1, '#2B50E8'],
    ],
  )}${beamLight('g', '#8FA6FF', 0.75)}${beamLight('j', '#2FC79A', 0.75)}${beamLight('p', '#FF6A45', 0.75)}</defs>` +
  rect(0, 0, width, height, 'url(#sky)') +
  halftone({ width, height, pitch: 12, steps: 7 }, gate.a, around(cx, ground - 60, 330, 0.9), ' opacity=".8"') +
  stars(14, 0, width, 90, 40)
const town = skyline(7, -4, width + 8, ground, 46, '#101A50', '#C99A1A')
const crew =
  skyline(31, -130, 240, 0, 22, '#0C1440') +
  waterTank(118, 0, gate.t) +
  path(`M-200 0H200V${height - ground}H-200Z`, black) +
  stroke('M-200 .5H200', signal, 1.6) +
  figure({ id: 'f1', pose: batter, x: -50, y: 0, height: 116, rim: gate.t, from: 1 }) +
  figure({ id: 'f2', pose: staffBearer, x: 2, y: 0, height: 112, rim: peak.t, from: 1 }) +
  figure({ id: 'f3', pose: boxer, x: 56, y: 0, height: 117, rim: phoenix.t, from: -1 })

/** Shot four: the moon comes up behind the three on the roof, the searchlights sweep. */
function roof(t: number): string {
  const moonY = -16 - 78 * smooth(Math.min(1, t * 1.25))
  const sweep = (phase: number) => Math.sin(t * 4 + phase) * 46
  return (
    sky +
    beam(62, ground - 10, -40 + sweep(0), 190, 26, 'g') +
    beam(112, ground - 10, 10 + sweep(2), 190, 22, 'j') +
    beam(330, ground - 10, 20 + sweep(4), 190, 28, 'p') +
    town +
    middle(circle(0, moonY, 95, signal, ' opacity=".12"') + circle(0, moonY, 84, signal) + crew)
  )
}

const SHOTS = [schoolAtDusk, emptyHall, rainFalls, roof] as const
/** How much of a shot fades in from black, and out to it. */
const FADE = 0.07

/** One moment of the night, `t` from 0 to 1. */
export function nightFrame(t: number): string {
  const at = Math.min(SHOTS.length - 1, Math.floor(t * SHOTS.length))
  const within = t * SHOTS.length - at
  const dark = Math.max(0, 1 - within / FADE, 1 - (1 - within) / FADE)
  const shot = SHOTS[at]?.(within) ?? ''
  return svg(width, height, shot + (dark > 0 ? rect(0, 0, width, height, '#0A0C13', ` opacity="${n(dark)}"`) : ''))
}
