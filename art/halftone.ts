import { n } from './svg.ts'

/** How dark the picture is at a point, 0 (no dot) to 1 (dots touch). */
type Ramp = (x: number, y: number) => number

interface Area {
  readonly x?: number
  readonly y?: number
  readonly width: number
  readonly height: number
  /** Distance of two dots in a row; rows lie half of it apart and odd rows are shifted by half of it (a 45° grid). */
  readonly pitch: number
  /** Steps of radius. Fewer steps, smaller file. */
  readonly steps?: number
}

/**
 * A layer of halftone dots in one colour. Dots of one radius share a path whose dash pattern is "nothing, gap of one
 * pitch" under round caps: a run of equal dots costs a single `h`. Runs are taken along rows or along columns, whichever is shorter.
 */
export function halftone(area: Area, color: string, ramp: Ramp, extra = ''): string {
  const rows = runs(area, ramp, false)
  const columns = runs(area, ramp, true)
  const paths = rows.length <= columns.length ? rows : columns
  return `<g stroke="${color}" stroke-linecap="round" stroke-dasharray="0 ${n(area.pitch)}" fill="none"${extra}>${paths}</g>`
}

function runs(area: Area, ramp: Ramp, vertical: boolean): string {
  const { x: left = 0, y: top = 0, width, height, pitch, steps = 9 } = area
  const paths = Array.from({ length: steps + 1 }, () => new Run(vertical))
  const [long, across] = vertical ? [height, width] : [width, height]
  for (let row = 0; row * (pitch / 2) <= across; row++) {
    const v = row * (pitch / 2)
    let before = 0
    for (let u = row % 2 ? pitch / 2 : 0; u <= long; u += pitch) {
      const [x, y] = vertical ? [left + v, top + u] : [left + u, top + v]
      const value = Math.min(1, Math.max(0, ramp(x, y)))
      const radius = 0.49 * pitch * Math.sqrt(value)
      const step = radius < 0.45 ? 0 : Math.max(1, Math.round((radius / (0.49 * pitch)) * steps))
      if (step > 0) paths[step]?.add(x, y, pitch, step === before)
      before = step
    }
  }
  return paths
    .map((run, step) =>
      run.empty ? '' : `<path d="${run.text()}" stroke-width="${n((0.98 * pitch * step) / steps)}"/>`,
    )
    .join('')
}

/** Collects runs of neighbouring dots as relative path commands. */
class Run {
  private readonly vertical: boolean
  private parts: string[] = []
  private length = 0
  private start: readonly [number, number] | undefined
  private pen: readonly [number, number] = [0, 0]

  constructor(vertical: boolean) {
    this.vertical = vertical
  }

  get empty(): boolean {
    return this.start === undefined
  }

  add(x: number, y: number, pitch: number, continues: boolean): void {
    if (continues && this.start) {
      this.length += pitch
      return
    }
    this.flush()
    this.start = [round(x), round(y)]
    this.length = 0
  }

  text(): string {
    this.flush()
    return this.parts.join('')
  }

  private flush(): void {
    if (!this.start) return
    const [x, y] = this.start
    const dx = round(x - this.pen[0])
    const dy = round(y - this.pen[1])
    // A run ends 0.1 px late, or its last dot would fall off the dash pattern.
    const length = round(this.length + 0.1)
    this.parts.push(`m${n(dx)}${dy < 0 ? '' : ' '}${n(dy)}${this.vertical ? 'v' : 'h'}${n(length)}`)
    this.pen = this.vertical ? [x, round(y + length)] : [round(x + length), y]
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** Ramp from 0 at `from` to 1 at `to`, along x. */
export function across(from: number, to: number): Ramp {
  return (x) => (x - from) / (to - from)
}

/** Ramp from 0 at `from` to 1 at `to`, along y. */
export function down(from: number, to: number): Ramp {
  return (_x, y) => (y - from) / (to - from)
}

/** Ramp from 1 at the centre to 0 at radius `r`, with `squash` < 1 for a flat ellipse. */
export function around(cx: number, cy: number, r: number, squash = 1): Ramp {
  return (x, y) => 1 - Math.hypot(x - cx, (y - cy) / squash) / r
}

/** Both ramps at once: dark only where both are. */
export function both(first: Ramp, second: Ramp): Ramp {
  return (x, y) => Math.max(0, Math.min(1, first(x, y))) * Math.max(0, Math.min(1, second(x, y)))
}
