import { crestCharge, emblem } from './charges.ts'
import { figure } from './figure.ts'
import { across, both, down, halftone } from './halftone.ts'
import { jeepney } from './jeepney.ts'
import { word } from './lettering.ts'
import { star } from './parol.ts'
import { captain } from './poses-fighters.ts'
import { type Frame, floor, lit, type Scene } from './poster.ts'
import { beam, beamLight, bulbs, glints, skyline, stars } from './scenery.ts'
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

/** A guide: the swordsman's blade standing in jade light. */
export function guideSword(frame: Frame): Scene {
  return {
    back: `${lit(frame, '#14916E', '#04140F', '#2BD3A2')}<defs>${beamLight('b', '#BFF5E2', 0.5)}</defs>`,
    art:
      beam(-16, 0, -70, 240, 24, 'b') +
      beam(16, 0, 70, 240, 24, 'b') +
      floor(frame, peak.t) +
      path('M-60 0-44-16H44L60 0z', '#0B2A20') +
      stroke('M-44-16H44', peak.t, 1.5) +
      path('M-13-40H13V-152L0-172-13-152z', paper) +
      path('M0-40H13V-152L0-172z', steel) +
      path('M-2-44h4v-104h-4z', signal) +
      path('M-34-44H34v10l-6 6h-56l-6-6z', signal) +
      path('M-5-28H5V-14H-5z', phoenix.d) +
      glints(3, -120, 240, 8, 20, peak.a),
  }
}

/** Quick slots: four keys, four skills, one pressed. */
export function quickSlots(frame: Frame): Scene {
  const key = (i: number, draw: string) => {
    const down4 = i === 1 ? 8 : 0
    const x = -150 + i * 77
    return (
      path(`M${x} ${-112 + down4}h68v${84 - down4}h-68z`, black) +
      path(`M${x + 3} ${-108 + down4}h62v62h-62z`, i === 1 ? signal : '#222A4A') +
      stroke(`M${x + 3} ${-46 + down4}V${-108 + down4}h62`, i === 1 ? '#FFF3B8' : gate.t, 1.4, ' opacity=".8"') +
      group(`translate(${x + 13} ${-104 + down4}) scale(.88)`, draw) +
      word(`F${i + 1}`, {
        x: x + 34,
        y: -31 + (i === 1 ? 4 : 0),
        size: 15,
        fill: i === 1 ? signal : gate.t,
        anchor: 'middle',
      })
    )
  }
  return {
    back: `${lit(frame, '#2B50E8', '#080B22', '#5C7BFF', 76)}<defs>${beamLight('b', signal, 0.75)}</defs>`,
    art:
      path(`M-164-124H160V0H-164z`, '#0C1130') +
      path(`M-164-124H160v3H-164z`, gate.t, ' opacity=".6"') +
      beam(-39, -108, 0, 110, 44, 'b') +
      key(0, emblem('brawler', paper, 'none')) +
      key(1, emblem('extreme', ink, paper)) +
      key(2, emblem('magician', paper, 'none')) +
      key(3, emblem('shaman', paper, 'none')) +
      floor(frame, gate.t) +
      glints(7, -160, 320, 8, 20, '#1E2C86'),
  }
}

/** Rank rewards: a trophy on the first step, the three schools' lights behind. */
export function trophy(frame: Frame): Scene {
  const step = (x: number, h: number, text: string, fill: string) =>
    path(`M${x - 38} ${-h}h76V0h-76z`, fill) +
    path(`M${x - 38} ${-h}h76v4h-76z`, paper, ' opacity=".85"') +
    word(text, { x, y: -h / 2 + 10, size: 34, fill: paper, anchor: 'middle' })
  return {
    back: `${lit(frame, '#8A5A12', '#120B04', signal, 120)}<defs>${beamLight('g', '#6F8BFF', 0.8)}${beamLight('j', '#2FC79A', 0.7)}${beamLight('p', '#FF6A45', 0.8)}</defs>`,
    art:
      beam(-130, 0, 60, 240, 34, 'g') +
      beam(130, 0, -60, 240, 34, 'p') +
      beam(0, 0, 0, 240, 44, 'j') +
      step(-78, 44, '2', peak.d) +
      step(78, 32, '3', phoenix.d) +
      step(0, 64, '1', gate.a) +
      path('M-16-64h32v8h-32zM-10-72h20v8h-20zM-4-92h8v22h-8z', '#B37A0E') +
      path('M-32-150H32C34-116 22-96 0-90-22-96-34-116-32-150z', signal) +
      path('M0-150H32C34-116 22-96 0-90z', '#E0A400') +
      path('M-36-155h72v7h-72z', '#FFF3B8') +
      stroke('M-32-144h-18c0 22 10 32 24 34M32-144h18c0 22-10 32-24 34', '#E0A400', 6) +
      path(star(0, -124, 15, 6.5), ink) +
      floor(frame, signal) +
      bulbs(
        [
          [-190, -206],
          [0, -190],
          [190, -206],
        ],
        6,
        18,
      ) +
      glints(2, -150, 300, 8, 20, '#8F7012'),
  }
}
