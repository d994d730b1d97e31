import { figure } from './figure.ts'
import { around, down, halftone } from './halftone.ts'
import { jeepney } from './jeepney.ts'
import { blob, oval, poly } from './outline.ts'
import { parol } from './parol.ts'
import { batter, captain, staffBearer, swordBearer } from './poses-fighters.ts'
import { eater, reacher } from './poses-townsfolk.ts'
import { beam, beamLight, bulbs, glints, pole, rain, skyline, stars, waterTank } from './scenery.ts'
import {
  black,
  box,
  circle,
  gate,
  group,
  ink,
  linear,
  n,
  paper,
  path,
  peak,
  phoenix,
  radial,
  rect,
  signal,
  stroke,
  svg,
} from './svg.ts'

export const width = 840
export const height = 280
/** Where feet stand. */
export const ground = 244

interface Light {
  readonly heart: string
  readonly middle: string
  readonly dark: string
  readonly dot: string
  /** Where the light comes from. */
  readonly x: number
  readonly y: number
  readonly reach: number
}

/** A chapter's picture: one light with its dots, the drawing, the ground's edge. */
export function strip(light: Light, edge: string, art: string, front = ''): string {
  const { heart, middle, dark, dot, x, y, reach } = light
  return svg(
    width,
    height,
    `<defs>${radial('l', x, y, reach * 1.5, [
      [0, heart],
      [0.4, middle],
      [1, dark],
    ])}</defs>${rect(0, 0, width, height, 'url(#l)')}` +
      halftone({ width, height: ground, pitch: 14, steps: 6 }, dot, around(x, y, reach, 0.9), ' opacity=".55"') +
      art +
      path(`M0 ${ground}H${width}V${height}H0z`, black) +
      stroke(`M0 ${ground + 0.7}H${width}`, edge, 1.5) +
      front,
  )
}

/** The last bell: it swings over the roof, its rope cut; the night guard looks up. */
export function storyBell(): string {
  return strip(
    { heart: '#4F6BE8', middle: '#16246F', dark: '#070A1E', dot: '#2B50E8', x: 470, y: 130, reach: 380 },
    signal,
    `<defs>${beamLight('f', '#FFE98A', 0.55)}<clipPath id="m"><circle cx="470" cy="120" r="100"/></clipPath></defs>` +
      stars(3, 0, width, 150, 60) +
      circle(470, 120, 114, signal, ' opacity=".12"') +
      circle(470, 120, 100, signal) +
      `<g clip-path="url(#m)">${halftone({ x: 370, y: 20, width: 200, height: 210, pitch: 10, steps: 6 }, '#FF9B1A', down(40, 250))}</g>` +
      skyline(14, -4, width + 8, ground, 40, '#0C1440', '#C99A1A') +
      group('translate(690 244) scale(1.25)', waterTank(0, 0, gate.t)) +
      stroke(`M396 ${ground}V40M544 ${ground}V40M380 44H560M396 100l34-56M544 100l-34-56`, black, 10) +
      stroke('M470 44v16', black, 8) +
      group(
        'rotate(-11 470 56)',
        path('M412 168c16-14 20-34 20-62a38 38 0 0 1 76 0c0 28 4 48 20 62z', black) +
          stroke('M416 164h108M432 106a38 38 0 0 1 30-37', '#FFE98A', 2.4) +
          circle(470, 174, 11, black),
      ) +
      stroke('M478 184q6 18-2 30l6 6', '#2A1C06', 4) +
      bulbs(
        [
          [-10, 70],
          [180, 96],
          [386, 48],
        ],
        14,
        24,
      ) +
      bulbs(
        [
          [554, 48],
          [740, 92],
          [850, 66],
        ],
        12,
        24,
      ) +
      path('M178 96h4v148h-4z', black) +
      group('rotate(62 268 178)', beam(268, 178, 0, 190, 34, 'f')) +
      figure({ id: 'a', pose: captain, x: 246, y: ground, height: 112, rim: '#FFE98A', from: 1 }) +
      path(`M40 ${ground}v-34h74v34z`, black),
  )
}

