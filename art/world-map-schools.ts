import { blob, oval } from './outline.ts'
import { black, gate, paper, path, peak, phoenix, signal, stroke } from './svg.ts'
import { Ground, type Tones } from './world-map-iso.ts'

const glow = '#FFE08A'

/** Sacred Gate: two arcaded wings around a court of blue tiles, a tower where they meet, the arch in front. */
export function mapGate(x: number, y: number): string {
  const g = new Ground(x, y)
  const walls: Tones = ['#3B60F0', gate.d, '#111C5C']
  const tiles = [25, 50, 75, 100, 125]
    .map(
      (v) =>
        `M${g.at([v, 0]).join(' ')}L${g.at([v, 150]).join(' ')}M${g.at([0, v]).join(' ')}L${g.at([150, v]).join(' ')}`,
    )
    .join('')
  return (
    g.box([-8, -8, -10], 166, 166, 10, ['#0F1B52', '#0B133C', '#080E2C']) +
    path(g.face([0, 0], [150, 0], [150, 150], [0, 150]), '#2343B8') +
    stroke(tiles, '#5C7BFF', 1.6, ' opacity=".55"') +
    g.box([0, 0], 36, 150, 58, walls) +
    g.box([36, 0], 114, 36, 58, walls) +
    path(g.rightPanes([36, 42, 6], 104, 5, 13, 40, true) + g.leftPanes([42, 36, 6], 104, 5, 13, 40, true), glow) +
    path(g.leftPanes([2, 150, 6], 32, 2, 9, 36, true) + g.rightPanes([150, 2, 6], 32, 2, 9, 36, true), '#C99A1A') +
    stroke(
      `M${g.at([36, 150, 58]).join(' ')}L${g.at([36, 36, 58]).join(' ')}L${g.at([150, 36, 58]).join(' ')}`,
      gate.b,
      3,
    ) +
    g.box([-4, -4], 48, 48, 112, ['#3B60F0', '#21399F', '#131F63']) +
    path(g.leftPanes([0, 44, 70], 40, 2, 11, 30, true) + g.rightPanes([44, 0, 70], 40, 2, 11, 30, true), glow) +
    g.hip([-10, -10, 112], 60, 60, 52, gate.b, '#A37E2C') +
    g.box([48, 150], 14, 12, 66, ['#3B60F0', gate.a, gate.d]) +
    g.box([98, 150], 14, 12, 66, ['#3B60F0', gate.a, gate.d]) +
    g.box([44, 150, 62], 72, 12, 16, [gate.b, '#C79B3B', '#8C6A22']) +
    path(g.face([62, 162], [98, 162], [98, 162, 50], [80, 162, 61], [62, 162, 50]), '#0A1140')
  )
}

/** Mystic Peak: rice below, classrooms above, five steps up to the library's roof. */
export function mapPeak(x: number, y: number): string {
  const g = new Ground(x, y)
  const steps = [0, 1, 2, 3].map((s) => ({ from: s * 21, size: 196 - s * 42, k: s * 30 }))
  const bodies = steps
    .map(({ from, size, k }, s) => {
      const tones: Tones = [s % 2 ? '#0C7359' : '#0A6A51', '#064636', '#04352A']
      const rows = stroke(
        [7, 14]
          .map(
            (d) =>
              `M${g.at([from + d, from + size - d, k + 30]).join(' ')}L${g.at([from + size - d, from + size - d, k + 30]).join(' ')}`,
          )
          .join(''),
        '#2FA983',
        2,
      )
      const lit = s === 0 ? '' : path(g.rightPanes([from + size, from + 8, k + 8], size - 16, 6 - s, 12, 13), glow)
      const dim = path(
        g.leftPanes([from + 8, from + size, k + 8], size - 16, 7 - s, 10, 13),
        s % 2 ? '#B98F22' : '#0B6B53',
      )
      const edge = stroke(
        `M${g.at([from, from + size, k + 30]).join(' ')}L${g.at([from + size, from + size, k + 30]).join(' ')}L${g.at([from + size, from, k + 30]).join(' ')}`,
        peak.b,
        s === 3 ? 3 : 2,
        ' opacity=".8"',
      )
      return g.box([from, from, k], size, size, 30, tones) + (s < 3 ? rows : '') + lit + dim + edge
    })
    .join('')
  return (
    bodies +
    g.box([74, 74, 120], 48, 48, 34, ['#0E8565', peak.d, '#04402F']) +
    path(g.leftPanes([76, 122, 126], 44, 3, 9, 20) + g.rightPanes([122, 76, 126], 44, 3, 9, 20), glow) +
    g.hip([64, 64, 154], 68, 68, 40, peak.b, '#8FA3A8') +
    stroke(`M${g.at([98, 98, 194]).join(' ')}v-22`, peak.b, 3)
  )
}

