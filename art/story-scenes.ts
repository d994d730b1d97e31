import { figure } from './figure.ts'
import { down, halftone } from './halftone.ts'
import { jeepney } from './jeepney.ts'
import { blob, oval } from './outline.ts'
import { parol } from './parol.ts'
import { captain, staffBearer, swordBearer } from './poses-fighters.ts'
import { eater, reacher } from './poses-townsfolk.ts'
import { beam, beamLight, bulbs, glints, pole, skyline, stars, waterTank } from './scenery.ts'
import { ground, height, strip, width } from './story-ground.ts'
import { black, box, circle, gate, group, ink, linear, path, peak, phoenix, signal, stroke } from './svg.ts'

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
