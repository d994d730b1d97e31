import { figure } from './figure.ts'
import { around, down, halftone } from './halftone.ts'
import { archer, batter, bowAndArrow, staffBearer } from './poses-fighters.ts'
import { hanger } from './poses-townsfolk.ts'
import { type Frame, floor, lit, type Scene } from './poster.ts'
import { beam, beamLight, bulbs, skyline, stars, waterTank } from './scenery.ts'
import { black, box, circle, gate, group, linear, paper, path, peak, phoenix, rect, signal, stroke } from './svg.ts'

/** The roof's water tank from below, somebody up there, the moon behind it. */
export function tankRoof(frame: Frame): Scene {
  return {
    back:
      lit(frame, '#2B50E8', '#070A1E', '#4C6BFF', 120) +
      stars(31, 0, frame.width, 110, 60) +
      skyline(41, -4, frame.width + 4, frame.ground, 44, '#0B1240', '#C99A1A'),
    art:
      circle(58, -118, 78, signal, ' opacity=".12"') +
      circle(58, -118, 68, signal) +
      `<clipPath id="m"><circle cx="58" cy="-118" r="68"/></clipPath><g clip-path="url(#m)">${halftone({ x: -14, y: -130, width: 150, height: 90, pitch: 8 }, '#FF9B1A', down(-140, -40))}</g>` +
      group('translate(12 0) scale(1.72)', waterTank(0, 0, gate.t)) +
      stroke('M-2-102H100M-2-102V-116M32-102V-116M66-102V-116M100-102V-116M-2-116H100', black, 2) +
      floor(frame, gate.t) +
      figure({ id: 'f1', pose: batter, x: -92, y: 0, height: 98, rim: gate.t, from: 1 }) +
      path('M-176-20h34V0h-34zM-170-25h6v5h-6z', black) +
      bulbs(
        [
          [-184, -150],
          [-60, -168],
          [20, -188],
        ],
        9,
        16,
      ),
  }
}

/** An archer on the roof's edge, aiming over the town at a low moon. */
export function moonArcher(frame: Frame): Scene {
  return {
    back:
      lit(frame, '#0F8F78', '#04141C', '#2BD3A2', 90) +
      stars(6, 0, frame.width, 90, 50) +
      skyline(23, 60, frame.width - 60, frame.height, 84, '#06231F', '#E0B000'),
    art:
      circle(-104, -118, 54, '#FFE98A', ' opacity=".14"') +
      circle(-104, -118, 45, '#FFF3B8') +
      path('M-120-136a9 9 0 1 0 .1 0zM-92-104a12 12 0 1 0 .1 0zM-84-140a5 5 0 1 0 .1 0z', '#E9CF6A', ' opacity=".8"') +
      path(`M-40 -40H${frame.width - frame.cx}V${frame.height - frame.ground}H-40Z`, black) +
      stroke(`M-40-40.6H${frame.width - frame.cx}M-40-40V${frame.height - frame.ground}`, peak.t, 1.6) +
      path('M-47-46h26v6h-26z', black) +
      path(box(-20, -14, 16, 20) + box(18, -14, 16, 20) + box(56, -14, 16, 20) + box(94, -14, 16, 20), '#0B3328') +
      path(box(18, -14, 16, 20), '#E0B000') +
      figure({ id: 'f1', pose: archer, x: 42, y: -40, height: 126, rim: peak.t, from: -1, props: bowAndArrow }) +
      stroke('M128-40V-118M120-112h16M124-104h8', black, 2.4),
  }
}

/** A healer on the sky bridge, the three schools' searchlights over the town behind her. */
export function skyBridge(frame: Frame): Scene {
  const end = frame.width - frame.cx
  const posts = Array.from({ length: 13 }, (_, i) => box(-frame.cx + 6 + i * 30, -62, 3, 32)).join('')
  return {
    back:
      lit(frame, '#5A35A8', '#0B0822', '#8A5BE0', 110) +
      `<defs>${beamLight('g', '#8FA6FF', 0.85)}${beamLight('j', '#2FC79A', 0.8)}${beamLight('p', '#FF6A45', 0.85)}</defs>` +
      stars(15, 0, frame.width, 100, 46) +
      beam(60, frame.ground, -50, 230, 34, 'g') +
      beam(200, frame.ground, 16, 230, 30, 'j') +
      beam(310, frame.ground, 44, 230, 34, 'p') +
      skyline(19, -4, frame.width + 4, frame.height, 92, '#140F3A', '#FFC94A'),
    art:
      path(`M${-frame.cx}-32H${end}V-4H${-frame.cx}z`, black) +
      stroke(`M${-frame.cx}-32H${end}M${-frame.cx}-4H${end}`, '#D7B8FF', 1.5) +
      stroke(`M-150-4L-96 32M-30-4L-84 32M40-4L94 32M160-4L106 32`, black, 6) +
      figure({ id: 'f1', pose: staffBearer, x: 8, y: -31, height: 122, rim: '#D7B8FF', from: 1 }) +
      path(posts, black) +
      path(`M${-frame.cx}-66H${end}v4H${-frame.cx}zM${-frame.cx}-48H${end}v2H${-frame.cx}z`, black) +
      stroke(`M${-frame.cx}-66H${end}`, '#D7B8FF', 1) +
      bulbs(
        [
          [-190, -66],
          [-95, -66],
          [0, -66],
          [95, -66],
          [190, -66],
        ],
        5,
        15,
      ),
  }
}

/** The night the street lamps went out: two who stayed up on a roof under all the stars. */
export function blackout(frame: Frame): Scene {
  const { width, height, ground } = frame
  const milky = halftone(
    { width, height: ground, pitch: frame.pitch * 0.8, steps: 6 },
    '#5C7BFF',
    (x, y) => 0.55 * Math.max(0, 1 - Math.abs(y - (150 - x * 0.42)) / 62) * around(170, 80, 260)(x, y),
  )
  return {
    back:
      `<defs>${linear(
        'sky',
        [0, 0, 0, 1],
        [
          [0, '#060816'],
          [0.7, '#141A4C'],
          [1, '#3A2F7A'],
        ],
      )}</defs>${rect(0, 0, width, height, 'url(#sky)')}${milky}` +
      stars(8, 0, width, 150, 150) +
      stars(77, 0, width, 90, 60) +
      skyline(33, -4, width + 4, ground + 10, 60, '#0A0D24'),
    art:
      stroke('M-120-170l26 12M-114-150l16 7', paper, 1.2, ' stroke-linecap="round"') +
      path('M-190-8H46V40H-190z', black) +
      stroke('M-190-8.5H46V40', '#8FA6FF', 1.2) +
      figure({ id: 'f1', pose: hanger, x: -70, y: -9, height: 74, rim: '#8FA6FF', from: 1 }) +
      figure({ id: 'f2', pose: batter, x: -112, y: -9, height: 78, rim: '#8FA6FF', from: 1 }) +
      group('translate(-24 -8) scale(.5)', waterTank(0, 0, '#8FA6FF')) +
      path('M86-34h44V40H86zM132-52h70V40h-70z', black) +
      path(box(98, -24, 8, 10), '#FF9B1A') +
      circle(102, -19, 16, '#FF9B1A', ' opacity=".22"') +
      path(box(158, -38, 3, 3) + box(176, -14, 3, 3), phoenix.b),
  }
}
