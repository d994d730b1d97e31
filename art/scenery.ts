import type { Point } from './outline.ts'
import { black, box, linear, n, paper, path, randomFrom, rect, signal, stroke } from './svg.ts'

/** A wire hanging from point to point with bulbs on it: one wire, one path of glows, one of cores. */
export function bulbs(posts: readonly Point[], sag: number, gap: number, wire = black): string {
  const dots: Point[] = []
  const first = posts[0] ?? [0, 0]
  let d = `M${n(first[0])} ${n(first[1])}`
  posts.slice(1).forEach(([x, y], i) => {
    const [fromX, fromY] = posts[i] ?? [0, 0]
    const midX = (fromX + x) / 2
    const midY = (fromY + y) / 2 + sag * 2
    d += `Q${n(midX)} ${n(midY)} ${n(x)} ${n(y)}`
    const count = Math.max(2, Math.round(Math.hypot(x - fromX, y - fromY) / gap))
    for (let k = 0; k < count; k++) {
      const t = (k + 0.5) / count
      const s = 1 - t
      dots.push([s * s * fromX + 2 * s * t * midX + t * t * x, s * s * fromY + 2 * s * t * midY + t * t * y + 2.6])
    }
  })
  const round = (width: number, color: string, more = '') =>
    stroke(dots.map(([x, y]) => `M${n(x)} ${n(y)}h.1`).join(''), color, width, ` stroke-linecap="round"${more}`)
  return (
    stroke(d, wire, 1.1) +
    round(12, signal, ' opacity=".14"') +
    round(7.5, signal, ' opacity=".28"') +
    round(3.6, '#FFE98A')
  )
}

/** A searchlight's beam from a lamp, leaning `lean` px over its length. Needs the gradient from `beamLight`. */
export function beam(x: number, y: number, lean: number, length: number, spread: number, id: string): string {
  return path(
    `M${n(x - 3)} ${n(y)}L${n(x + lean - spread)} ${n(y - length)}H${n(x + lean + spread)}L${n(x + 3)} ${n(y)}Z`,
    `url(#${id})`,
  )
}

/** The paint of one beam: its colour at the lamp, nothing at the far end. */
export function beamLight(id: string, color: string, strength = 0.6): string {
  return linear(
    id,
    [0, 1, 0, 0],
    [
      [0, color, strength],
      [1, color, 0],
    ],
  )
}

/** Roofs against the sky: one path of houses from x to x + width standing on `ground`, and one of lit windows. */
export function skyline(
  seed: number,
  x: number,
  width: number,
  ground: number,
  tall: number,
  color: string,
  lit = '',
): string {
  const random = randomFrom(seed)
  let d = ''
  let windows = ''
  for (let at = x; at < x + width; ) {
    const w = 16 + Math.round(random() * 26)
    const h = Math.round(tall * (0.35 + 0.65 * random()))
    d += `M${at} ${ground}v${-h}h${w}v${h}z`
    const roof = random()
    if (roof > 0.75) d += box(at + 4, ground - h - 7, 8, 7)
    else if (roof > 0.5) d += `M${at + w / 2} ${ground - h}v-11h1v11z`
    else if (roof > 0.35) d += `M${at} ${ground - h}l${w / 2}-7 ${w / 2} 7z`
    for (let wy = ground - h + 6; wy < ground - 6; wy += 9)
      for (let wx = at + 4; wx < at + w - 5; wx += 7) if (random() > 0.78) windows += `M${wx} ${wy}h3v4h-3z`
    at += w + (random() > 0.7 ? 4 : 0)
  }
  return path(d, color) + (lit && path(windows, lit))
}

/** The roof's water tank on its legs, standing at x on `y`. */
export function waterTank(x: number, y: number, edge: string): string {
  const body = `M${x} ${y - 58}h46v-38h-46zM${x - 2} ${y - 96}l8-9h34l8 9zM${x + 18} ${y - 109}h10v5h-10z`
  return (
    stroke(
      `M${x + 4} ${y}l5-60M${x + 42} ${y}l-5-60M${x + 23} ${y}v-60M${x + 6} ${y - 26}l33-22M${x + 40} ${y - 26}l-33-22M${x + 5} ${y - 26}h36`,
      black,
      2.4,
    ) +
    path(body, black) +
    stroke(`M${x} ${y - 70}h46M${x} ${y - 83}h46`, edge, 1, ' opacity=".55"') +
    stroke(`M${x - 1} ${y - 96}l8-9M${x} ${y - 58}v-38`, edge, 1.6)
  )
}

/** Slanted rain: two paths of strokes, near and far. */
export function rain(seed: number, width: number, height: number, count: number, color: string): string {
  const random = randomFrom(seed)
  const drops = (amount: number, length: number) => {
    let d = ''
    for (let i = 0; i < amount; i++)
      d += `M${Math.round(random() * width)} ${Math.round(random() * height)}l${n(-length / 4)} ${length}`
    return d
  }
  return (
    stroke(drops(count, 9), color, 0.7, ' opacity=".4"') +
    stroke(drops(Math.round(count / 2), 17), color, 1, ' opacity=".55"')
  )
}

/** Points of light in the night sky above `height`. */
export function stars(seed: number, x: number, width: number, height: number, count: number): string {
  const random = randomFrom(seed)
  let d = ''
  for (let i = 0; i < count; i++) d += box(Math.round(x + random() * width), Math.round(random() * height), 1.2, 1.2)
  return path(d, paper, ' opacity=".55"')
}

/** A post with two cross-arms and insulators. */
export function pole(x: number, y: number, height: number, color = black): string {
  const top = y - height
  return (
    path(
      `M${x - 2} ${y}l.6${-height}h2.8l.6 ${height}zM${x - 15} ${top + 8}h30v2.4h-30zM${x - 11} ${top + 18}h22v2.2h-22z`,
      color,
    ) + path([-13, -6, 6, 13].map((at) => box(x + at - 1, top + 4, 2, 4)).join(''), color)
  )
}

/** The night ground that keeps the headline readable: ink from the left edge, gone at `to`. */
export function textShade(width: number, height: number, to: number, color: string): string {
  return `<defs>${linear(
    'shade',
    [0, 0, 1, 0],
    [
      [0, color, 0.96],
      [0.5, color, 0.8],
      [1, color, 0],
    ],
  )}</defs>${rect(0, 0, Math.min(width, to), height, 'url(#shade)')}`
}

/** Dashes of light on a wet or polished floor. */
export function glints(seed: number, x: number, width: number, y: number, height: number, color: string): string {
  const random = randomFrom(seed)
  let d = ''
  for (let row = 0; row * 6 < height; row++)
    for (let at = x + random() * 30; at < x + width; at += 18 + random() * 46)
      d += `M${n(at)} ${n(y + row * 6)}h${n(8 + random() * 22)}`
  return stroke(d, color, 1.4)
}
