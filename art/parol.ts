import { figure } from './figure.ts'
import { around, halftone } from './halftone.ts'
import { captain } from './poses-fighters.ts'
import { reacher, waiter } from './poses-townsfolk.ts'
import type { Frame, Scene } from './poster.ts'
import { bulbs, stars, textShade } from './scenery.ts'
import { black, box, disc, gate, linear, n, paper, path, peak, phoenix, radial, rect, signal, stroke } from './svg.ts'

/** A five-pointed star as path data. */
export function star(cx: number, cy: number, outer: number, inner: number, turn = -90): string {
  const points = Array.from({ length: 10 }, (_, i) => {
    const r = i % 2 ? inner : outer
    const angle = ((turn + i * 36) * Math.PI) / 180
    return `${n(cx + r * Math.cos(angle))} ${n(cy + r * Math.sin(angle))}`
  })
  return `M${points.join('L')}Z`
}

interface ParolColors {
  readonly rim: string
  readonly light: string
  readonly heart: string
}

/** A paper lantern: star, hoop, inner star with its folds, two tails of tassels, a wire of `wire` px above it. */
export function parol(cx: number, cy: number, r: number, { rim, light, heart }: ParolColors, wire: number): string {
  const spokes = Array.from({ length: 5 }, (_, i) => {
    const angle = ((-90 + i * 72) * Math.PI) / 180
    return `M${n(cx)} ${n(cy)}L${n(cx + r * Math.cos(angle))} ${n(cy + r * Math.sin(angle))}`
  }).join('')
  const tails = [-1, 1]
    .map((side) => {
      const angle = ((90 + side * 36) * Math.PI) / 180
      const x = cx + r * Math.cos(angle)
      const y = cy + r * Math.sin(angle)
      const w = r * 0.12
      return `M${n(x - w)} ${n(y)}h${n(2 * w)}l${n(w * 0.6)} ${n(r * 0.62)}l${n(-w)}-${n(r * 0.12)}l${n(-w * 0.6)} ${n(r * 0.12)}l${n(-w * 0.6)}-${n(r * 0.12)}l${n(-w)} ${n(r * 0.12)}z`
    })
    .join('')
  return (
    stroke(`M${n(cx)} ${n(cy - r - wire)}v${n(wire)}`, paper, 1, ' opacity=".6"') +
    path(tails, heart) +
    stroke(disc(cx, cy, r * 0.86), rim, r * 0.07) +
    path(star(cx, cy, r, r * 0.46), rim) +
    path(star(cx, cy, r * 0.82, r * 0.38), light) +
    (r < 30 ? '' : path(star(cx, cy, r * 0.5, r * 0.24), heart) + stroke(spokes, rim, r * 0.035)) +
    path(disc(cx, cy, r * 0.11), paper)
  )
}

const night = '#120820'

/** Parol lantern night: the big lantern goes up over the quad, the school's windows behind it. */
export function parolNight(frame: Frame): Scene {
  const { width, height, cx, ground } = frame
  const big = { x: cx + 4, y: ground - 106 }
  const back =
    `<defs>${radial('glow', big.x, big.y, 280, [
      [0, '#FF8A5C'],
      [0.22, '#C23A7A'],
      [0.55, '#4A1E78'],
      [1, night],
    ])}${linear(
      'floor',
      [0, 0, 0, 1],
      [
        [0, '#FFB54A', 0.55],
        [1, '#C23A7A', 0],
      ],
    )}</defs>` +
    rect(0, 0, width, height, 'url(#glow)') +
    halftone(
      { width, height: ground, pitch: frame.pitch, steps: 7 },
      '#FFB54A',
      around(big.x, big.y, 175),
      ` opacity="${frame.dots}"`,
    ) +
    stars(9, cx - 260, 420, 90, 24) +
    (frame.words ? textShade(width, height, 350, night) : '')
  const end = width - cx
  const art =
    school(end) +
    bulbs(
      [
        [-190, -150],
        [4, -184],
        [end + 20, -150],
      ],
      6,
      18,
    ) +
    small(-112, -104, gate.a, gate.t, gate.b, 50) +
    small(-66, -130, phoenix.a, phoenix.t, signal, 34) +
    small(78, -128, peak.a, peak.t, peak.b, 36) +
    small(126, -102, '#7B3FE4', '#D7B8FF', signal, 56) +
    parol(4, -106, 50, { rim: phoenix.a, light: signal, heart: '#FF5D4D' }, 80) +
    path(`M-190 0H${end}V${height - ground}H-196Z`, black) +
    path(`M-120 1H128L150 ${height - ground}H-150Z`, 'url(#floor)') +
    stroke(`M-186 .5H${end}`, '#FFB54A', 1.4) +
    figure({ id: 'f1', pose: captain, x: -86, y: 4, height: 96, rim: gate.t, from: 1 }) +
    path('M-12-12h34V4h-34zM-8-12h26v-3H-8z', '#1A0B26') +
    figure({ id: 'f2', pose: reacher, x: 6, y: -12, height: 58, rim: '#FFB54A', from: -1 }) +
    figure({ id: 'f3', pose: waiter, x: 88, y: 4, height: 92, rim: phoenix.t, from: -1, flip: true }) +
    small(92.5, -108, '#1FA37C', '#BFF5E2', signal, 0, 12)
  return { back, art }
}

function small(x: number, y: number, rim: string, light: string, heart: string, wire: number, r = 17): string {
  return parol(x, y, r, { rim, light, heart }, wire)
}

/** A low wing of the school: eaves, columns, louvred bays. */
function school(end: number): string {
  let bays = ''
  let lit = ''
  for (let x = -180, i = 0; x < end; x += 22, i++) {
    if (i % 4 === 3) continue
    if (i % 3) lit += box(x, -44, 14, 20)
    else bays += box(x, -44, 14, 20)
  }
  return (
    path(`M-186-58H${end}V0H-186z`, '#1C0D30') +
    path(`M-194-62H${end}v5H-194z`, '#0E0618') +
    path(bays, '#2C1648') +
    path(lit, '#B0601E') +
    stroke(`M-186-39H${end}M-186-34H${end}M-186-29H${end}`, '#1C0D30', 1.5)
  )
}
