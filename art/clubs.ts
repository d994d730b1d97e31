import { awning } from './coop.ts'
import { around, halftone } from './halftone.ts'
import { capsule, oval } from './outline.ts'
import { beam, beamLight, bulbs, skyline, waterTank } from './scenery.ts'
import { black, box, gate, group, linear, n, paper, path, peak, phoenix, rect, signal, stroke, svg } from './svg.ts'

const width = 180
const height = 60

/** A ground that comes out of the panel at left, where the area's name stands. */
function ground(color: string): string {
  return `<defs>${linear(
    'in',
    [0, 0, 1, 0],
    [
      [0.1, color, 0],
      [0.55, color, 1],
    ],
  )}</defs>${rect(0, 0, width, height, 'url(#in)')}`
}

/** Covered court: roof truss, lamp, hoop, the lines of the floor. */
export function clubCourt(): string {
  const web = Array.from(
    { length: 9 },
    (_, i) => `M${74 + i * 12} ${n(13 - 7 * Math.sin((Math.PI * i) / 9))}l6-5 6 5`,
  ).join('')
  return svg(
    width,
    height,
    ground('#3A1208') +
      `<defs>${linear(
        'l',
        [0, 0, 0, 1],
        [
          [0, '#FFE9A8', 0.6],
          [1, '#FFE9A8', 0],
        ],
      )}</defs>` +
      halftone({ x: 70, width: 110, height: 60, pitch: 6, steps: 6 }, '#C9431A', around(132, 40, 70)) +
      path('M118 14 84 52H152ZM164 14 146 52H200Z', 'url(#l)') +
      stroke(`${web}M72 16Q126-2 184 14M72 10Q126-9 184 8`, black, 1.4) +
      path('M70 8h4v46h-4zM113 12h10l-2-4h-6zM159 13h10l-2-4h-6z', black) +
      path('M60 53H180v7H56z', black) +
      stroke('M64 53.5H180', phoenix.b, 1) +
      stroke('M84 57.5H124a8 2 0 0 0 16 0H180', '#C9641A', 0.8) +
      stroke('M148 53V24H136', black, 2.4) +
      rect(122, 15, 22, 15, paper) +
      stroke('M128.5 20.5h9v7h-9z', phoenix.a, 1.2) +
      stroke('M127 31h12', '#FF5D4D', 1.8) +
      stroke('M128 32l2 7h6l2-7M131 32l3 7M135 32l-3 7', paper, 0.7) +
      path(oval([108, 46], 4, 4), '#FF9B1A') +
      stroke('M104 46h8M108 42v8', black, 0.7),
  )
}

/** Old market: two stalls under striped awnings, bulbs between the posts. */
export function clubMarket(): string {
  const fruit = Array.from({ length: 9 }, (_, i) => oval([89 + i * 5.6, 42 - (i % 2)], 2.8, 2.8)).join('')
  const stall = (x: number, w: number) =>
    path(box(x, 20, 2, 34) + box(x + w - 2, 20, 2, 34) + box(x - 2, 43, w + 4, 12), black) +
    stroke(`M${x - 2} 43.5h${w + 4}`, signal, 1)
  return svg(
    width,
    height,
    ground('#0B3328') +
      halftone({ x: 60, width: 120, height: 60, pitch: 6, steps: 6 }, '#15805F', around(128, 34, 76)) +
      skyline(5, 66, 114, 54, 34, '#07241B', '#C99A1A') +
      path('M88 24H134V43H88zM148 24H182V43H148z', '#FFE08A') +
      path('M88 34H134V43H88zM148 34H182V43H148z', '#FF9B1A') +
      stall(84, 54) +
      stall(144, 44) +
      path(fruit, phoenix.a) +
      path(oval([156, 40], 3.5, 4) + oval([165, 40], 3.5, 4) + oval([173, 40], 3.5, 4), peak.a) +
      path(oval([112, 32], 3, 3.4) + capsule([112, 38], 4.5, [112, 43], 5), black) +
      awning(82, 13, 58, 9, 6, phoenix.a, paper) +
      awning(144, 13, 44, 9, 5, gate.a, paper) +
      path('M60 54H180v6H56z', black) +
      bulbs(
        [
          [70, 6],
          [112, 4],
          [182, 6],
        ],
        3,
        11,
      ),
  )
}

/** Sky bridge: a lit walkway between two school blocks, a searchlight behind. */
export function clubBridge(): string {
  const panes = Array.from({ length: 8 }, (_, i) => box(99 + i * 6.5, 24, 4.5, 7)).join('')
  const rooms = [0, 1, 2]
    .flatMap((row) => [75, 83, 91].map((x, i) => ((row + i) % 3 ? '' : box(x, 22 + row * 10, 5, 5))))
    .join('')
  const more = [0, 1, 2]
    .flatMap((row) => [157, 165, 173].map((x, i) => ((row + i) % 2 ? '' : box(x, 15 + row * 11, 5, 5))))
    .join('')
  return svg(
    width,
    height,
    ground('#152057') +
      `<defs>${beamLight('b', gate.t, 0.55)}</defs>` +
      halftone({ x: 60, width: 120, height: 60, pitch: 6, steps: 6 }, gate.a, around(130, 44, 74)) +
      beam(126, 56, -26, 60, 9, 'b') +
      skyline(9, 64, 116, 54, 18, '#0C1440') +
      path('M70 16H98V56H70zM152 9H182V56H152zM76 10h10v6h-10zM160 2h2v8h-2z', black) +
      path('M96 21H154V34H96z', black) +
      stroke('M96 21H154M96 35H154', gate.t, 1) +
      path(panes, signal) +
      path(
        oval([115, 27], 1.4, 1.6) + box(113.8, 28, 2.4, 3) + oval([134, 27], 1.4, 1.6) + box(132.8, 28, 2.4, 3),
        black,
      ) +
      stroke('M100 35l10 8M150 35l-10 8M110 35v8h30v-8', black, 1.6) +
      path(rooms + more, '#C99A1A') +
      group('translate(160 9) scale(.16)', waterTank(0, 0, gate.t)) +
      path('M60 54H180v6H56z', black) +
      stroke('M62 54.5H180', gate.t, 0.8),
  )
}