/** One hill, three teachers: who point in three directions. */
export function storyHill(): string {
  return strip(
    { heart: '#7C6BE8', middle: '#33247C', dark: '#0A0820', dot: '#8F7BFF', x: 420, y: 200, reach: 420 },
    '#8FDCF5',
    `<defs>${beamLight('g', '#8FA6FF', 0.7)}${beamLight('j', '#2FC79A', 0.7)}${beamLight('p', '#FF6A45', 0.7)}</defs>` +
      stars(21, 0, width, 170, 80) +
      beam(330, 150, -210, 190, 40, 'g') +
      beam(420, 132, 0, 180, 36, 'j') +
      beam(512, 150, 210, 190, 40, 'p') +
      path(
        blob(
          [-40, 250, 1],
          [120, 236],
          [260, 190],
          [420, 160],
          [590, 188],
          [720, 234],
          [880, 250, 1],
          [880, 300, 1],
          [-40, 300, 1],
        ),
        '#120B33',
      ) +
      stroke('M120 236C210 214 320 160 420 160S640 206 720 234', '#B9A8FF', 1.8) +
      figure({ id: 'a', pose: swordBearer, x: 332, y: 182, height: 98, rim: gate.t, from: -1 }) +
      figure({ id: 'b', pose: staffBearer, x: 420, y: 164, height: 104, rim: peak.t, from: 1 }) +
      figure({ id: 'c', pose: reacher, x: 508, y: 180, height: 96, rim: phoenix.t, from: 1, flip: true }) +
      path(`M590 206h46v10h-46zM600 196h34v10h-34zM604 186h24v10h-24z`, '#5A3B1A') +
      path(`M640 214l22-34 6 4-20 34z`, '#8F7012'),
    path(`M0 ${ground + 2}H${width}V${height}H0z`, '#123A7A') + glints(5, 0, width, ground + 8, 30, '#8FDCF5'),
  )
}

/** The long brownout: every window dark, one lantern, four hands. */
export function storyBrownout(): string {
  return strip(
    { heart: '#C2571A', middle: '#3A1330', dark: '#05050C', dot: '#FFB54A', x: 420, y: 120, reach: 250 },
    '#6B3A14',
    skyline(6, -4, width + 8, ground, 120, '#07070F') +
      skyline(19, -4, width + 8, ground, 70, '#0B0913') +
      stroke('M-10 60Q200 110 420 34T850 64', '#14101E', 2) +
      parol(420, 116, 74, { rim: phoenix.a, light: signal, heart: '#FF5D4D' }, 0) +
      figure({ id: 'a', pose: reacher, x: 350, y: ground, height: 122, rim: gate.t, from: 1 }) +
      figure({ id: 'b', pose: reacher, x: 490, y: ground, height: 122, rim: peak.t, from: 1, flip: true }) +
      [96, 130, 166]
        .map((x, i) =>
          figure({
            id: `g${i}`,
            pose: eater,
            x,
            y: ground,
            height: 84,
            rim: '#3C3358',
            from: 1,
            fill: '#15111F',
          }),
        )
        .join('') +
      path(box(694, 150, 60, 94), '#030308') +
      path('M700 244v-14h10v-14h10v-14h10v-14h18v56z', '#2A1206'),
    path(oval([420, ground + 12], 190, 16), '#FFB54A', ' opacity=".22"'),
  )
}