/** Bands of mist before the steps. */
export function mist(x: number, y: number): string {
  return path(
    [
      [-150, 62, 96],
      [-10, 104, 120],
      [126, 48, 84],
    ]
      .map(([dx = 0, dy = 0, w = 0]) => oval([x + dx, y + dy], w, 9))
      .join(''),
    peak.b,
    ' opacity=".16"',
  )
}

/** Phoenix: saw-tooth workshops, two chimneys, the canteen, a stubborn tree; scaffolding, since something is always being rebuilt. */
export function mapPhoenix(x: number, y: number): string {
  const g = new Ground(x, y)
  const walls: Tones = ['#E04A24', phoenix.d, phoenix.field]
  const teeth = [0, 1, 2, 3]
    .map((t) => {
      const from = t * 36
      const slope = (u: number, v: number, p: number, q: number) =>
        g.face(
          [from + 36 * p, u, 52 + 24 * (1 - p)],
          [from + 36 * p, v, 52 + 24 * (1 - p)],
          [from + 36 * q, v, 52 + 24 * (1 - q)],
          [from + 36 * q, u, 52 + 24 * (1 - q)],
        )
      return (
        path(slope(0, 78, 0, 1), phoenix.a) +
        path(slope(10, 34, 0.25, 0.75) + slope(44, 68, 0.25, 0.75), phoenix.b) +
        path(g.face([from, 78, 52], [from + 36, 78, 52], [from, 78, 76]), '#9A2410')
      )
    })
    .join('')
  const chimney = (i: number, j: number, h: number) =>
    g.box([i, j], 16, 16, h, ['#2A0B05', '#A8300F', '#6B1708']) +
    path(g.face([i, j + 16, h - 24], [i + 16, j + 16, h - 24], [i + 16, j + 16, h - 14], [i, j + 16, h - 14]), paper) +
    path(
      g.face([i + 16, j, h - 24], [i + 16, j + 16, h - 24], [i + 16, j + 16, h - 14], [i + 16, j, h - 14]),
      '#B9B2A2',
    )
  const [tx, ty] = g.at([110, 118])
  return (
    g.box([-8, -8, -10], 166, 166, 10, ['#3A1208', '#2A0C05', '#1D0803']) +
    chimney(6, 8, 168) +
    chimney(44, 4, 146) +
    g.box([0, 0], 144, 78, 52, walls) +
    path(g.leftPanes([6, 78, 12], 132, 7, 11, 26), glow) +
    path(g.rightPanes([144, 6, 12], 66, 3, 13, 26), '#FF9B1A') +
    teeth +
    g.box([0, 96], 62, 54, 38, walls) +
    path(g.leftPanes([4, 150, 8], 54, 3, 12, 20) + g.rightPanes([62, 100, 8], 46, 3, 10, 20), phoenix.b) +
    stroke(
      [0, 18, 36, 54].map((d) => `M${g.at([d, 154]).join(' ')}v-58`).join('') +
        [18, 40, 56].map((k) => `M${g.at([-4, 154, k]).join(' ')}L${g.at([60, 154, k]).join(' ')}`).join(''),
      phoenix.b,
      1.8,
      ' opacity=".75"',
    ) +
    stroke(`M${tx} ${ty}v-30M${tx} ${ty - 16}l10-12M${tx} ${ty - 12}l-9-10`, black, 5) +
    path(
      blob([tx - 26, ty - 36], [tx - 8, ty - 62], [tx + 18, ty - 56], [tx + 28, ty - 34], [tx, ty - 24]),
      phoenix.b,
    ) +
    path(blob([tx - 14, ty - 40], [tx, ty - 54], [tx + 16, ty - 42], [tx, ty - 34]), signal)
  )
}

/** Smoke over a chimney. */
export function smoke(x: number, y: number): string {
  return path(
    oval([x, y], 11, 8) + oval([x + 16, y - 18], 16, 11) + oval([x + 42, y - 38], 22, 13),
    '#FFC2A8',
    ' opacity=".22"',
  )
}
