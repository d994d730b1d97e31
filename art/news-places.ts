import { crestCharge } from './charges.ts'
import { figure } from './figure.ts'
import { across, both, down, halftone } from './halftone.ts'
import { jeepney } from './jeepney.ts'
import { floor, lit } from './news-ground.ts'
import { captain } from './poses-fighters.ts'
import type { Frame, Scene } from './poster.ts'
import { beam, beamLight, bulbs, skyline, stars } from './scenery.ts'
import {
  black,
  box,
  circle,
  gate,
  group,
  ink,
  linear,
  paper,
  path,
  peak,
  phoenix,
  rect,
  schools,
  signal,
  stroke,
} from './svg.ts'

const steel = '#C3C8D4'

/** Maintenance: the jeepney in the workshop under one lamp, cones around it. */
export function maintenance(frame: Frame): Scene {
  const cone = (x: number) =>
    path(`M${x - 5}-22h10l7 20h-24zM${x - 15}-3h30v5h-30z`, phoenix.a) + path(`M${x - 7.5}-14h15l2 6h-19z`, paper)
  const hazard = Array.from({ length: 30 }, (_, i) => `M${-220 + i * 18} 10h9l-9 12h-9z`).join('')
  return {
    back: `${lit(frame, '#3A3F55', ink, '#5A6280')}<defs>${linear(
      'cone',
      [0, 0, 0, 1],
      [
        [0, '#FFE98A', 0.75],
        [1, '#FFE98A', 0.05],
      ],
    )}</defs>`,
    art:
      stroke('M0-220V-176', black, 2.4) +
      path('M-14-178h28l22 18h-72z', black) +
      path('M-36-160h72v4h-72z', signal) +
      path('M-36-156H36L150 0H-150z', 'url(#cone)') +
      floor(frame, signal) +
      path(hazard, signal) +
      group('translate(-118 -14) scale(.9)', jeepney()) +
      path('M-84-14h34l-5 14h-24zM44-14h34l-5 14h-24z', black) +
      stroke('M-84-13h34M44-13h34', steel, 1.4) +
      cone(-146) +
      cone(152) +
      group('translate(118 -44) rotate(16)', path('M-4-6h8v52h-8zM-12-18l6 6h12l6-6v14l-6 7H-6l-6-7z', steel)),
  }
}

/** The event night's own cover: one captain above the town. */
export function eventNight(frame: Frame): Scene {
  return {
    back: `${lit(frame, '#5A35A8', '#0B0822', '#C23A7A', 100)}${stars(12, 0, frame.width, 110, 40)}<defs>${beamLight('g', '#8FA6FF', 0.8)}${beamLight('p', '#FF8A5C', 0.8)}</defs>`,
    art:
      beam(-120, 0, -30, 230, 30, 'g') +
      beam(130, 0, 40, 230, 30, 'p') +
      circle(0, -106, 84, signal, ' opacity=".14"') +
      circle(0, -106, 74, signal) +
      `<clipPath id="m"><circle cy="-106" r="74"/></clipPath><g clip-path="url(#m)">${halftone({ x: -80, y: -120, width: 160, height: 100, pitch: 8 }, '#FF9B1A', down(-130, -20))}</g>` +
      skyline(17, -frame.cx, frame.width, 0, 58, '#140F3A', '#FFC94A') +
      path(`M-70 0V-26H70V0z`, black) +
      stroke('M-70-26H70', signal, 1.5) +
      floor(frame, signal) +
      figure({ id: 'f', pose: captain, x: -4, y: -28, height: 138, rim: phoenix.t, from: -1 }) +
      bulbs(
        [
          [-190, -190],
          [-60, -204],
          [70, -198],
          [190, -212],
        ],
        6,
        18,
      ),
  }
}
/** Channels: three masts, each sending in its school's colour. */
export function channels(frame: Frame): Scene {
  const mast = (x: number, h: number, color: string, tint: string) =>
    [18, 32, 46]
      .map((r, i) =>
        stroke(
          `M${x - r} ${-h}a${r} ${r} 0 0 1 ${2 * r} 0M${x - r} ${-h}a${r} ${r} 0 0 0 ${r * 0.3} ${r * 0.75}M${x + r} ${-h}a${r} ${r} 0 0 1 ${-r * 0.3} ${r * 0.75}`,
          i === 0 ? tint : color,
          5 - i,
        ),
      )
      .join('') +
    path(`M${x - 2} ${-h}h4l14 ${h}h-5l-11-${h - 20}-11 ${h - 20}h-5z`, black) +
    stroke(
      `M${x - 6} ${-h * 0.6}h12M${x - 9} ${-h * 0.35}h18M${x - 6} ${-h * 0.6}l15 ${h * 0.25}M${x + 6} ${-h * 0.6}l-15 ${h * 0.25}`,
      black,
      2,
    ) +
    circle(x, -h, 7, tint)
  return {
    back: `${lit(frame, '#1E2C86', '#070A1E', gate.a)}${stars(4, 0, frame.width, 90, 30)}${skyline(8, -4, frame.width + 4, frame.ground, 60, '#0B1240', '#C99A1A')}`,
    art:
      mast(-96, 104, '#5C7BFF', gate.t) +
      mast(92, 112, '#FF5D4D', phoenix.t) +
      mast(0, 146, '#12A27B', peak.t) +
      floor(frame, gate.t),
  }
}

