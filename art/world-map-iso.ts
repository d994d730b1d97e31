import { n, path } from './svg.ts'

/** A corner on the hill: `i` runs right and down, `j` left and down, `k` up. */
export type Corner = readonly [i: number, j: number, k?: number]

/** Three tones of one body: its top, the face towards the left, the face towards the right. */
export type Tones = readonly [top: string, left: string, right: string]

/** Draws in one place's own corner system, whose origin stands at (ox, oy) of the map. */
export class Ground {
  private readonly ox: number
  private readonly oy: number

  constructor(ox: number, oy: number) {
    this.ox = ox
    this.oy = oy
  }

  /** Where a corner stands on the map. */
  at([i, j, k = 0]: Corner): readonly [number, number] {
    return [this.ox + i - j, this.oy + (i + j) / 2 - k]
  }

  /** A closed outline through corners, as path data. */
  face(...corners: readonly Corner[]): string {
    return `M${corners
      .map((corner) =>
        this.at(corner)
          .map((value) => n(Math.round(value)))
          .join(' '),
      )
      .join('L')}z`
  }

  /** A box from a corner, `a` long along i, `b` along j, `h` high. */
  box([i, j, k = 0]: Corner, a: number, b: number, h: number, [top, left, right]: Tones): string {
    const up = k + h
    return (
      path(this.face([i, j + b, k], [i + a, j + b, k], [i + a, j + b, up], [i, j + b, up]), left) +
      path(this.face([i + a, j, k], [i + a, j + b, k], [i + a, j + b, up], [i + a, j, up]), right) +
      path(this.face([i, j, up], [i + a, j, up], [i + a, j + b, up], [i, j + b, up]), top)
    )
  }

  /** A roof with four sides over a box's top. */
  hip([i, j, k = 0]: Corner, a: number, b: number, rise: number, left: string, right: string): string {
    const peak: Corner = [i + a / 2, j + b / 2, k + rise]
    return (
      path(this.face([i, j + b, k], [i + a, j + b, k], peak), left) +
      path(this.face([i + a, j, k], [i + a, j + b, k], peak), right)
    )
  }

  /** Panes on the face towards the left (at `j`), as path data: `count` of them from i to i + a. `arched` gives them a pointed head. */
  leftPanes([i, j, k = 0]: Corner, a: number, count: number, w: number, h: number, arched = false): string {
    return panes(a, count, w, (u, v) =>
      arched
        ? this.face(
            [i + u, j, k],
            [i + v, j, k],
            [i + v, j, k + h * 0.7],
            [i + (u + v) / 2, j, k + h],
            [i + u, j, k + h * 0.7],
          )
        : this.face([i + u, j, k], [i + v, j, k], [i + v, j, k + h], [i + u, j, k + h]),
    )
  }

  /** Panes on the face towards the right (at `i`), from j to j + b. */
  rightPanes([i, j, k = 0]: Corner, b: number, count: number, w: number, h: number, arched = false): string {
    return panes(b, count, w, (u, v) =>
      arched
        ? this.face(
            [i, j + u, k],
            [i, j + v, k],
            [i, j + v, k + h * 0.7],
            [i, j + (u + v) / 2, k + h],
            [i, j + u, k + h * 0.7],
          )
        : this.face([i, j + u, k], [i, j + v, k], [i, j + v, k + h], [i, j + u, k + h]),
    )
  }
}

function panes(length: number, count: number, w: number, draw: (from: number, to: number) => string): string {
  const pitch = length / count
  return Array.from({ length: count }, (_, at) =>
    draw(pitch * at + (pitch - w) / 2, pitch * at + (pitch + w) / 2),
  ).join('')
}
