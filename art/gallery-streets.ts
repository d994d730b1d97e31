import { awning, umbrella } from './coop.ts'
import { figure } from './figure.ts'
import { around, both, down, halftone } from './halftone.ts'
import { jeepney } from './jeepney.ts'
import { capsule, oval } from './outline.ts'
import { boxer, captain } from './poses-fighters.ts'
import { eater, waiter } from './poses-townsfolk.ts'
import { type Frame, floor, lit, type Scene } from './poster.ts'
import { bulbs, glints, pole, rain, skyline } from './scenery.ts'
import {
  black,
  box,
  circle,
  gate,
  group,
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

/** Four of one club under one umbrella, the street lamp their only light. */
export function oneUmbrella(frame: Frame): Scene {
  return {
    back:
      lit(frame, '#1E2C86', '#060818', '#3A56D8', 70) +
      skyline(51, -4, frame.width + 4, frame.ground, 92, '#0A1038', '#8F7012') +
      `<defs>${linear(
        'cone',
        [0, 0, 0, 1],
        [
          [0, '#FFE98A', 0.7],
          [1, '#FFE98A', 0.06],
        ],
      )}</defs>`,
    art:
      path('M92-166 -30 0H196Z', 'url(#cone)') +
      stroke('M128 0V-178Q128-190 112-188L92-182', black, 4) +
      path('M80-184l24-4 4 14-34 4z', black) +
      stroke('M76-168l30-5', signal, 3) +
      floor(frame, signal) +
      glints(9, -170, 340, 6, 24, '#8F7012') +
      figure({ id: 'f1', pose: waiter, x: -46, y: 2, height: 92, rim: gate.t, from: 1 }) +
      figure({ id: 'f4', pose: captain, x: 44, y: 2, height: 88, rim: phoenix.t, from: 1 }) +
      figure({ id: 'f2', pose: eater, x: -12, y: 3, height: 96, rim: '#FFE68A', from: 1 }) +
      figure({ id: 'f3', pose: boxer, x: 20, y: 4, height: 90, rim: peak.t, from: 1, flip: true }) +
      stroke('M-2-50V-132', black, 2.6) +
      group('translate(0 -94) rotate(-3) scale(2.5 1.7)', umbrella(phoenix.a, phoenix.t)),
    front: rain(14, frame.width, frame.height, 120, '#BFD0FF'),
  }
}

/** The first trip of the day: the jeepney before a sun that comes up behind the town. */
export function firstTrip(frame: Frame): Scene {
  const { width, height, cx, ground } = frame
  const palm = (x: number, y: number, s: number) =>
    group(
      `translate(${x} ${y}) scale(${s})`,
      stroke('M0 0Q4-30 0-58', black, 4) +
        stroke(
          'M0-58q-16-16-34-6M0-58q-20-4-26 14M0-58q-2-20-22-26M0-58q16-16 34-6M0-58q20-4 26 14M0-58q6-20 24-22',
          black,
          4.5,
        ),
    )
  return {
    back:
      `<defs>${linear(
        'sky',
        [0, 0, 0, 1],
        [
          [0, '#3A2378'],
          [0.4, '#C2417A'],
          [0.72, '#FF8A3D'],
          [1, '#FFD21F'],
        ],
      )}</defs>${rect(0, 0, width, height, 'url(#sky)')}` +
      halftone(
        { width, height: ground, pitch: frame.pitch, steps: 7 },
        '#FFC94A',
        both(down(20, ground), around(cx, ground, 280)),
        ` opacity="${frame.dots}"`,
      ) +
      circle(cx - 78, ground - 66, 92, '#FFF3B8', ' opacity=".25"') +
      circle(cx - 78, ground - 66, 82, '#FFF3B8') +
      `<clipPath id="sun"><circle cx="${cx - 78}" cy="${ground - 66}" r="82"/></clipPath>` +
      path(
        [-40, -22, 0].map((dy, i) => box(cx - 170, ground - 66 + dy, 184, 4 + i * 3)).join(''),
        '#FF8A3D',
        ' clip-path="url(#sun)"',
      ) +
      skyline(61, -4, width + 4, ground - 4, 40, '#7A2258', '#FFD21F'),
    art:
      palm(-150, -4, 1.5) +
      palm(150, -4, 1.2) +
      pole(96, -4, 150, '#2A0F3A') +
      stroke('M-200-128Q-60-96 83-134M109-134Q150-124 220-150', '#2A0F3A', 1) +
      path(`M${-cx}-6H${width - cx}V${height - ground}H${-cx}Z`, '#1A0B26') +
      path(`M${-cx}-6H${width - cx}v1.6H${-cx}z`, '#FFB54A') +
      path([-170, -96, -22, 52, 126].map((x) => box(x, 15, 36, 3)).join(''), '#C9641A') +
      group('translate(-128 4)', jeepney()),
  }
}

/** Old Market on a Saturday night: three stalls, bulbs, and those who only came to look. */
export function marketNight(frame: Frame): Scene {
  const stall = (x: number, w: number, school: 0 | 1 | 2) => {
    const { a, t } = schools[school]
    const goods = Array.from({ length: Math.floor((w - 12) / 9) }, (_, i) =>
      oval([x + 11 + i * 9, -47 - (i % 2) * 2], 5, 5),
    ).join('')
    return (
      rect(x + 2, -104, w - 4, 66, '#FFE08A') +
      rect(x + 2, -70, w - 4, 32, '#FF9B1A') +
      path(oval([x + w / 2, -84], 6, 7) + capsule([x + w / 2, -74], 8, [x + w / 2, -50], 10), black) +
      stroke([0.2, 0.8].map((k) => `M${x + w * k}-104v${k < 0.5 ? 16 : 22}`).join(''), black, 1) +
      path([0.2, 0.8].map((k) => box(x + w * k - 4, -104 + (k < 0.5 ? 16 : 22), 8, 9)).join(''), a) +
      path(goods, a) +
      path(box(x, -110, 4, 110) + box(x + w - 4, -110, 4, 110) + box(x - 3, -43, w + 6, 43), black) +
      stroke(`M${x - 3}-42.5h${w + 6}`, t, 1.4) +
      path(box(x + 8, -32, w - 16, 22), a, ' opacity=".35"') +
      awning(x - 2, -124, w + 4, 20, 8, a, paper)
    )
  }
  return {
    back:
      lit(frame, '#0F7A5C', '#04140F', '#1FC596', 80) +
      skyline(71, -4, frame.width + 4, frame.ground, 120, '#062A20', '#8F7012'),
    art:
      stall(-172, 96, 2) +
      stall(-50, 100, 0) +
      stall(76, 96, 1) +
      floor(frame, signal) +
      glints(12, -170, 340, 7, 24, '#8F5A12') +
      figure({ id: 'f1', pose: captain, x: -60, y: 10, height: 92, rim: phoenix.t, from: 1 }) +
      figure({ id: 'f2', pose: waiter, x: 62, y: 10, height: 90, rim: gate.t, from: -1, flip: true }) +
      figure({ id: 'f3', pose: eater, x: 138, y: 12, height: 90, rim: peak.t, from: -1 }) +
      bulbs(
        [
          [-190, -176],
          [-62, -158],
          [64, -158],
          [190, -176],
        ],
        10,
        15,
      ) +
      bulbs(
        [
          [-190, -148],
          [0, -188],
          [190, -148],
        ],
        6,
        17,
      ),
  }
}
