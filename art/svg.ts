/** Colours of the look, for pictures that cannot read the page's custom properties. */
export const ink = '#0A0C13'
export const ink2 = '#11141F'
export const black = '#06070C'
export const paper = '#F5F1E6'
export const signal = '#FFD21F'
export const coin = '#FFB81C'

/** A school's palette: bright half, dark half, metal, tint for rim light, banner ground. */
interface Palette {
  readonly a: string
  readonly d: string
  readonly b: string
  readonly t: string
  readonly field: string
}

export const gate: Palette = { a: '#2B50E8', d: '#1A2F93', b: '#E9BE5A', t: '#A9B9FF', field: '#18286F' }
export const peak: Palette = { a: '#0A7F60', d: '#075743', b: '#D8E1E4', t: '#6FDDBB', field: '#083E30' }
export const phoenix: Palette = { a: '#C92C0E', d: '#7E1A09', b: '#FFB54A', t: '#FF9C82', field: '#5A170B' }
export const schools: readonly [Palette, Palette, Palette] = [gate, peak, phoenix]

/** A number as short as it can be written at 0.1 px. */
export function n(value: number): string {
  const text = (Math.round(value * 10) / 10).toString()
  return text.replace(/^(-?)0\./, '$1.').replace(/^-$/, '0')
}

/** A whole SVG file. */
export function svg(width: number, height: number, body: string, extra = ''): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"${extra}>${body}</svg>\n`
}

/** A filled path. `extra` is further attributes, led by a space. */
export function path(d: string, fill: string, extra = ''): string {
  return `<path d="${d}" fill="${fill}"${extra}/>`
}

/** A line. */
export function stroke(d: string, color: string, width: number, extra = ''): string {
  return `<path d="${d}" fill="none" stroke="${color}" stroke-width="${n(width)}"${extra}/>`
}

/** A filled rectangle. */
export function rect(x: number, y: number, width: number, height: number, fill: string, extra = ''): string {
  return `<path d="${box(x, y, width, height)}" fill="${fill}"${extra}/>`
}

/** A rectangle as path data, so that many of one colour share a path. */
export function box(x: number, y: number, width: number, height: number): string {
  return `M${n(x)} ${n(y)}h${n(width)}v${n(height)}h${n(-width)}z`
}

/** A filled circle. */
export function circle(cx: number, cy: number, r: number, fill: string, extra = ''): string {
  return `<circle cx="${n(cx)}" cy="${n(cy)}" r="${n(r)}" fill="${fill}"${extra}/>`
}

/** A circle as path data. */
export function disc(cx: number, cy: number, r: number): string {
  return `M${n(cx - r)} ${n(cy)}a${n(r)} ${n(r)} 0 1 0 ${n(2 * r)} 0a${n(r)} ${n(r)} 0 1 0 ${n(-2 * r)} 0z`
}

/** Drawing under one transform. */
export function group(transform: string, body: string, extra = ''): string {
  return `<g transform="${transform}"${extra}>${body}</g>`
}

/** A gradient along the box of what it paints. `stops` are `[offset, colour, opacity]`; the line runs from (x1, y1) to (x2, y2) in 0..1. */
export function linear(
  id: string,
  line: readonly [number, number, number, number],
  stops: ReadonlyArray<readonly [number, string, number?]>,
): string {
  const [x1, y1, x2, y2] = line
  return `<linearGradient id="${id}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}">${stopList(stops)}</linearGradient>`
}

/** A radial gradient in user space. */
export function radial(
  id: string,
  cx: number,
  cy: number,
  r: number,
  stops: ReadonlyArray<readonly [number, string, number?]>,
): string {
  return `<radialGradient id="${id}" gradientUnits="userSpaceOnUse" cx="${n(cx)}" cy="${n(cy)}" r="${n(r)}">${stopList(stops)}</radialGradient>`
}

function stopList(stops: ReadonlyArray<readonly [number, string, number?]>): string {
  return stops
    .map(
      ([at, color, opacity]) =>
        `<stop offset="${at}" stop-color="${color}"${opacity === undefined ? '' : ` stop-opacity="${opacity}"`}/>`,
    )
    .join('')
}

/** The same sequence of numbers in 0..1 for the same seed, so that two bakes give the same bytes. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 4294967296
  }
}
