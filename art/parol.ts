import { disc, n, paper, path, stroke } from './svg.ts'

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
