import { jeepney } from './jeepney.ts'
import { blob, oval } from './outline.ts'
import { bulbs } from './scenery.ts'
import { black, circle, gate, group, ink, paper, path, peak, phoenix, signal, stroke } from './svg.ts'
import { type Corner, Ground, type Tones } from './world-map-iso.ts'

const glow = '#FFE08A'
const dark: Tones = ['#2A3350', '#171D33', '#10152A']

/** The rooftop: one deck on tall pillars, the tank, the bell in its frame, wires with bulbs to all three schools. */
export function mapRooftop(x: number, y: number): string {
  const g = new Ground(x, y)
  const [bx, by] = g.at([34, 88, 132])
  const [tx, ty] = g.at([74, 34, 132])
  const posts = [
    [8, 112],
    [56, 112],
    [104, 112],
    [112, 60],
    [112, 12],
  ] as const
  return (
    posts.map(([i, j]) => g.box([i, j], 12, 12, 112, ['#2A3350', '#1B2340', '#121831'])).join('') +
    g.box([22, 22], 80, 80, 104, ['#1A2140', '#141A33', '#0E1328']) +
    path(g.leftPanes([26, 102, 14], 72, 4, 10, 16) + g.leftPanes([26, 102, 62], 72, 4, 10, 16), '#B98F22') +
    path(g.rightPanes([102, 26, 38], 72, 4, 10, 16) + g.rightPanes([102, 26, 84], 72, 4, 10, 12), glow) +
    g.box([0, 0, 110], 128, 128, 22, ['#39456E', '#1E2747', '#151C38']) +
    stroke(
      `M${g.at([0, 128, 132]).join(' ')}L${g.at([128, 128, 132]).join(' ')}L${g.at([128, 0, 132]).join(' ')}`,
      signal,
      4,
    ) +
    tank(tx, ty) +
    stroke(`M${bx - 24} ${by + 8}v-58h48v58`, paper, 5) +
    path(`M${bx - 17} ${by - 8}c6-6 7-14 7-22a10 10 0 0 1 20 0c0 8 1 16 7 22z`, signal) +
    circle(bx, by - 5, 4.5, ink) +
    bulbs(
      [
        [x - 120, y - 30],
        [bx - 24, by - 50],
        [bx + 24, by - 50],
        [x + 180, y + 10],
      ],
      10,
      22,
      '#4A5578',
    )
  )
}

/** The water tank on its four legs. */
function tank(x: number, y: number): string {
  return (
    stroke(
      `M${x - 22} ${y}l5-44M${x + 22} ${y}l-5-44M${x - 4} ${y + 8}v-48M${x - 20} ${y - 14}l34-20M${x + 20} ${y - 14}l-34-20`,
      '#10152A',
      4.5,
    ) +
    path(`M${x - 26} ${y - 44}v-40a26 12 0 0 1 52 0v40a26 12 0 0 1-52 0z`, '#8490B0') +
    path(`M${x + 4} ${y - 32}v-40h22v28a26 12 0 0 1-22 12z`, '#535E7E') +
    path(`M${x - 30} ${y - 84}L${x} ${y - 106}L${x + 30} ${y - 84}L${x} ${y - 72}z`, gate.t) +
    stroke(`M${x - 26} ${y - 56}a26 12 0 0 0 52 0`, '#39435F', 2)
  )
}

/** The court between the schools, its fountain in the middle. */
export function mapFountain(x: number, y: number): string {
  const ring = (r: number, color: string) => path(oval([x, y], r, r / 2), color)
  return (
    ring(92, '#1E2848') +
    stroke(
      `M${x - 92} ${y}a92 46 0 1 0 184 0a92 46 0 1 0-184 0M${x - 66} ${y}a66 33 0 1 0 132 0a66 33 0 1 0-132 0`,
      '#39456E',
      2,
    ) +
    path(oval([x, y + 4], 40, 20), '#10152A') +
    ring(40, '#C3C8D4') +
    ring(33, '#2C6FC9') +
    path(oval([x, y - 4], 11, 6), paper) +
    stroke(
      `M${x} ${y - 4}v-30M${x} ${y - 34}q-16 0-19 24M${x} ${y - 34}q16 0 19 24M${x} ${y - 34}q-7 2-8 22M${x} ${y - 34}q7 2 8 22`,
      '#BFE6FF',
      2.4,
    )
  )
}

