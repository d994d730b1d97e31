import { n } from './svg.ts'

/** A point; a third value of 1 makes it a sharp corner in a `blob`. */
export type Point = readonly [x: number, y: number, sharp?: number]

/**
 * All outlines here run clockwise, so that any number of them in one path melt into one silhouette (non-zero fill)
 * instead of cutting holes into each other.
 */
function clockwise(points: readonly Point[]): readonly Point[] {
  let area = 0
  points.forEach(([x, y], i) => {
    const [nextX, nextY] = points[(i + 1) % points.length] ?? [0, 0]
    area += x * nextY - nextX * y
  })
  return area < 0 ? points.toReversed() : points
}

/** A polygon. */
export function poly(...points: readonly Point[]): string {
  const pen = new Pen()
  for (const [i, point] of clockwise(points).entries()) pen.to(i ? 'l' : 'M', point)
  return pen.close()
}

/** A closed curve through the points (Catmull-Rom), with corners where a point asks for one. */
export function blob(...given: readonly Point[]): string {
  const points = clockwise(given)
  const at = (i: number): Point => points[(i + points.length) % points.length] ?? [0, 0]
  const handle = (i: number, sign: number): Point => {
    const [x, y, sharp] = at(i)
    if (sharp) return [x, y]
    const [px, py] = at(i - 1)
    const [nx, ny] = at(i + 1)
    return [x + (sign * (nx - px)) / 6, y + (sign * (ny - py)) / 6]
  }
  const pen = new Pen()
  pen.to('M', at(0))
  for (const i of points.keys()) pen.to('c', handle(i, 1), handle(i + 1, -1), at(i + 1))
  return pen.close()
}

/** A limb: the hull of two circles. */
export function capsule([x1, y1]: Point, r1: number, [x2, y2]: Point, r2: number): string {
  const dx = x2 - x1
  const dy = y2 - y1
  const length = Math.hypot(dx, dy)
  const angle = Math.atan2(dy, dx)
  const spread = Math.acos(Math.max(-1, Math.min(1, (r1 - r2) / length)))
  const on = (x: number, y: number, r: number, turn: number): Point => [
    x + r * Math.cos(angle + turn),
    y + r * Math.sin(angle + turn),
  ]
  const pen = new Pen()
  pen.to('M', on(x1, y1, r1, -spread))
  pen.to('l', on(x2, y2, r2, -spread))
  pen.arc(r2, 0, on(x2, y2, r2, spread))
  pen.to('l', on(x1, y1, r1, spread))
  pen.arc(r1, spread > Math.PI / 2 ? 0 : 1, on(x1, y1, r1, -spread))
  return pen.close()
}

/** An ellipse, clockwise like the rest. */
export function oval([x, y]: Point, rx: number, ry: number): string {
  return `M${n(x - rx)} ${n(y)}a${n(rx)} ${n(ry)} 0 1 1 ${n(2 * rx)} 0a${n(rx)} ${n(ry)} 0 1 1 ${n(-2 * rx)} 0z`
}

/** Writes relative commands with as few characters as the grammar allows, at 0.1 unit without adding up rounding. */
class Pen {
  private text = ''
  private command = ''
  private x = 0
  private y = 0

  to(command: 'M' | 'l' | 'c', ...points: readonly Point[]): void {
    const [fromX, fromY] = command === 'M' ? [0, 0] : [this.x, this.y]
    const numbers = points.flatMap(([x, y]) => [tenth(x) - fromX, tenth(y) - fromY])
    this.put(command, numbers)
    this.move(points)
  }

  arc(r: number, large: 0 | 1, end: Point): void {
    this.put('a', [r, r, 0, large, 1, tenth(end[0]) - this.x, tenth(end[1]) - this.y])
    this.move([end])
  }

  close(): string {
    return `${this.text}z`
  }

  private put(command: string, numbers: readonly number[]): void {
    const words = numbers.map(n).join(' ').replaceAll(' -', '-')
    this.text += command === this.command ? (words.startsWith('-') ? words : ` ${words}`) : command + words
    this.command = command
  }

  private move(points: readonly Point[]): void {
    const [x, y] = points.at(-1) ?? [0, 0]
    this.x = tenth(x)
    this.y = tenth(y)
  }
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10
}
