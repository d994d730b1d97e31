import { figure } from './figure.ts'
import { around, both, down, halftone } from './halftone.ts'
import { jeepney } from './jeepney.ts'
import { hanger } from './poses-townsfolk.ts'
import type { Frame, Scene } from './poster.ts'
import { bulbs, pole, skyline, stars, textShade } from './scenery.ts'
import { black, group, linear, path, phoenix, rect, signal, stroke } from './svg.ts'

const night = '#0C0A24'

/** The last trip home: a full jeepney, one more rider on the step, its lamp on the empty road. */
export function lastTrip(frame: Frame): Scene {
  const { width, height, cx, ground } = frame
  const scale = frame.words ? 0.87 : 0.98
  const left = frame.words ? -95 : -137
  const lampX = cx + left + 4 * scale
  const lampY = ground - 46 * scale
  const back =
    `<defs>${linear(
      'sky',
      [0, 0, 0.3, 1],
      [
        [0, night],
        [0.5, '#221A63'],
        [0.85, '#5A35A8'],
        [1, '#C4508F'],
      ],
    )}${linear(
      'lamp',
      [1, 0, 0, 0],
      [
        [0, '#FFE98A', 0.95],
        [0.25, signal, 0.4],
        [0.6, signal, 0.12],
        [1, signal, 0],
      ],
    )}</defs>` +
    rect(0, 0, width, height, 'url(#sky)') +
    halftone(
      { width, height: ground, pitch: frame.pitch, steps: 7 },
      '#E0569B',
      both(down(40, ground + 30), around(cx + 20, ground, 330, 0.8)),
      ` opacity="${frame.dots}"`,
    ) +
    stars(3, cx - 250, 420, 70, 26) +
    skyline(12, -4, width + 4, ground - 6, 58, '#15103F', '#FFC94A') +
    (frame.words ? textShade(width, height, 350, night) : '')
  const end = width - cx
  const art =
    pole(-118, -4, 150) +
    pole(118, -4, 158) +
    stroke(`M-300-150Q-220-128-133-134Q10-108 103-142Q140-132 ${end}-128M-131-124Q0-98 107-132`, black, 1) +
    bulbs(
      [
        [-118, -128],
        [118, -136],
      ],
      12,
      20,
    ) +
    bulbs(
      [
        [118, -136],
        [end + 60, -120],
      ],
      8,
      20,
    ) +
    path(`M${-cx} -6H${end}V${height - ground}H${-cx}Z`, black) +
    path(`M${-cx} -6H${end}v1.5H${-cx}z`, '#3A2A7C') +
    path(
      `M${-cx} 14h30v2.5h-30zM${-cx + 60} 14h34v2.5h-34zM${-cx + 128} 14h34v2.5h-34zM${-cx + 196} 14h34v2.5h-34zM${-cx + 264} 14h34v2.5h-34zM${-cx + 332} 14h34v2.5h-34zM${-cx + 400} 14h34v2.5h-34zM${-cx + 468} 14h34v2.5h-34zM${-cx + 536} 14h34v2.5h-34z`,
      '#8F7012',
    ) +
    group(
      `translate(${left} 4) scale(${scale})`,
      jeepney() + figure({ id: 'rider', pose: hanger, x: 257, y: -20, height: 80, rim: phoenix.t, from: 1 }),
    ) +
    path('M-112 6H104V9H-112Z', '#241A55')
  const front =
    path(`M${lampX} ${lampY - 4}L${lampX - 270} ${ground - 14}V${height}L${lampX} ${lampY + 4}Z`, 'url(#lamp)') +
    `<circle cx="${lampX}" cy="${lampY}" r="13" fill="#FFF3B8" opacity=".35"/>`
  return { back, art, front }
}