/** Sky Bridge: a lit walkway on slim pillars, a lamp half way. */
export function mapBridge(): string {
  const deck = 'M322 622Q500 566 700 548'
  const posts = [380, 440, 505, 570, 635].map((at, i) => `M${at} ${606 - i * 12}v${72 - i * 4}`).join('')
  return (
    stroke(posts, '#0A0E1C', 9) +
    stroke(posts, '#2C3552', 4) +
    stroke('M322 632Q500 576 700 558', '#0A0E1C', 16) +
    stroke(deck, '#46527C', 15) +
    stroke(deck, signal, 6, ' stroke-dasharray="8 7"') +
    stroke('M322 612Q500 556 700 538', gate.t, 2.4) +
    stroke('M508 582v-44', paper, 4) +
    circle(508, 534, 20, signal, ' opacity=".25"') +
    circle(508, 534, 8, '#FFF3B8')
  )
}

/** Covered Court: a vaulted roof over a lit floor. */
export function mapCourt(x: number, y: number): string {
  const g = new Ground(x, y)
  const rib = (i: number, s: number): Corner => [i, (100 * s) / 6, 46 + 34 * Math.sin((Math.PI * s) / 6)]
  const shades = ['#6B7590', '#8490B0', '#A9B3CC', '#7C87A6', '#535E7E', '#39435F']
  const arch = [0, 1, 2, 3, 4, 5, 6].map((s) => rib(130, s))
  return (
    path(g.face([-10, -10], [150, -10], [150, 112], [-10, 112]), '#241005') +
    path(g.face([0, 0], [140, 0], [140, 100], [0, 100]), '#C9641A') +
    stroke(
      `M${g.at([70, 0]).join(' ')}L${g.at([70, 100]).join(' ')}M${g.at([10, 8]).join(' ')}L${g.at([130, 8]).join(' ')}L${g.at([130, 92]).join(' ')}L${g.at([10, 92]).join(' ')}z`,
      '#FFE0B0',
      2.4,
    ) +
    path(
      [4, 46, 88, 124].map((i) => g.face([i, 100], [i + 6, 100], [i + 6, 100, 46], [i, 100, 46])).join(''),
      '#10152A',
    ) +
    path(g.face([130, 0], [130, 100], ...arch.toReversed()), '#FFB54A', ' opacity=".35"') +
    shades.map((color, s) => path(g.face(rib(-6, s), rib(136, s), rib(136, s + 1), rib(-6, s + 1)), color)).join('') +
    stroke(`M${arch.map((corner) => g.at([136, corner[1], corner[2] ?? 0]).join(' ')).join('L')}`, phoenix.b, 4) +
    path(
      g.face([130, 0], [136, 0], [136, 0, 46], [130, 0, 46]) +
        g.face([130, 96], [136, 100], [136, 100, 46], [130, 96, 46]),
      '#10152A',
    )
  )
}

