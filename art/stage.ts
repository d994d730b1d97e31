import { halftone } from './halftone.ts'
import { beam, beamLight, bulbs, stars } from './scenery.ts'
import { black, box, ink, linear, path, rect, signal, stroke, svg } from './svg.ts'

/** Wider than any usual screen; pages centre it and repeat it along x. One bay of three windows is 64 px, 40 bays make it whole. */
const stageWidth = 2560
const middle = stageWidth / 2
const dots = '#2239A8'

/** Behind the home page's hero: searchlights, a dome of dots, the long school with its louvred windows. 2560×380, designed around the middle 1440. */
export function stageHome(): string {
  const height = 380
  const roof = 266
  const dome = (x: number, y: number) => 0.72 * (1 - Math.hypot((x - middle) / 1080, (y - roof - 20) / 330)) + 0.05
  const body =
    `<defs>${beamLight('g', '#5C7BFF', 0.5)}${beamLight('j', '#2FC79A', 0.4)}${beamLight('p', '#FF6A45', 0.4)}${linear(
      'up',
      [0, 0, 0, 1],
      [
        [0, ink],
        [1, '#0E1640'],
      ],
    )}</defs>` +
    rect(0, 0, stageWidth, height, 'url(#up)') +
    halftone({ width: stageWidth, height: roof + 6, pitch: 12, steps: 16 }, dots, dome) +
    beam(middle - 590, roof, -120, 266, 56, 'g') +
    beam(middle - 40, roof, 70, 266, 60, 'j') +
    beam(middle + 560, roof, 110, 266, 56, 'p') +
    stars(21, 0, stageWidth, 90, 60) +
    school(roof, height)
  return svg(stageWidth, height, body)
}

/** Behind inner pages, set at their upper right: dots that swell towards that corner and are gone before the left and lower edges. 1440×340. */
export function stageInner(): string {
  const width = 1440
  const height = 340
  const fade = (y: number) => Math.min(1, Math.max(0, (320 - y) / 240))
  const swell = (x: number, y: number) =>
    0.8 * Math.max(0, 1 - Math.hypot((x - 1240) / 740, (y + 30) / 430)) ** 1.3 * fade(y)
  return svg(width, height, halftone({ width, height, pitch: 12, steps: 16 }, dots, swell))
}

/** Which bays have light: about one in seven, by hand-picked step so that no two floors line up. */
const litSteps = [
  [2, 9, 13, 17, 24, 31, 36],
  [0, 5, 6, 14, 20, 26, 33, 39],
  [3, 8, 16, 18, 23, 30, 35],
] as const

function school(roof: number, height: number): string {
  const floors = [roof + 20, roof + 52, roof + 84]
  const bay = `${box(8, 0, 13, 18)}${box(25, 0, 13, 18)}${box(42, 0, 13, 18)}`
  const walls = floors
    .map(
      (y, i) =>
        `<pattern id="b${i}" width="64" height="18" y="${y}" patternUnits="userSpaceOnUse">${path(bay, '#171D33')}</pattern>${rect(0, y, stageWidth, 18, `url(#b${i})`)}`,
    )
    .join('')
  const at = litSteps.flatMap((steps, i) =>
    steps.map((step): readonly [number, number] => [step * 64 + 8, floors[i] ?? 0]),
  )
  const panes = (h: number) =>
    at.map(([x, y]) => box(x, y, 13, h) + box(x + 17, y, 13, h) + box(x + 34, y, 13, h)).join('')
  const louvres = floors.map((y) => `M0 ${y + 9.5}H${stageWidth}M0 ${y + 13.5}H${stageWidth}`).join('')
  // Roof line: stair heads, tanks, a central gable with its clock, aerials; everything stands inside one period.
  const tops =
    `M0 ${roof}H${stageWidth}V${height}H0z` +
    [120, 700, 1560, 2240].map((x) => `M${x} ${roof}v-22h70v22zM${x + 52} ${roof - 22}v-14h2v14z`).join('') +
    [330, 900, 1790, 2060]
      .map((x) => `M${x} ${roof}v-16h3v-24h34v24h3v16h-6v-14h-28v14zM${x + 4} ${roof - 40}l6-7h20l6 7z`)
      .join('') +
    `M${middle - 120} ${roof}v-16h60l60-34 60 34h60v16zM${middle - 1} ${roof - 50}v-26h2v26z`
  return (
    path(tops, black) +
    stroke(`M${middle - 60} ${roof - 16}l60-34 60 34`, '#2B3FA0', 1.5) +
    stroke(`M0 ${roof + 1}H${stageWidth}M0 ${roof + 9}H${stageWidth}`, '#1B2650', 1.5) +
    `<circle cx="${middle}" cy="${roof - 22}" r="11" fill="${signal}"/>` +
    stroke(`M${middle} ${roof - 29}v7l5 3`, ink, 2) +
    bulbs(
      [
        [735, roof - 58],
        [900, roof - 44],
        [1218, roof - 16],
      ],
      10,
      26,
    ) +
    bulbs(
      [
        [1342, roof - 16],
        [1595, roof - 58],
        [1790, roof - 40],
      ],
      10,
      26,
    ) +
    walls +
    path(panes(18), '#8F7012') +
    path(panes(6), signal) +
    stroke(louvres, black, 1, ' opacity=".5"')
  )
}
