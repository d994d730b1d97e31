import { crestCharge } from './charges.ts'
import { figure } from './figure.ts'
import { around, both, down, halftone } from './halftone.ts'
import { archer, batter, bowAndArrow, boxer, staffBearer, swordBearer } from './poses-fighters.ts'
import type { Frame, Scene } from './poster.ts'
import { beam, beamLight, bulbs, glints, skyline, textShade, waterTank } from './scenery.ts'
import {
  black,
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
  schools,
  signal,
  stroke,
} from './svg.ts'

const dark = '#140605'

/** Club war: three fighters under the covered court's roof, the schools' banners above them. */
export function court(frame: Frame): Scene {
  const { width, height, cx, ground } = frame
  const back =
    `<defs>${radial('glow', cx + 10, ground - 70, 300, [
      [0, '#FFA52E'],
      [0.3, '#E0561A'],
      [0.62, '#7E1A09'],
      [1, dark],
    ])}${linear(
      'cone',
      [0, 0, 0, 1],
      [
        [0, '#FFE9A8', 0.55],
        [1, '#FFE9A8', 0],
      ],
    )}</defs>` +
    rect(0, 0, width, height, 'url(#glow)') +
    halftone(
      { width, height: ground, pitch: frame.pitch, steps: 7 },
      '#FFB54A',
      around(cx + 8, ground - 62, 250, 0.75),
      ` opacity="${frame.dots}"`,
    ) +
    (frame.words ? textShade(width, height, 380, dark) : '')
  const right = width - cx
  const art =
    path(`M-118-158 -168 0H-68ZM118-158 68 0H168ZM0-176-56 0H56Z`, 'url(#cone)') +
    truss(-170, right + 6) +
    bleachers(right) +
    [-88, 0, 88].map((x, i) => (schools[i] ? pennant(i as 0 | 1 | 2, x, i === 1 ? -164 : -150) : '')).join('') +
    path(`M-190 0H${right}V${height - ground}H-196Z`, black) +
    stroke(`M-186 .5H${right}`, '#FFB54A', 1.6) +
    glints(5, -150, 300, 9, 12, '#C9641A') +
    figure({ id: 'f1', pose: swordBearer, x: -84, y: 2, height: 108, rim: gate.t, from: -1, flip: true }) +
    figure({ id: 'f2', pose: boxer, x: 4, y: 0, height: 106, rim: phoenix.t, from: -1 }) +
    figure({ id: 'f3', pose: archer, x: 94, y: 1, height: 108, rim: peak.t, from: -1, props: bowAndArrow })
  return { back, art }
}

/** The arched roof: two chords, the web between them, posts and lamps. */
export function truss(left: number, right: number): string {
  const span = right - left
  const rise = (x: number, base: number) => base - 26 * Math.sin((Math.PI * (x - left)) / span)
  let web = ''
  const steps = 14
  for (let i = 0; i < steps; i++) {
    const a = left + (span * i) / steps
    const b = left + (span * (i + 1)) / steps
    web += `M${n(a)} ${n(rise(a, -150))}L${n((a + b) / 2)} ${n(rise((a + b) / 2, -166))}L${n(b)} ${n(rise(b, -150))}`
  }
  const chord = (base: number) => `M${left} ${base}Q${n((left + right) / 2)} ${base - 52} ${right} ${base}`
  const lamps = [-118, 0, 118].map((x) => `M${x - 9} ${n(rise(x, -148) + 6)}h18l-4-7h-10z`).join('')
  return (
    stroke(web, black, 1.8) +
    stroke(chord(-150) + chord(-166), black, 3.6) +
    path(lamps, black) +
    stroke([-118, 0, 118].map((x) => `M${x - 7} ${n(rise(x, -148) + 7)}h14`).join(''), signal, 2.4) +
    path(`M${left} -166h9V0h-9zM${right - 15} -166h9V0h-9z`, black)
  )
}

function bleachers(right: number): string {
  return (
    path(`M${right - 58}-14h58V0h-58zM${right - 42}-28h42v14h-42zM${right - 26}-42h26v14h-26z`, '#2A0B06') +
    stroke(`M${right - 58}-14h16v-14h16v-14h30`, '#C9641A', 1.2)
  )
}

/** A hanging banner with a school's crest. */
function pennant(school: 0 | 1 | 2, x: number, y: number): string {
  const { a, d } = schools[school]
  const foot = ['h-9a8 9 0 0 0-16 0h-9', 'l-17 14-17-14', 'l-8.5 10-8.5-10-8.5 10-8.5-10'][school]
  const shape = `M17 0v52${foot}V0z`
  return group(
    `translate(${x} ${y})`,
    path(shape, a) +
      `<clipPath id="c${school}"><path d="M0-2H18V70H0z"/></clipPath>` +
      path(shape, d, ` clip-path="url(#c${school})"`) +
      rect(-20, -3, 40, 3, paper) +
      group('translate(-14.4 9) scale(.45)', crestCharge(school)) +
      circle(0, -3, 2, black),
  )
}

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
