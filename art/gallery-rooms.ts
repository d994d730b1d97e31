import { crestCharge } from './charges.ts'
import { figure } from './figure.ts'
import { parol } from './parol.ts'
import { swordBearer } from './poses-fighters.ts'
import { reacher } from './poses-townsfolk.ts'
import { type Frame, floor, lit, type Scene } from './poster.ts'
import { truss } from './posters.ts'
import { glints, stars } from './scenery.ts'
import { black, box, circle, gate, group, linear, paper, path, phoenix, rect, schools, signal, stroke } from './svg.ts'

/** A school's long cloth, 66 wide and 150 high at scale 1, its rod at y = 0. */
export function longBanner(school: 0 | 1 | 2, x: number, y: number, scale = 1): string {
  const { a, d, b } = schools[school]
  const foot = ['h-17a16 22 0 0 0-32 0h-17', 'l-33 30-33-30', 'l-11 24-11-16-11 16-11-16-11 16-11-24'][school]
  const shape = `M33 0v124${foot}V0z`
  return group(
    `translate(${x} ${y}) scale(${scale})`,
    path(shape, a) +
      `<clipPath id="b${school}"><path d="M0-2H40V170H0z"/></clipPath>` +
      path(shape, d, ` clip-path="url(#b${school})"`) +
      path('M-33 92h66v4h-66zM-33 100h66v1.6h-66z', b) +
      rect(-38, -4, 76, 5, paper) +
      group('translate(-32 10)', crestCharge(school)),
  )
}

/** A ball for the court. */
export function ball(x: number, y: number, r: number): string {
  return group(
    `translate(${x} ${y}) scale(${r / 10})`,
    circle(0, 0, 10.8, black) +
      circle(0, 0, 9.6, '#FFE08A') +
      stroke('M-10 0H10M0-10V10M-7-7Q0 0-7 7M7-7Q0 0 7 7', black, 1.4),
  )
}

/** Three banners and no wind: the covered court before anybody has come. */
export function emptyCourt(frame: Frame): Scene {
  const end = frame.width - frame.cx
  return {
    back: `${lit(frame, '#E0561A', '#180805', '#FFB54A', 80)}<defs>${linear(
      'cone',
      [0, 0, 0, 1],
      [
        [0, '#FFE9A8', 0.6],
        [1, '#FFE9A8', 0],
      ],
    )}</defs>`,
    art:
      path('M-118-158-176 0H-60ZM118-158 60 0H176ZM0-176-64 0H64Z', 'url(#cone)') +
      truss(-176, end + 2) +
      longBanner(0, -96, -142, 0.84) +
      longBanner(1, 0, -158, 0.92) +
      longBanner(2, 96, -142, 0.84) +
      floor(frame, phoenix.b) +
      stroke('M-150 9H150M-40 24a40 9 0 0 1 80 0', '#C9641A', 1.6) +
      glints(5, -170, 340, 16, 18, '#7A2A10') +
      ball(-22, -9, 9),
  }
}

/** Practice after lights out: one blade before the tall windows, the moon on the floor. */
export function practice(frame: Frame): Scene {
  const bars = [-150, -82, 24, 92]
  const panes = bars.map((x) => box(x, -176, 52, 150)).join('')
  const louvres = bars.map((x) => Array.from({ length: 9 }, (_, i) => `M${x} ${-160 + i * 15}h52`).join('')).join('')
  const shafts = bars.map((x) => `M${x} 0h52l-46 34h-60z`).join('')
  return {
    back: `${lit(frame, '#1A2F93', '#05081C', '#2B50E8', 100)}<defs>${linear(
      'moon',
      [0, 0, 0, 1],
      [
        [0, '#DCE6FF'],
        [1, '#5C7BFF'],
      ],
    )}${linear(
      'fall',
      [0, 0, 0, 1],
      [
        [0, '#A9B9FF', 0.75],
        [1, '#A9B9FF', 0.1],
      ],
    )}</defs>`,
    art:
      rect(-190, -210, 400, 212, '#0A1038', ' opacity=".82"') +
      path(panes, 'url(#moon)') +
      stroke(louvres, '#0A1038', 3) +
      stroke(bars.map((x) => `M${x + 26}-176v150`).join(''), '#0A1038', 4) +
      floor(frame, gate.t) +
      path(shafts, 'url(#fall)') +
      path('M-26 3h60l70 22H-30z', black, ' opacity=".8"') +
      figure({ id: 'f1', pose: swordBearer, x: 4, y: 3, height: 136, rim: gate.t, from: -1, flip: true }) +
      path('M128-60h5V0h-5zM118-104h25l-4 44h-17zM122-116a8 8 0 1 1 16 0v12h-16z', black) +
      stroke('M119-98h23', phoenix.t, 1.4),
  }
}

/** The first lantern on the wire, and the one who is just tall enough. */
export function firstLantern(frame: Frame): Scene {
  return {
    back: `${lit(frame, '#C23A7A', '#120820', '#FFB54A', 118)}${stars(5, 0, frame.width, 130, 70)}`,
    art:
      stroke('M-200-176Q30-196 220-150', black, 1.4) +
      parol(36, -106, 62, { rim: phoenix.a, light: signal, heart: '#FF5D4D' }, 16) +
      floor(frame, phoenix.b) +
      path('M-72-34h52V0h-52zM-66-29h40v5h-40zM-66-18h40v5h-40z', '#1A0B26') +
      stroke('M-72-34.5h52', phoenix.b, 1.4) +
      figure({ id: 'f1', pose: reacher, x: -44, y: -35, height: 96, rim: '#FFB54A', from: 1 }) +
      path('M96-9h30V0H96zM104-20h14v11h-14z', black) +
      path('M130-3h22v3h-22zM134-6h10v3h-10z', '#FF5D4D'),
  }
}
