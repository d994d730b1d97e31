import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type * as HarfBuzz from 'harfbuzzjs'

/** Draws text as outlines for an SVG drawing. */
export type Pen = {
  /**
   * Draws a line of text in the heading font, with the start of its baseline at 0 0, and returns its width. Leaves a gap for
   * a letter that neither font has.
   */
  write(text: string, size: number): { svg: string; width: number }
}

/** Latin, and Latin Extended-A (scripts/bake-fonts.ts). */
const FONT_PATHS = ['drawn-latin.ttf', 'drawn-latin-ext.ttf'].map((name) =>
  join(import.meta.dirname, '../web/ui/fonts', name),
)

let sharedPen: Promise<Pen> | undefined

/**
 * Returns the pen, which the first picture loads. It draws outlines of the site's own font, so pictures do not depend on the
 * machine's fonts.
 */
export function loadPen(): Promise<Pen> {
  sharedPen ??= createPen()
  return sharedPen
}

async function createPen(): Promise<Pen> {
  const [hb, ...files] = await Promise.all([import('harfbuzzjs'), ...FONT_PATHS.map((file) => readFile(file))])
  const fonts = files.map((file) => new hb.Font(new hb.Face(new hb.Blob(new Uint8Array(file).buffer))))
  return {
    write(text, size) {
      const glyphPaths: string[] = []
      let penPosition = 0
      for (const { font, run } of splitByFont(text.normalize('NFC'), fonts))
        for (const { glyph, advance, x, y } of shapeRun(hb, font, run)) {
          glyphPaths.push(`<path transform="translate(${penPosition + x} ${y})" d="${font.glyphToPath(glyph)}"/>`)
          penPosition += advance
        }
      const scale = size / (fonts[0]?.face.upem ?? 1000)
      return { svg: `<g transform="scale(${scale} ${-scale})">${glyphPaths.join('')}</g>`, width: penPosition * scale }
    },
  }
}

/** Splits a text into runs, each with the first font that has its letters. */
function splitByFont(text: string, fonts: readonly HarfBuzz.Font[]) {
  const runs: { font: HarfBuzz.Font; run: string }[] = []
  for (const letter of text) {
    const font = fonts.find((candidate) => candidate.nominalGlyph(letter.codePointAt(0) ?? 0)) ?? fonts[0]
    const lastRun = runs.at(-1)
    if (font === undefined) continue
    if (lastRun?.font === font) lastRun.run += letter
    else runs.push({ font, run: letter })
  }
  return runs
}

function shapeRun(hb: typeof HarfBuzz, font: HarfBuzz.Font, text: string) {
  const buffer = new hb.Buffer()
  buffer.addText(text)
  buffer.setDirection(hb.Direction.LTR)
  buffer.guessSegmentProperties()
  hb.shape(font, buffer)
  return buffer.getGlyphInfosAndPositions().map(({ codepoint, xAdvance = 0, xOffset = 0, yOffset = 0 }) => ({
    glyph: codepoint,
    advance: xAdvance,
    x: xOffset,
    y: yOffset,
  }))
}