/** Old Market: six stalls under striped awnings. */
export function mapMarket(x: number, y: number): string {
  const colors = [phoenix.a, gate.a, peak.a, '#7B3FE4', phoenix.a, peak.a] as const
  const g = new Ground(x, y)
  const stall = (i: number, j: number, color: string) => {
    const slope = (from: number, to: number) =>
      g.face([i + from, j + 40, 22], [i + to, j + 40, 22], [i + to, j + 16, 42], [i + from, j + 16, 42])
    return (
      g.box([i, j], 36, 34, 24, ['#FFE08A', '#FFB54A', '#8A4A10']) +
      path(
        g.face([i + 36, j], [i + 36, j + 34], [i + 36, j + 34, 11], [i + 36, j, 11]) +
          g.face([i, j + 34], [i + 36, j + 34], [i + 36, j + 34, 11], [i, j + 34, 11]),
        '#2A1206',
      ) +
      path(
        g.face([i + 40, j - 6, 22], [i + 40, j + 40, 22], [i + 40, j + 16, 42]) +
          g.face([i - 4, j - 6, 22], [i + 40, j - 6, 22], [i + 40, j + 16, 42], [i - 4, j + 16, 42]),
        '#2A1206',
      ) +
      path(slope(-4, 40), color) +
      path(slope(5, 14) + slope(23, 32), paper)
    )
  }
  return (
    path(g.face([-14, -14], [150, -14], [150, 112], [-14, 112]), '#1E2230') +
    [0, 1, 2, 3, 4, 5].map((s) => stall((s % 3) * 48, Math.floor(s / 3) * 58, colors[s] ?? paper)).join('') +
    bulbs(
      [
        [x - 120, y - 2],
        [x - 6, y - 40],
        [x + 130, y - 4],
      ],
      8,
      24,
      '#4A5578',
    )
  )
}

/** The co-op: a corner shop with a long awning, a lit window, the capsule machine at its door. */
export function mapCoop(x: number, y: number): string {
  const g = new Ground(x, y)
  const strip = (from: number, to: number) => g.face([from, 64, 42], [to, 64, 42], [to, 84, 28], [from, 84, 28])
  return (
    g.box([0, 0], 96, 64, 54, dark) +
    path(g.leftPanes([6, 64, 8], 62, 2, 26, 26), glow) +
    path(g.rightPanes([96, 8, 10], 48, 2, 15, 24), '#B98F22') +
    path(strip(-4, 100), peak.a) +
    path(strip(9, 22) + strip(35, 48) + strip(61, 74) + strip(87, 100), paper) +
    g.box([76, 66], 14, 14, 18, ['#FF9B1A', phoenix.a, phoenix.d]) +
    circle(...g.at([83, 73, 26]), 9, '#FFE08A')
  )
}

/** Flooded quad: water where a lawn was, a banca with its lantern. */
export function mapQuad(x: number, y: number): string {
  const g = new Ground(x, y)
  const [bx, by] = g.at([84, 66])
  return (
    g.box([-8, -8, -10], 176, 136, 10, ['#39456E', '#1B2340', '#121831']) +
    path(g.face([0, 0], [160, 0], [160, 120], [0, 120]), '#17498F') +
    path(g.face([12, 12], [150, 12], [150, 60], [12, 60]), '#2C6FC9', ' opacity=".5"') +
    stroke(
      `M${x - 40} ${y + 60}h44M${x + 10} ${y + 34}h52M${x - 4} ${y + 104}h60M${x + 60} ${y + 84}h44M${x - 84} ${y + 74}h30`,
      '#8FDCF5',
      2.6,
    ) +
    path(blob([bx - 46, by - 6, 1], [bx - 20, by + 9], [bx + 22, by + 9], [bx + 46, by - 8, 1], [bx, by]), black) +
    stroke(
      `M${bx - 40} ${by + 16}h76M${bx - 16} ${by + 4}l-4 12M${bx + 16} ${by + 4}l4 12M${bx + 26} ${by - 2}v-26`,
      '#C9A26A',
      3,
    ) +
    circle(bx + 26, by - 30, 13, signal, ' opacity=".3"') +
    circle(bx + 26, by - 30, 6, '#FFF3B8')
  )
}

