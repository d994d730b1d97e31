import { figure } from './figure.ts'
import { halftone } from './halftone.ts'
import { jeepney } from './jeepney.ts'
import { hanger } from './poses-townsfolk.ts'
import { bulbs, pole, skyline, stars } from './scenery.ts'
import { black, box, circle, group, linear, paper, path, phoenix, rect, signal, stroke, svg } from './svg.ts'

const width = 400
const height = 225
const ground = 190
/** Everything that passes by repeats after this many units, so that the film's end meets its beginning. */
const lap = 400

const twice = (draw: (x: number) => string) => draw(0) + draw(lap)
const passing = (body: string, speed: number, t: number) =>
  group(`translate(${(-((t * speed * lap) % lap)).toFixed(2)} 0)`, body)

const sky =
  `<defs>${linear(
    'sky',
    [0, 0, 0.2, 1],
    [
      [0, '#0C0A24'],
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
    { width, height: ground, pitch: 12, steps: 7 },
    '#E0569B',
    (x, y) => Math.max(0, (y - 60) / 150) * Math.max(0, 1 - Math.hypot(x - 210, (y - ground) / 0.7) / 330),
    ' opacity=".75"',
  ) +
  stars(3, 0, width, 80, 50) +
  circle(318, 46, 20, '#FFF3B8') +
  circle(310, 41, 18, '#171148')

const far = twice((x) => skyline(12, x, lap - 24, ground - 6, 88, '#1B1550', '#8F6AC8'))
const near = twice((x) => skyline(47, x, lap - 24, ground - 6, 52, '#120D38', '#FFC94A'))
const wires = twice(
  (x) =>
    pole(x + 100, ground - 6, 152) +
    pole(x + 300, ground - 6, 152) +
    stroke(`M${x - 100} 60Q${x} 84 ${x + 100} 60Q${x + 200} 84 ${x + 300} 60Q${x + 400} 84 ${x + 500} 60`, black, 1) +
    bulbs(
      [
        [x + 100, 50],
        [x + 300, 50],
      ],
      13,
      18,
    ) +
    bulbs(
      [
        [x + 300, 50],
        [x + 500, 50],
      ],
      13,
      18,
    ),
)
const dashes = path(Array.from({ length: 14 }, (_, i) => box(i * 80, ground + 18, 40, 3)).join(''), '#C99A1A')
const rails = path(
  Array.from({ length: 42 }, (_, i) => box(i * 20, ground - 16, 2, 11)).join('') + box(0, ground - 17, lap * 2 + 40, 2),
  '#241A55',
)
const ride = jeepney()
const rider = (sway: number) =>
  group(
    `rotate(${sway.toFixed(2)} 250 -70)`,
    figure({ id: 'rider', pose: hanger, x: 257, y: -20, height: 80, rim: phoenix.t, from: 1 }),
  )

/** Spokes, so that the wheels are seen to turn; `turn` in degrees. */
const spokes = (x: number, turn: number) =>
  group(`translate(${x} -17) rotate(${turn.toFixed(1)})`, stroke('M-10 0H10M0-10V10', paper, 2.2))

/** One moment of the last trip home, `t` from 0 to 1; the end meets the beginning. */
export function tripFrame(t: number): string {
  const bounce = Math.sin(t * Math.PI * 44) * 0.7
  const turn = -t * 360 * 22
  const lampX = 76
  const lampY = ground - 42 + bounce
  return svg(
    width,
    height,
    sky +
      passing(far, 1, t) +
      passing(near, 2, t) +
      passing(wires, 4, t) +
      rect(0, ground - 6, width, height - ground + 6, black) +
      passing(rails, 8, t) +
      rect(0, ground - 6, width, 1.5, '#3A2A7C') +
      passing(dashes, 8, t) +
      path(`M72 ${ground + 6}H330V${ground + 9}H72Z`, '#241A55') +
      group(
        `translate(70 ${(ground + 6 + bounce).toFixed(2)})`,
        ride + spokes(52, turn) + spokes(196, turn) + rider(Math.sin(t * Math.PI * 8) * 1.6),
      ) +
      path(
        `M${lampX} ${(lampY - 4).toFixed(1)}L-80 ${ground - 30}V${height + 6}L${lampX} ${(lampY + 4).toFixed(1)}Z`,
        'url(#lamp)',
      ) +
      circle(lampX, lampY, 12, '#FFF3B8', ' opacity=".35"'),
  )
}
