import { figure, type Pose } from './figure.ts'
import { across, down, halftone } from './halftone.ts'
import { blob, poly } from './outline.ts'
import { archer, bowAndArrow, staffBearer } from './poses-fighters.ts'
import { beam, beamLight, bulbs, glints, skyline, stars, waterTank } from './scenery.ts'
import { black, box, circle, gate, group, linear, path, peak, phoenix, rect, signal, stroke, svg } from './svg.ts'

const width = 968
const height = 600
/** Where the yard begins under the school. */
const ground = 322

/** The game's screen without its windows, 968×600: the school yard at night, an archer, her healer, two hallway ghosts. */
export function interfaceScene(): string {
  return svg(width, height, sky() + school() + yard() + people())
}

function sky(): string {
  return (
    `<defs>${linear(
      'sky',
      [0, 0, 0, 1],
      [
        [0, '#080C22'],
        [0.6, '#131F66'],
        [1, '#2B50E8'],
      ],
    )}${linear(
      'yard',
      [0, 0, 0, 1],
      [
        [0, '#2A3FA6'],
        [0.4, '#172262'],
        [1, '#070914'],
      ],
    )}${beamLight('g', '#8FA6FF', 0.5)}${beamLight('j', '#2FC79A', 0.5)}${beamLight('p', '#FF6A45', 0.5)}</defs>` +
    rect(0, 0, width, ground, 'url(#sky)') +
    stars(11, 0, width, 150, 46) +
    halftone(
      { x: 200, width: width - 200, height: ground, pitch: 16, steps: 5 },
      gate.a,
      across(170, 1500),
      ' opacity=".55"',
    ) +
    beam(150, ground, -70, 330, 44, 'g') +
    beam(352, ground, 34, 330, 40, 'j') +
    beam(700, ground, 96, 330, 46, 'p') +
    circle(436, 100, 78, signal, ' opacity=".1"') +
    circle(436, 100, 62, signal) +
    `<clipPath id="m"><circle cx="436" cy="100" r="62"/></clipPath><g clip-path="url(#m)">${halftone({ x: 372, y: 96, width: 130, height: 66, pitch: 8, steps: 6 }, '#FF9B1A', down(80, 168))}</g>` +
    skyline(17, -6, width, ground, 92, '#0F1850', '#8F7012')
  )
}

/** Three floors of louvred windows, about one bay in six lit, a gable with a clock over the door. */
function school(): string {
  const left = 226
  const right = 742
  const roof = 166
  const rows = [roof + 20, roof + 66, roof + 112]
  const bay = [0, 18, 36].map((at) => box(at, 0, 14, 26)).join('')
  const lit = [
    [1, 0],
    [6, 0],
    [0, 2],
    [2, 1],
    [7, 2],
    [6, 1],
  ]
    .map(([column = 0, row = 0]) => `<use href="#b" x="${left + 16 + column * 62}" y="${rows[row]}"/>`)
    .join('')
  const flag = (x: number, colors: { a: string; d: string; b: string }) =>
    path(`M${x} ${roof + 12}h13v70l-13 10z`, colors.a) +
    path(`M${x + 13} ${roof + 12}h13v80l-13-10z`, colors.d) +
    path(`M${x} ${roof + 62}h26v4h-26z`, colors.b)
  return (
    group(`translate(268 ${roof})`, waterTank(0, 0, gate.t)) +
    path(
      `M${left} ${ground}V${roof}H416L484 ${roof - 42} 552 ${roof}H${right}V${ground}ZM640 ${roof}v-24h44v24zM672 ${roof - 24}v-22h2v22z`,
      black,
    ) +
    stroke(`M${left} ${roof}H416L484 ${roof - 42} 552 ${roof}H${right}`, gate.t, 1.4, ' opacity=".75"') +
    `<defs><path id="b" d="${bay}"/><pattern id="w" width="62" height="26" x="${left + 16}" patternUnits="userSpaceOnUse"><path d="${bay}" fill="#1F2A66"/></pattern></defs>` +
    rows.map((y) => group(`translate(0 ${y})`, rect(left + 16, 0, 484, 26, 'url(#w)'))).join('') +
    `<g fill="#FFD873">${lit}</g>` +
    stroke(
      [roof + 29, roof + 38, roof + 75, roof + 84, roof + 121, roof + 130]
        .map((y) => `M${left + 10} ${y}H${right - 10}`)
        .join(''),
      black,
      1.6,
    ) +
    stroke(`M${left} ${roof + 58}H${right}M${left} ${roof + 104}H${right}`, '#22307A', 2) +
    circle(484, roof - 10, 14, '#FFE9A8') +
    stroke(`M484 ${roof - 19}v9l6 4`, black, 2.2) +
    path(`M446 ${ground}v-46h76v46z`, '#FFC24A') +
    path(`M482 ${ground}v-46h4v46zM446 ${ground - 46}h76v4h-76zM438 ${ground - 54}h92v8h-92z`, black) +
    flag(366, gate) +
    flag(575, phoenix) +
    flag(641, peak)
  )
}

