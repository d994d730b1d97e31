import { shamanFigure } from './class-poses-far.ts'
import { assassinFigure, brawlerFigure, extremeFigure } from './class-poses-near.ts'
import { figure } from './figure.ts'
import { around, halftone } from './halftone.ts'
import { boxer } from './poses-fighters.ts'
import { truss } from './posters.ts'
import { bulbs, glints, skyline } from './scenery.ts'
import { black, circle, gate, group, path, peak, phoenix, radial, rect, stroke, svg } from './svg.ts'

const width = 720
const height = 220
const ground = 192

function strip(light: readonly [string, string, string], dots: string, rim: string, art: string): string {
  const [heart, middle, dark] = light
  return svg(
    width,
    height,
    `<defs>${radial('sky', width / 2, ground - 60, 420, [
      [0, heart],
      [0.45, middle],
      [1, dark],
    ])}</defs>` +
      rect(0, 0, width, height, 'url(#sky)') +
      halftone(
        { width, height: ground, pitch: 12, steps: 5 },
        dots,
        around(width / 2, ground - 60, 330, 0.6),
        ' opacity=".7"',
      ) +
      art +
      path(`M0 ${ground}H${width}V${height}H0z`, black) +
      stroke(`M0 ${ground + 0.5}H${width}`, rim, 2) +
      glints(6, 40, width - 80, ground + 8, 18, middle),
  )
}

/** Two fighters under the Covered Court's lamps, 720×220. */
export function fightStrip(): string {
  return strip(
    ['#FFA52E', '#8F2509', '#140605'],
    '#FFB54A',
    phoenix.b,
    path('M220 10 120 192H320ZM500 10 400 192H600Z', '#FFE9A8', ' opacity=".22"') +
      group(`translate(${width / 2} ${ground}) scale(1.2)`, truss(-280, 280)) +
      group(
        `translate(0 ${ground}) scale(1.2)`,
        figure({
          id: 'f1',
          pose: assassinFigure.pose,
          x: 390,
          y: 0,
          height: 122,
          rim: phoenix.t,
          from: -1,
          props: assassinFigure.props,
        }) +
          figure({
            id: 'f2',
            pose: brawlerFigure.pose,
            x: 206,
            y: 0,
            height: 122,
            rim: gate.t,
            from: 1,
            flip: true,
            props: brawlerFigure.props,
          }),
      ),
  )
}

/** A shaman over somebody who has fallen, an extreme on the way, 720×220. */
export function resuStrip(): string {
  return strip(
    ['#2BD3A2', '#0A4B3A', '#03150F'],
    '#2FC79A',
    peak.t,
    circle(360, 118, 92, '#E8FFF6', ' opacity=".16"') +
      skyline(12, -6, width + 12, ground, 58, '#0C5A45', '#F0C24A') +
      bulbs(
        [
          [-10, 20],
          [200, 34],
          [460, 26],
          [730, 8],
        ],
        8,
        26,
      ) +
      group(
        `translate(0 ${ground}) scale(1.15)`,
        group(
          'translate(402 -9) rotate(-91)',
          figure({ id: 'f3', pose: boxer, x: 0, y: 0, height: 104, rim: '#F5F1E6', from: 1 }),
        ) +
          figure({
            id: 'f1',
            pose: shamanFigure.pose,
            x: 236,
            y: 0,
            height: 112,
            rim: peak.t,
            from: 1,
            props: shamanFigure.props,
          }) +
          figure({
            id: 'f2',
            pose: extremeFigure.pose,
            x: 500,
            y: 0,
            height: 110,
            rim: '#D7C2FF',
            from: -1,
            flip: true,
            props: extremeFigure.props,
          }),
      ),
  )
}