/** The map: three campuses, the roads between them, pins with crests, on paper. */
export function campusMap(frame: Frame): Scene {
  const pin = (school: 0 | 1 | 2, x: number, y: number) => {
    const { a } = schools[school]
    return group(
      `translate(${x} ${y})`,
      path('M0 4c-7 0-12 2-12 4s5 4 12 4 12-2 12-4-5-4-12-4z', ink, ' opacity=".3"') +
        path('M0 8C-24-22-27-34-27-44a27 27 0 0 1 54 0c0 10-3 22-27 52z', a) +
        stroke('M0 8C-24-22-27-34-27-44a27 27 0 0 1 54 0c0 10-3 22-27 52z', ink, 2.5) +
        group('translate(-13.5 -62) scale(.42)', crestCharge(school)),
    )
  }
  const houses = [
    [-172, -172],
    [-150, -150],
    [-52, -168],
    [-22, -146],
    [62, -160],
    [142, -140],
    [120, -176],
    [-160, -34],
    [-58, -24],
    [-10, -34],
    [72, -44],
    [132, -54],
    [60, 6],
    [-60, 10],
  ] as const
  const house = ([x, y]: readonly [number, number], i: number) => {
    const { a, d } = schools[([0, 1, 2] as const)[i % 3] ?? 0]
    return (
      path(`M${x} ${y}l18-9 18 9v14l-18 9-18-9z`, '#CBBE9C') +
      path(`M${x + 18} ${y + 9}l18-9v14l-18 9z`, '#A99B77') +
      path(`M${x} ${y}l18-9 18 9-18 9z`, i % 4 === 3 ? '#8E8263' : i % 2 ? d : a)
    )
  }
  const trees = [-190, -128, -78, 6, 50, 108, 168, -30, 92]
    .map((x, i) => `${box(x - 1, -20 - ((i * 47) % 130), 2, 6)}M${x - 7} ${-20 - ((i * 47) % 130)}h14l-7-16z`)
    .join('')
  return {
    back:
      rect(0, 0, frame.width, frame.height, '#E4DCC6') +
      halftone(
        { width: frame.width, height: frame.height, pitch: 10, steps: 7 },
        '#CFC4A6',
        both(across(frame.width, 0), down(0, frame.height * 1.3)),
      ),
    art:
      path(
        'M-220-84C-150-110-110-60-60-76S20-118 70-96 150-60 230-92V-66C150-34 100-74 66-70S-10-32-62-50-150-82-220-58z',
        '#8FDCF5',
      ) +
      stroke(
        'M-220-128C-120-160-90-110-96-20V60M-220-4C-120-20-20-6 60-14S180-30 240-20M20-220C14-150 34-120 26-60S50 10 40 60',
        '#FFFDF4',
        13,
      ) +
      stroke(
        'M-220-128C-120-160-90-110-96-20V60M-220-4C-120-20-20-6 60-14S180-30 240-20M20-220C14-150 34-120 26-60S50 10 40 60',
        '#B7A987',
        1.2,
        ' stroke-dasharray="7 6"',
      ) +
      path(trees, '#0A7F60') +
      houses.map(house).join('') +
      stroke('M-96-96C-70-60-20-80-4-54S60-40 96-74', phoenix.a, 4, ' stroke-dasharray="9 6"') +
      pin(0, -98, -100) +
      pin(1, 2, -58) +
      pin(2, 102, -82) +
      group(
        'translate(142 -6)',
        circle(0, 0, 20, paper) +
          stroke('M-20 0a20 20 0 1 0 40 0a20 20 0 1 0-40 0z', ink, 2) +
          path('M0-16 5 0H-5z', phoenix.a) +
          path('M0 16 5 0H-5z', ink),
      ),
  }
}
