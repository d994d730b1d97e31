import { figure } from './figure.ts'
import { around, halftone } from './halftone.ts'
import { word } from './lettering.ts'
import { blob, oval } from './outline.ts'
import { eater, waiter } from './poses-townsfolk.ts'
import type { Frame, Scene } from './poster.ts'
import { bulbs, glints, pole, rain, textShade } from './scenery.ts'
import { black, box, group, ink, linear, n, paper, path, peak, phoenix, radial, rect, signal, stroke } from './svg.ts'

/** A striped awning, `count` stripes wide, its lower edge scalloped. */
export function awning(
  x: number,
  y: number,
  width: number,
  drop: number,
  count: number,
  first: string,
  second: string,
): string {
  const flare = 12
  const stripe = (i: number) => {
    const top = x + (width * i) / count
    const topEnd = x + (width * (i + 1)) / count
    const foot = x - flare + ((width + 2 * flare) * i) / count
    const footEnd = x - flare + ((width + 2 * flare) * (i + 1)) / count
    const r = (footEnd - foot) / 2
    return `M${n(top)} ${y}H${n(topEnd)}L${n(footEnd)} ${y + drop}a${n(r)} ${n(r * 0.8)} 0 0 1 ${n(-2 * r)} 0Z`
  }
  const even = Array.from({ length: count }, (_, i) => (i % 2 ? '' : stripe(i))).join('')
  const odd = Array.from({ length: count }, (_, i) => (i % 2 ? stripe(i) : '')).join('')
  return path(even, first) + path(odd, second) + path(`M${x} ${y}h${width}v3h${-width}z`, black, ' opacity=".35"')
}

/** The sari-sari co-op, 210 wide, its middle at x = 0, its foot on y = 0. */
export function coop(): string {
  const jars = [-78, -62, -46, 38, 54, 70].map((x) => box(x, -58, 11, 12) + box(x + 2, -61, 7, 3)).join('')
  const packs = [-84, -70, -24, -10, 20, 62, 78]
    .map((x, i) => `M${x} -97v${6 + (i % 3) * 5}h-4v9h9v-9h-4M${x - 4} ${-82 + (i % 3) * 5}h9v9h-9z`)
    .join('')
  const shelf = [-80, -68, -58, -36, -26, 6, 18, 28, 48, 60]
    .map((x, i) => box(x, -82 - (i % 2) * 4, 8, 12 + (i % 2) * 4))
    .join('')
  return (
    path('M-104-110H104V0H-104z', '#0B1512') +
    path('M-104-110h4V0h-4zM100-110h4V0h-4z', '#1B3A31') +
    rect(-92, -98, 184, 60, signal) +
    rect(-92, -98, 184, 22, '#FFE68A') +
    rect(-92, -56, 184, 18, '#FF9B1A') +
    path(shelf, '#B8720A', ' opacity=".55"') +
    path(jars, '#8A4E08') +
    path(packs, phoenix.d) +
    stroke(`${Array.from({ length: 12 }, (_, i) => `M${-92 + i * 16.5} -98v60`).join('')}M-92-70H92`, black, 1.8) +
    path('M-98-40H98v6H-98z', '#1B3A31') +
    path('M-98-40H98v1.5H-98z', '#FFE68A') +
    path('M-96-30H-8V-4H-96zM0-30H96V-4H0z', '#10241E') +
    path(`${oval([-52, -17], 9, 9)}M20-24h56v14H20z`, '#1B3A31') +
    awning(-108, -122, 216, 24, 12, peak.a, paper) +
    path('M-60-144H60v24H-60z', ink) +
    path('M-57-141H57v18H-57z', phoenix.a)
  )
}

/** An open umbrella, its pole at x = 0, its rim on y = 0. */
export function umbrella(color: string, edge: string): string {
  return (
    path('M-34 0C-18-9 18-9 34 0 18-16-18-16-34 0Z', black) +
    path(
      'M-34 0C-32-19-16-28 0-29 16-28 32-19 34 0 29-5 24-5 20 0 15-5 7-5 3 0H-3C-7-5-15-5-20 0-24-5-29-5-34 0Z',
      color,
    ) +
    stroke('M-34 0C-32-19-16-28 0-29 16-28 32-19 34 0', edge, 1.4) +
    stroke('M0-29v-5M0-29C-12-22-17-12-20-1M0-29C12-22 17-12 20-1', edge, 0.8, ' opacity=".6"')
  )
}

/** A street cat, sitting, tail around. */
export function cat(x: number, y: number): string {
  return `<g transform="translate(${x} ${y})">${path(blob([-6, 0, 1], [-5, -9], [-2, -12], [-4, -18, 1], [-1, -16], [1, -16], [4, -18.5, 1], [4, -12], [7, -6], [8, 0, 1]) + blob([6, -1], [12, -2], [14, -8], [16, -7], [15, 0], [9, 1]), black)}</g>`
}

const wet = '#04120E'

/** Rain at the co-op: a lit window, two who wait for it to stop, a cat that does not mind. */
export function rainyCoop(frame: Frame): Scene {
  const { width, height, cx, ground } = frame
  const back =
    `<defs>${radial('glow', cx, ground - 60, 320, [
      [0, '#17A37C'],
      [0.45, '#0A6A50'],
      [1, wet],
    ])}${linear(
      'spill',
      [0, 0, 0, 1],
      [
        [0, signal, 0.5],
        [1, signal, 0],
      ],
    )}</defs>` +
    rect(0, 0, width, height, 'url(#glow)') +
    halftone(
      { width, height: ground, pitch: frame.pitch, steps: 7 },
      '#1FC596',
      around(cx, ground - 70, 300, 0.8),
      ` opacity="${frame.dots}"`,
    ) +
    (frame.words ? textShade(width, height, 360, wet) : '')
  const end = width - cx
  const art =
    pole(-140, 0, 172) +
    stroke(`M-300-140Q-220-120-155-160M-125-160Q0-130 ${end}-168`, black, 1.1) +
    coop() +
    word('SARI-SARI', { x: 0, y: -126.5, size: 21, fill: paper, anchor: 'middle', tracking: 1.5 }) +
    path(`M-190 0H${end}V${height - ground}H-196Z`, black) +
    path(`M-92 1H92L112 ${height - ground}H-112Z`, 'url(#spill)') +
    glints(11, -150, 150 + end, 5, height - ground - 4, '#D9A514') +
    bulbs(
      [
        [-140, -150],
        [-60, -130],
      ],
      8,
      17,
    ) +
    bulbs(
      [
        [60, -130],
        [end + 40, -150],
      ],
      8,
      17,
    ) +
    path('M60-16h44v4H60zM64-12h4V0h-4zM96-12h4V0h-4z', black) +
    cat(86, -16) +
    figure({ id: 'f1', pose: waiter, x: -58, y: 4, height: 100, rim: peak.t, from: -1 }) +
    group('translate(-61 -97) rotate(-7)', umbrella(phoenix.a, phoenix.t)) +
    figure({ id: 'f2', pose: eater, x: 26, y: 4, height: 100, rim: '#FFE68A', from: 1 })
  return { back, art, front: rain(4, width, height, frame.words ? 60 : 40, '#BFEBDD') }
}