/** The board in the lobby: three columns of chalk, a broom that does not touch the floor. */
export function storyBoard(): string {
  const tally = (x: number, y: number, groups: number) =>
    Array.from({ length: groups }, (_, i) => {
      const at = x + i * 34
      return `M${at} ${y}v20M${at + 6} ${y + 1}v20M${at + 12} ${y - 1}v20M${at + 18} ${y}v20M${at - 4} ${y + 17}l26-14`
    }).join('')
  const column = (x: number, color: string, rows: readonly number[]) =>
    path(box(x - 8, 52, 132, 7), color) +
    stroke(rows.map((groups, i) => tally(x, 74 + i * 32, groups)).join(''), '#E9E6DA', 2.6)
  return strip(
    { heart: '#5A6280', middle: '#252B40', dark: '#0A0C13', dot: '#6B7590', x: 420, y: 60, reach: 400 },
    '#6B7590',
    `<defs>${linear(
      'w',
      [0, 0, 1, 0],
      [
        [0, '#1B3A33', 0],
        [0.35, '#1B3A33', 1],
      ],
    )}</defs>` +
      path('M108 24H660V204H108z', '#5E4E30') +
      path('M118 34H650V194H118z', '#1B3A33') +
      column(140, gate.a, [3, 2, 3]) +
      column(318, peak.a, [2, 3, 2]) +
      column(496, phoenix.a, [3, 3, 2]) +
      path('M392 62H650V194H392z', 'url(#w)') +
      path('M402 70q80 24 180 4v18q-90 26-180 0zM430 120q90 26 190 0v20q-96 28-190 2z', '#2C5249') +
      path(
        oval([560, 216], 90, 14) + oval([500, 204], 46, 12) + oval([640, 210], 60, 12),
        '#E9E6DA',
        ' opacity=".16"',
      ) +
      path('M118 204h532v6H118zM150 196h26v8h-26zM186 198h18v6h-18z', '#C9A26A') +
      stroke('M560 210L708 62', '#C9A26A', 7) +
      path('M566 190l22 22-26 30q-22 2-44-20z', '#E8A53A') +
      stroke('M566 190l22 22', phoenix.a, 6) +
      stroke('M556 204l-28 22M566 212l-16 24M574 218l-6 22', '#A36A14', 2.4),
    path(oval([548, ground + 14], 54, 6), ink, ' opacity=".8"'),
  )
}

/** The waiting shed at night: somebody on the bench, route 26 comes in. */
export function storyShed(): string {
  return strip(
    { heart: '#C4508F', middle: '#3A2A7C', dark: '#0C0A24', dot: '#E0569B', x: 520, y: 240, reach: 420 },
    signal,
    `<defs>${linear(
      'beam',
      [0, 0, 1, 0],
      [
        [0, signal, 0],
        [1, '#FFE98A', 0.85],
      ],
    )}</defs>` +
      stars(3, 0, width, 110, 50) +
      skyline(12, -4, width + 8, ground, 76, '#15103F', '#FFC94A') +
      pole(780, ground, 170) +
      bulbs(
        [
          [-10, 84],
          [150, 70],
        ],
        10,
        22,
      ) +
      path(`M118 96L404 58V80L118 118z`, signal) +
      path(`M118 118L404 80V86L118 124z`, '#8F7012') +
      path(
        `M246 100h22V${ground}h-22zM150 ${ground - 44}H370v12H150zM168 ${ground - 32}h12V${ground}h-12zM338 ${ground - 32}h12V${ground}h-12z`,
        black,
      ) +
      stroke(`M150 ${ground - 43}H370`, signal, 2) +
      stroke(`M190 ${ground - 38}h26M222 ${ground - 38}h18M272 ${ground - 38}h34`, '#8F7012', 2) +
      circle(322, 106, 26, signal, ' opacity=".2"') +
      circle(322, 104, 8, '#FFF3B8') +
      figure({ id: 'a', pose: eater, x: 206, y: ground, height: 104, rim: '#FFE98A', from: 1 }) +
      figure({ id: 'b', pose: captain, x: 316, y: ground, height: 108, rim: '#FFE98A', from: -1 }) +
      path(`M470 ${ground - 50}L350 ${ground - 6}V${ground}H470z`, 'url(#beam)') +
      group(`translate(462 ${ground}) scale(1.08)`, jeepney()),
    glints(9, 360, 400, ground + 10, 26, '#8F7012'),
  )
}