/** Library basement: stairs going down into their own light. */
export function mapBasement(x: number, y: number): string {
  const g = new Ground(x, y)
  const steps = [0, 1, 2, 3, 4]
    .map((s) =>
      path(
        g.face([12, 10 + s * 13], [64, 10 + s * 13], [64, 84], [12, 84]),
        ['#FFE08A', '#E8A53A', '#A8641C', '#5A2F0C', '#1C0D04'][s] ?? ink,
      ),
    )
    .join('')
  return (
    g.box([0, 0, -8], 78, 96, 8, ['#0C5A46', '#064636', '#04352A']) +
    steps +
    g.box([0, -14], 78, 18, 44, ['#0E8565', peak.d, '#04402F']) +
    path(g.face([20, 4], [58, 4], [58, 4, 26], [39, 4, 36], [20, 4, 26]), '#FFF3B8') +
    stroke(`M${g.at([0, 4, 44]).join(' ')}L${g.at([78, 4, 44]).join(' ')}`, peak.b, 3)
  )
}

/** Boiler room: two tanks, pipes, a hatch that glows, steam. */
export function mapBoiler(x: number, y: number): string {
  const g = new Ground(x, y)
  const tank = (cx: number, cy: number, h: number) =>
    path(`M${cx - 24} ${cy}v${-h}a24 12 0 0 1 48 0v${h}a24 12 0 0 1-48 0z`, '#8A4A16') +
    path(`M${cx + 4} ${cy + 12}v${-h}h20v${h}a24 12 0 0 1-20 12z`, '#5A2C0A') +
    path(oval([cx, cy - h], 24, 12), '#D98A3A') +
    stroke(`M${cx - 24} ${cy - h * 0.35}a24 12 0 0 0 48 0M${cx - 24} ${cy - h * 0.7}a24 12 0 0 0 48 0`, '#F0B26A', 2)
  return (
    g.box([-6, -6, -8], 112, 92, 8, ['#2A1A10', '#1C110A', '#140C07']) +
    tank(x - 14, y + 34, 62) +
    tank(x + 46, y + 46, 44) +
    stroke(`M${x + 10} ${y + 8}h22v30M${x - 38} ${y + 10}h-22v44`, '#D98A3A', 7) +
    path(oval([x + 2, y + 76], 30, 15), '#FF7A1A') +
    path(oval([x + 2, y + 80], 20, 9), '#FFE08A') +
    path(oval([x - 14, y - 42], 13, 9) + oval([x + 4, y - 58], 18, 11), paper, ' opacity=".2"')
  )
}

/** The guard house at the gate, its bar across the road, a flashlight on. */
export function mapGuard(x: number, y: number): string {
  const g = new Ground(x, y)
  const [hx, hy] = g.at([40, 20, 26])
  return (
    path(`M${hx} ${hy}l128 8-34 74z`, '#FFE98A', ' opacity=".3"') +
    g.box([0, 0], 40, 40, 46, dark) +
    path(g.leftPanes([4, 40, 20], 32, 1, 22, 18) + g.rightPanes([40, 4, 20], 32, 1, 22, 18), glow) +
    g.hip([-8, -8, 46], 56, 56, 26, phoenix.a, phoenix.d) +
    path(`M${x + 8} ${y + 62}v-34h7v34z`, black) +
    stroke(`M${x + 10} ${y + 34}L${x + 108} ${y + 60}`, paper, 7) +
    stroke(`M${x + 10} ${y + 34}L${x + 108} ${y + 60}`, phoenix.a, 7, ' stroke-dasharray="16 16"')
  )
}

/** The waiting shed of the logo, and the jeepney that stops there. */
export function mapShed(x: number, y: number): string {
  return (
    path(oval([x, y + 2], 74, 14), '#0A0E1C', ' opacity=".6"') +
    path(`M${x - 62} ${y}h124v8h-124zM${x - 8} ${y}v-62h16v62zM${x - 46} ${y - 20}h92v7h-92z`, '#8F7012') +
    path(`M${x - 70} ${y - 58}L${x + 70} ${y - 80}v16L${x - 70} ${y - 42}z`, signal) +
    circle(x + 34, y - 48, 12, signal, ' opacity=".35"') +
    circle(x + 34, y - 50, 5, '#FFF3B8') +
    group(`translate(${x + 108} ${y + 26}) scale(.56)`, jeepney())
  )
}
