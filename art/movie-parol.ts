import { around, halftone } from './halftone.ts'
import { word } from './lettering.ts'
import { parol, star } from './parol.ts'
import { stars } from './scenery.ts'
import { black, circle, disc, group, n, paper, path, phoenix, radial, rect, signal, stroke, svg } from './svg.ts'

const width = 400
const height = 225
const cx = 262
const cy = 104
const r = 70
const bamboo = '#E9C98A'

const night =
  `<defs>${radial('room', cx, cy, 260, [
    [0, '#4A1E78'],
    [1, '#120820'],
  ])}${radial('glow', cx, cy, 190, [
    [0, '#FFB54A', 0.95],
    [0.4, '#FF8A5C', 0.45],
    [1, '#C23A7A', 0],
  ])}</defs>` +
  rect(0, 0, width, height, 'url(#room)') +
  stars(9, 0, width, 150, 60)
const dots = halftone({ width, height, pitch: 12, steps: 7 }, '#FFB54A', around(cx, cy, 175), ' opacity=".7"')

const smooth = (x: number) => x * x * (3 - 2 * x)
/** How far a step is done at `t`, 0 to 1. */
const done = (t: number, from: number, to: number) => smooth(Math.max(0, Math.min(1, (t - from) / (to - from))))

const tip = (i: number, radius = r) => {
  const angle = ((-90 + i * 72) * Math.PI) / 180
  return [cx + radius * Math.cos(angle), cy + radius * Math.sin(angle)] as const
}

/** The five sticks, laid one after the other. */
function sticks(part: number): string {
  return [0, 2, 4, 1, 3]
    .map((from, i) => {
      const share = Math.max(0, Math.min(1, part * 5 - i))
      if (share === 0) return ''
      const [x1, y1] = tip(from)
      const [x2, y2] = tip((from + 2) % 5)
      return stroke(
        `M${n(x1)} ${n(y1)}L${n(x1 + (x2 - x1) * share)} ${n(y1 + (y2 - y1) * share)}`,
        bamboo,
        4,
        ' stroke-linecap="round"',
      )
    })
    .join('')
}

/** A second star on the first, a finger apart, held by short pegs. */
function depth(part: number): string {
  if (part === 0) return ''
  const pegs = Array.from({ length: 5 }, (_, i) => {
    const [x, y] = tip(i, r * 0.42)
    return `M${n(x)} ${n(y)}l${n(9 * part)} ${n(-6 * part)}`
  }).join('')
  return (
    group(`translate(${n(9 * part)} ${n(-6 * part)})`, `<g opacity=".55">${sticks(1)}</g>`) +
    stroke(pegs, paper, 2.4, ' stroke-linecap="round"')
  )
}

/** The hoop, bent around the tips. */
function hoop(part: number): string {
  const length = 2 * Math.PI * r * 0.86
  return part === 0
    ? ''
    : stroke(disc(cx, cy, r * 0.86), phoenix.a, 4.4, ` stroke-dasharray="${n(length * part)} ${n(length)}"`)
}

/** Five sheets of paper, one a corner, then the heart. */
function sheets(part: number): string {
  const shown = Math.min(5, Math.floor(part * 6))
  const wedge = (i: number) => {
    const [x, y] = tip(i)
    const side = (turn: number) => {
      const angle = ((-90 + i * 72 + turn * 36) * Math.PI) / 180
      return `${n(cx + r * 0.46 * Math.cos(angle))} ${n(cy + r * 0.46 * Math.sin(angle))}`
    }
    return `M${cx} ${cy}L${side(-1)}L${n(x)} ${n(y)}L${side(1)}z`
  }
  const list = Array.from({ length: shown }, (_, i) => wedge(i)).join('')
  return (
    (list && path(list, '#B79A2A') + stroke(list, '#6B4E10', 1)) +
    (part >= 1 ? path(star(cx, cy, r * 0.5, r * 0.24), '#A83A30') : '')
  )
}

const STEPS: readonly (readonly [from: number, to: number, text: string])[] = [
  [0.06, 0.24, 'Five sticks'],
  [0.24, 0.38, 'A second star'],
  [0.38, 0.52, 'One hoop'],
  [0.52, 0.7, 'Five sheets of paper'],
  [0.7, 0.84, 'Tails and a lamp'],
]

function stepSign(t: number): string {
  const at = STEPS.findIndex(([from, to]) => t >= from && t < to)
  const step = STEPS[at]
  if (step === undefined) return ''
  return (
    path('M16 16h36v36H16z', paper) +
    word(String(at + 1), { x: 34, y: 45.5, size: 36, fill: black, anchor: 'middle' }) +
    word(step[2], { x: 62, y: 43, size: 28, fill: paper })
  )
}

/** One moment of building a parol, `t` from 0 to 1: five steps, then the light goes on. */
export function parolFrame(t: number): string {
  const lit = done(t, 0.8, 0.9)
  const breath = lit * (0.92 + 0.08 * Math.sin((t - 0.8) * 50))
  const tails = done(t, 0.7, 0.8)
  const swing = lit * Math.sin((t - 0.84) * 40) * 2.2
  const lines =
    sticks(done(t, 0.06, 0.24)) + depth(done(t, 0.24, 0.38)) + hoop(done(t, 0.38, 0.52)) + sheets(done(t, 0.52, 0.68))
  const finished = parol(cx, cy, r, { rim: phoenix.a, light: signal, heart: '#FF5D4D' }, 14)
  return svg(
    width,
    height,
    night +
      (lit > 0 ? `<g opacity="${n(breath)}">${rect(0, 0, width, height, 'url(#glow)')}${dots}</g>` : '') +
      stroke(`M0 12Q200 30 400 8`, black, 1.6) +
      rect(0, 196, width, 29, '#0E0618') +
      stroke('M0 196.5H400', lit > 0.5 ? '#FFB54A' : '#4A1E78', 1.6) +
      group(
        `rotate(${swing.toFixed(2)} ${cx} 18)`,
        (lit < 1 ? `<g>${lines}</g>` : '') +
          (tails > 0 ? `<g opacity="${n(Math.max(tails * 0.55, lit))}">${finished}</g>` : '') +
          (lit > 0 ? circle(cx, cy, 10, '#FFF8DC', ` opacity="${n(breath)}"`) : ''),
      ) +
      stepSign(t),
  )
}
