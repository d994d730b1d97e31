import type { GuideClass } from '#content/classes.ts'
import { archerFigure, magicianFigure, scientistFigure, shamanFigure, shaperFigure } from './class-poses-far.ts'
import {
  assassinFigure,
  brawlerFigure,
  type ClassFigure,
  conductorFigure,
  extremeFigure,
  swordFigure,
} from './class-poses-near.ts'
import {
  boilerRoom,
  glow,
  hallway,
  jeepneyBack,
  laboratory,
  library,
  quad,
  ring,
  roofMoon,
  skyBridge,
  terraces,
} from './class-scenes.ts'
import { figure } from './figure.ts'
import { glints } from './scenery.ts'
import { black, gate, group, linear, path, peak, phoenix, radial, rect, stroke, svg } from './svg.ts'

interface ClassPoster {
  readonly figure: ClassFigure
  readonly scene: () => string
  /** The light behind the figure, from its heart outwards. */
  readonly light: readonly [heart: string, middle: string, dark: string]
  readonly dots: string
  readonly rim: string
  /** Where the rim light comes from: −1 left, 1 right. */
  readonly from: number
  /** Px of the poster for a unit of the figure. */
  readonly scale: number
  readonly x: number
  /** How high above the ground the figure stands. */
  readonly lift?: number
}

/** The posters of the class guide, by the name in its addresses. */
const posters: Readonly<Record<GuideClass, ClassPoster>> = {
  brawler: {
    figure: brawlerFigure,
    scene: ring,
    light: ['#FFA52E', '#A8300C', '#1A0604'],
    dots: '#FFB54A',
    rim: phoenix.t,
    from: -1,
    scale: 3.2,
    x: 208,
  },
  archer: {
    figure: archerFigure,
    scene: skyBridge,
    light: ['#4F74FF', '#1B2F8F', '#060B26'],
    dots: '#6F8BFF',
    rim: gate.t,
    from: 1,
    scale: 2.95,
    x: 220,
  },
  swordsman: {
    figure: swordFigure,
    scene: roofMoon,
    light: ['#D63A66', '#5A1650', '#12061C'],
    dots: '#FF6E8A',
    rim: '#FFB3C4',
    from: 1,
    scale: 3.1,
    x: 190,
  },
  shaman: {
    figure: shamanFigure,
    scene: terraces,
    light: ['#2BD3A2', '#0A5C46', '#03150F'],
    dots: '#2FC79A',
    rim: peak.t,
    from: 1,
    scale: 2.85,
    x: 196,
  },
  extreme: {
    figure: extremeFigure,
    scene: boilerRoom,
    light: ['#9A6CFF', '#46278F', '#0E0724'],
    dots: '#9A6CFF',
    rim: '#D7C2FF',
    from: 1,
    scale: 2.9,
    x: 206,
  },
  gunner: {
    figure: scientistFigure,
    scene: laboratory,
    light: ['#3BB8E0', '#0B4A63', '#04141C'],
    dots: '#3BB8E0',
    rim: '#8FDCF5',
    from: -1,
    scale: 3.1,
    x: 222,
  },
  assassin: {
    figure: assassinFigure,
    scene: hallway,
    light: ['#D22A35', '#5C0B18', '#14040A'],
    dots: '#D22A35',
    rim: phoenix.t,
    from: 1,
    scale: 3.35,
    x: 186,
  },
  magician: {
    figure: magicianFigure,
    scene: library,
    light: ['#C9772A', '#5A3210', '#160C05'],
    dots: '#C9772A',
    rim: '#FFD9A0',
    from: 1,
    scale: 2.6,
    x: 206,
  },
  shaper: {
    figure: shaperFigure,
    scene: quad,
    light: ['#8FCABB', '#2B5A55', '#071613'],
    dots: '#8FCABB',
    rim: peak.b,
    from: -1,
    scale: 3.05,
    x: 204,
  },
  conductor: {
    figure: conductorFigure,
    scene: jeepneyBack,
    light: ['#3C5690', '#1B2747', '#080B16'],
    dots: '#5C7BC0',
    rim: phoenix.b,
    from: 1,
    scale: 3.05,
    x: 152,
    lift: 42,
  },
}

const ground = 440
/** The rim of `figure` is 1.5 px at its own size; the posters stand closer. */
const near = 2

/** The class's poster, 400×500. */
export function classPoster(name: GuideClass): string {
  const { figure: drawn, scene, light, dots, rim, from, scale, x, lift = 0 } = posters[name]
  const [heart, middle, dark] = light
  return svg(
    400,
    500,
    `<defs>${radial('sky', 200, 250, 330, [
      [0, heart],
      [0.5, middle],
      [1, dark],
    ])}${linear(
      'foot',
      [0, 0, 0, 1],
      [
        [0, dark, 0],
        [1, dark, 0.9],
      ],
    )}</defs>` +
      rect(0, 0, 400, 500, 'url(#sky)') +
      glow(dots) +
      scene() +
      path('M0 440H400V500H0z', black) +
      stroke('M0 440.5H400', rim, 2) +
      glints(7, 10, 380, 452, 44, heart) +
      group(
        `translate(${x} ${ground - lift}) scale(${near})`,
        figure({ id: 'f', pose: drawn.pose, x: 0, y: 0, height: (scale / near) * 100, rim, from, props: drawn.props }),
      ) +
      rect(0, 440, 400, 60, 'url(#foot)'),
  )
}
