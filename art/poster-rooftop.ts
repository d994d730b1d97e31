import { figure } from './figure.ts'
import { around, both, down, halftone } from './halftone.ts'
import { batter, boxer, staffBearer } from './poses-fighters.ts'
import type { Frame, Scene } from './poster.ts'
import { beam, beamLight, bulbs, skyline, textShade, waterTank } from './scenery.ts'
import { black, circle, gate, ink, linear, paper, path, peak, phoenix, rect, signal, stroke } from './svg.ts'

/** Foundation Week: three schools on one roof before a low yellow moon. */
export function rooftop(frame: Frame): Scene {
  const { width, height, cx, ground } = frame
  const moonY = ground - 92
  const back =
    `<defs>${linear(
      'sky',
      [0, 0, 0.25, 1],
      [
        [0, '#0B1136'],
        [0.55, '#16246F'],
        [1, '#2B50E8'],
      ],
    )}${beamLight('g', '#8FA6FF', 0.75)}${beamLight('j', '#2FC79A', 0.75)}${beamLight('p', '#FF6A45', 0.75)}</defs>` +
    rect(0, 0, width, height, 'url(#sky)') +
    halftone(
      { width, height, pitch: frame.pitch, steps: 7 },
      gate.a,
      both(down(-40, 190), around(cx, moonY, 330, 0.9)),
      ` opacity="${Math.min(1, frame.dots + 0.15)}"`,
    ) +
    beam(cx - 128, ground - 20, -46, 150, 24, 'g') +
    beam(cx - 92, ground - 20, 6, 150, 20, 'j') +
    beam(cx + 118, ground - 20, 30, 150, 26, 'p') +
    skyline(7, -4, width, ground, 46, '#101A50', '#C99A1A') +
    (frame.words ? textShade(width, height, 400, ink) : '')
  const art =
    `<clipPath id="m"><circle cy="-93" r="84"/></clipPath>` +
    circle(0, -93, 95, signal, ' opacity=".12"') +
    circle(0, -93, 84, signal) +
    `<g clip-path="url(#m)">${halftone({ x: -90, y: -120, width: 180, height: 120, pitch: 8 }, '#FF9B1A', down(-130, 0))}` +
    path('M-100-52 100-78V-70L-100-44ZM-100-36 100-62V-58L-100-32Z', paper) +
    '</g>' +
    skyline(31, -112, 210, 0, 26, '#0C1440') +
    bulbs(
      [
        [-176, -172],
        [-40, -164],
        [122, -104],
        [260, -150],
      ],
      9,
      15,
    ) +
    waterTank(104, 0, gate.t) +
    path(`M-184 0H${width - cx}V${height - ground}H-190Z`, black) +
    stroke(`M-184 .5H${width - cx}`, signal, 1.6) +
    path('M-150-9h26V0h-26zM-146-14h3v5h-3zM78-7h16V0H78z', black) +
    figure({ id: 'f1', pose: batter, x: -50, y: 0, height: 116, rim: gate.t, from: 1 }) +
    figure({ id: 'f2', pose: staffBearer, x: 2, y: 0, height: 112, rim: peak.t, from: 1 }) +
    figure({ id: 'f3', pose: boxer, x: 56, y: 0, height: 117, rim: phoenix.t, from: -1 })
  return { back, art }
}