/** The yard's floor in perspective, with court lines, puddles and the door's light. */
function yard(): string {
  const rays = Array.from({ length: 15 }, (_, i) => `M484 ${ground - 120}L${-560 + i * 150} ${height}`).join('')
  const rows = [340, 364, 398, 446, 514].map((y) => `M0 ${y}H${width}`).join('')
  return (
    `<clipPath id="y"><path d="${box(0, ground, width, height - ground)}"/></clipPath>` +
    rect(0, ground, width, height - ground, 'url(#yard)') +
    `<g clip-path="url(#y)">` +
    stroke(rays + rows, '#26347F', 1.2, ' opacity=".55"') +
    path(`M446 ${ground}h76l190 ${height - ground}H256z`, '#FFC24A', ' opacity=".13"') +
    stroke('M484 560a270 100 0 1 1 .1 0', '#C9D4FF', 3, ' opacity=".4"') +
    glints(3, 240, 480, 494, 24, '#5C7BFF') +
    '</g>' +
    stroke(`M0 ${ground}H${width}`, gate.t, 1, ' opacity=".5"') +
    bulbs(
      [
        [-10, 178],
        [246, 150],
        [484, 168],
        [722, 150],
        [980, 186],
      ],
      16,
      24,
    ) +
    path(`M240 ${ground + 8}v-208h5v208zM722 ${ground + 8}v-208h5v208z`, black)
  )
}

/** A hallway ghost: a sheet of mist with a lamp where its heart would be. */
function ghost(x: number, y: number, scale: number): string {
  const cloth = blob(
    [0, -96],
    [22, -84],
    [27, -52],
    [36, -20],
    [30, 4, 1],
    [20, -6],
    [11, 8, 1],
    [0, -4],
    [-11, 8, 1],
    [-20, -6],
    [-31, 4, 1],
    [-34, -22],
    [-27, -54],
    [-21, -84],
  )
  return group(
    `translate(${x} ${y}) scale(${scale})`,
    `<ellipse cy="12" rx="34" ry="6" fill="#000" opacity=".45"/>` +
      path(cloth, peak.t, ' opacity=".25" transform="translate(0 -3) scale(1.12)"') +
      path(cloth, '#BFEFE0') +
      path(poly([-14, -70], [-4, -66], [-13, -60]) + poly([14, -70], [4, -66], [13, -60]), '#06231B') +
      circle(0, -34, 8, signal) +
      circle(0, -34, 14, signal, ' opacity=".35"'),
  )
}

function people(): string {
  const shade = (x: number, y: number, r: number) =>
    `<ellipse cx="${x}" cy="${y}" rx="${r}" ry="${r / 5}" fill="#000" opacity=".5"/>`
  const draw = (id: string, pose: Pose, x: number, y: number, tall: number, rim: string, from: number, props = '') =>
    shade(x, y + 4, tall / 3.2) + figure({ id, pose, x, y, height: tall, rim, from, flip: id === 'a', props })
  return (
    ghost(652, 398, 0.86) +
    ghost(586, 452, 1.08) +
    draw('h', staffBearer, 348, 446, 138, peak.t, 1) +
    draw('a', archer, 430, 484, 158, gate.t, 1, bowAndArrow)
  )
}
