import { cat, coop, umbrella } from './coop.ts'
import { figure } from './figure.ts'
import { around, halftone } from './halftone.ts'
import { word } from './lettering.ts'
import { eater, waiter } from './poses-townsfolk.ts'
import type { Frame, Scene } from './poster.ts'
import { bulbs, glints, pole, rain, textShade } from './scenery.ts'
import { black, group, linear, paper, path, peak, phoenix, radial, rect, signal, stroke } from './svg.ts'

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