/** Sacred Gate in the big rain: lit arches, water to the knees, a row of hands. */
export function storyGate(): string {
  const arch = (x: number) => `M${x} ${ground}v-118a38 44 0 0 1 76 0v118z`
  const arches = [72, 196, 320, 444, 568, 692].map(arch).join('')
  const inner = [72, 196, 320, 444, 568, 692].map((x) => `M${x + 8} ${ground}v-116a30 36 0 0 1 60 0v116`).join('')
  return strip(
    { heart: '#6E8BFF', middle: '#2342B5', dark: '#080E30', dot: '#8FA6FF', x: 420, y: 120, reach: 380 },
    gate.b,
    path(`M0 46H${width}V${ground}H0z`, '#0E1A5A') +
      path(`M0 38H${width}v10H0z`, gate.b) +
      stroke(`M0 56H${width}`, '#A37E2C', 2) +
      path(arches, '#FFD98A') +
      path(
        [110, 234, 358, 482, 606, 730].map((x) => box(x - 1, 96, 2, 26) + oval([x, 128], 6, 8)).join(''),
        '#FFF8DC',
      ) +
      stroke(inner, gate.b, 3) +
      path([72, 196, 320, 444, 568, 692].map((x) => `M${x + 32} 72h12l4 16h-20z`).join(''), gate.b) +
      figure({ id: 'a', pose: captain, x: 234, y: ground + 14, height: 128, rim: gate.t, from: 1 }) +
      figure({ id: 'b', pose: reacher, x: 352, y: ground + 16, height: 96, rim: gate.b, from: 1 }) +
      figure({ id: 'c', pose: swordBearer, x: 486, y: ground + 14, height: 124, rim: gate.t, from: -1 }) +
      figure({ id: 'd', pose: reacher, x: 606, y: ground + 16, height: 92, rim: gate.b, from: -1, flip: true }),
    path(`M0 ${ground - 8}H${width}V${height}H0z`, '#10307E', ' opacity=".86"') +
      glints(8, 0, width, ground + 2, 34, '#FFD98A') +
      rain(4, width, height, 90, '#BFD0FF'),
  )
}

/** Mystic Peak: terraces in the mist, the library above, a string that goes down into the light. */
export function storyPeak(): string {
  const steps = [
    [236, '#0B5A45'],
    [206, '#0C6A51'],
    [174, '#0A5843'],
    [142, '#0B4A39'],
    [112, '#083A2D'],
  ]
    .reverse()
    .map(([y, color], i) => {
      const x = Number(y)
      const left = 330 - i * 66
      return (
        path(
          `M${left - 60} ${ground}L${left} ${x}H${width - left + 60}L${width - left + 130} ${ground}z`,
          String(color),
        ) +
        stroke(`M${left} ${x + 1}H${width - left + 60}`, peak.b, 2, ' opacity=".7"') +
        stroke(
          `M${left + 10} ${x + 10}H${width - left + 50}M${left - 2} ${x + 18}H${width - left + 60}`,
          '#2FA983',
          1.6,
          ' opacity=".6"',
        )
      )
    })
    .join('')
  return strip(
    { heart: '#9FF0D6', middle: '#0E8565', dark: '#03140F', dot: '#6FDDBB', x: 450, y: 90, reach: 360 },
    peak.b,
    stars(5, 0, width, 100, 40) +
      circle(620, 62, 34, '#EAF6F2') +
      circle(634, 54, 30, '#0E7A5D') +
      steps +
      path(`M384 112V78h132v34zM372 78L450 44 528 78z`, '#04231B') +
      stroke('M372 78.5H528', peak.b, 2) +
      path([392, 412, 432, 452, 472, 492].map((x) => box(x, 86, 10, 18)).join(''), signal) +
      path(box(448, 30, 4, 16), peak.b) +
      path(oval([180, 150], 170, 9) + oval([640, 182], 190, 10) + oval([330, 212], 220, 9), paper, ' opacity=".17"') +
      path(`M596 ${ground}v-44h64v44z`, '#04231B') +
      path(`M604 ${ground}v-36h48v36z`, '#FFE98A') +
      path(`M604 ${ground}h48v-8h-40v-8h30v-8h-22v-6`, '#C98A22') +
      stroke(`M232 ${ground - 62}Q330 ${ground - 20} 430 ${ground - 34}T628 ${ground - 14}`, paper, 2) +
      figure({ id: 'a', pose: staffBearer, x: 208, y: ground, height: 116, rim: peak.t, from: 1 }) +
      circle(234, ground - 62, 8, paper) +
      stroke(`M228 ${ground - 66}q6 4 12 8M228 ${ground - 60}q6-6 12-2`, '#8FA3A8', 1.4),
  )
}

