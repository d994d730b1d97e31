import { glyphs } from './glyphs.ts'
import { n } from './svg.ts'

interface Word {
  readonly x: number
  /** Baseline. */
  readonly y: number
  /** Font size in px; capitals are 0.655 of it high. */
  readonly size: number
  readonly fill: string
  readonly anchor?: 'start' | 'middle' | 'end'
  readonly tracking?: number
}

/** A word in the display face as outlines. Throws on a letter that has none, so that no word loses one silently. */
export function word(text: string, { x, y, size, fill, anchor = 'start', tracking = 0 }: Word): string {
  const scale = size / 200
  let pen = 0
  const letters = [...text].map((letter) => {
    const glyph = glyphs[letter]
    if (!glyph) throw new Error(`no outline for "${letter}"`)
    const [advance, d] = glyph
    const at = pen
    pen += advance + tracking / scale
    return d && (at ? `<path transform="translate(${n(at)})" d="${d}"/>` : `<path d="${d}"/>`)
  })
  const width = (pen - tracking / scale) * scale
  const left = anchor === 'start' ? x : anchor === 'middle' ? x - width / 2 : x - width
  return `<g transform="translate(${n(left)} ${n(y)}) scale(${Number(scale.toFixed(4))})" fill="${fill}">${letters.join('')}</g>`
}