/** Phoenix: the roof is on fire a little, the tree too, and someone has a hammer. */
export function storyPhoenix(): string {
  const teeth = [0, 1, 2, 3, 4].map((t) => `M${330 + t * 84} 128V86l84 42z`).join('')
  const glass = [0, 1, 2, 3, 4].map((t) => `M${336 + t * 84} 124V98l52 26z`).join('')
  return strip(
    { heart: '#FFD98A', middle: '#D6431A', dark: '#240804', dot: '#FFB54A', x: 560, y: 150, reach: 400 },
    phoenix.b,
    `<defs>${linear(
      's',
      [0, 1, 0, 0],
      [
        [0, '#2A0B05', 0.9],
        [1, '#2A0B05', 0],
      ],
    )}</defs>` +
      path(
        poly([300, 244], [312, 20], [336, 20], [348, 244]) + poly([772, 244], [782, 44], [804, 44], [814, 244]),
        '#3A1008',
      ) +
      path('M310 40h28v12h-28zM781 62h24v10h-24z', paper) +
      path(
        oval([330, 6], 30, 16) + oval([372, -4], 40, 20) + oval([800, 26], 24, 13) + oval([830, 12], 30, 16),
        '#FFC2A8',
        ' opacity=".3"',
      ) +
      path(teeth, '#7E1A09') +
      path(glass, '#FFE08A') +
      path(`M330 128H760V${ground}H330z`, '#5A170B') +
      path([0, 1, 2, 3, 4, 5].map((i) => box(352 + i * 68, 150, 44, 50)).join(''), '#FFB54A') +
      stroke([0, 1, 2, 3, 4, 5].map((i) => `M${374 + i * 68} 150v50M${352 + i * 68} 175h44`).join(''), '#5A170B', 3) +
      stroke(`M330 129H760`, phoenix.b, 3) +
      stroke(
        [340, 420].map((x) => `M${x} ${ground}V66`).join('') + [92, 140, 190].map((y) => `M330 ${y}h104`).join(''),
        '#FFC98A',
        2.4,
      ) +
      path(`M176 ${ground}q8-60-2-96l12 2 8-30 8 30 14-6q-14 44-8 100z`, black) +
      stroke(`M188 ${ground - 70}l-38-34M192 ${ground - 92}l40-36M186 ${ground - 90}l-14-50`, black, 7) +
      path(
        [
          [140, 122, 20],
          [170, 86, 24],
          [214, 80, 26],
          [244, 108, 20],
          [192, 118, 24],
        ]
          .map(
            ([x = 0, y = 0, r = 0]) =>
              `M${n(x - r)} ${y}q0-${n(r)} ${n(r * 0.7)}-${n(r * 1.7)}q${n(r * 0.1)} ${n(r * 0.8)} ${n(r * 0.6)} ${n(r)}q${n(r * 0.3)}-${n(r * 0.3)} ${n(r * 0.2)}-${n(r * 0.7)}q${n(r * 0.7)} ${n(r * 0.9)} ${n(r * 0.3)} ${n(r * 1.9)}q-${n(r)} ${n(r * 0.8)}-${n(r * 1.8)}-${n(r * 0.5)}z`,
          )
          .join(''),
        signal,
      ) +
      path(oval([172, 98], 9, 11) + oval([214, 92], 10, 12) + oval([194, 124], 9, 10), '#FF7A1A') +
      path(
        Array.from({ length: 16 }, (_, i) => box(150 + ((i * 83) % 520), 20 + ((i * 47) % 110), 3, 3)).join(''),
        signal,
      ) +
      figure({ id: 'a', pose: batter, x: 268, y: ground, height: 112, rim: phoenix.t, from: 1 }) +
      figure({ id: 'b', pose: captain, x: 520, y: ground, height: 104, rim: phoenix.b, from: -1 }),
  )
}
