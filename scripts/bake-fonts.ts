/**
 * Reduces the two fonts to the weights and characters that the site uses (LOOK-6): `web/ui/fonts/*.woff2` with
 * `fonts.css`. A small file per font has the characters of nearly every page; browsers download the others only if a
 * page needs them. Pictures that the server draws use the heading font, `drawn-*.ttf`.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import subsetFont from 'subset-font'

const OUTPUT_FOLDER = join(import.meta.dirname, '../web/ui/fonts')

/** `wght` is the range of weights in the stylesheets. */
const FONTS = [
  { family: 'Sofia Sans Extra Condensed Variable', name: 'sofia-sans-extra-condensed', wght: { min: 500, max: 900 } },
  { family: 'Source Sans 3 Variable', name: 'source-sans-3', wght: { min: 400, max: 700 } },
]

/**
 * English, Filipino and Spanish letters, two more for the list of countries, and the punctuation of the site's texts.
 */
const CORE = [...listRange(0x20, 0x7e), ...listPoints('\u00a0¡¿©·×ÁÅÉÍÑÓÚÜáçéíñóúü–—‘’“”…−')]
/**
 * The files of each font with their characters: the most common ones; the other characters of the first two Latin
 * blocks with common symbols; Latin Extended-A with currency symbols, including ₱.
 */
const FONT_PARTS = [
  { part: 'core', file: 'latin', letters: CORE },
  {
    part: 'latin',
    file: 'latin',
    letters: removePoints(CORE, [
      ...listRange(0xa1, 0xff),
      ...listRange(0x2000, 0x206f),
      ...listPoints('ıŒœʻʼˆ˚˜€™↑↓∕\ufffd'),
    ]),
  },
  {
    part: 'extended',
    file: 'latin-ext',
    letters: removePoints(listPoints('ıŒœ'), [
      ...listRange(0x100, 0x17f),
      ...listRange(0x20a0, 0x20ab),
      ...listRange(0x20ad, 0x20c0),
    ]),
  },
]

/** The features that the stylesheets and correct typesetting need: kerning, accents, ligatures, tabular figures. */
const FEATURES = ['kern', 'mark', 'mkmk', 'ccmp', 'liga', 'calt', 'clig', 'rlig', 'locl', 'tnum', 'rvrn', 'rclt']

function listRange(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, nth) => from + nth)
}

function listPoints(text: string): number[] {
  return Array.from(text, (letter) => letter.codePointAt(0) ?? 0)
}

function removePoints(removedPoints: readonly number[], allPoints: readonly number[]): number[] {
  return allPoints.filter((point) => !removedPoints.includes(point))
}

/** Formats characters for CSS: `U+20-7E, U+A0`. */
function formatUnicodeRange(letters: readonly number[]): string {
  const pointSpans: [number, number][] = []
  for (const point of [...letters].sort((a, b) => a - b)) {
    const lastSpan = pointSpans.at(-1)
    if (lastSpan !== undefined && lastSpan[1] + 1 === point) lastSpan[1] = point
    else pointSpans.push([point, point])
  }
  const hex = (point: number) => point.toString(16).toUpperCase()
  return pointSpans.map(([from, to]) => `U+${hex(from)}${from === to ? '' : `-${hex(to)}`}`).join(', ')
}

/** Reads an unchanged font of the package. */
function readFullFont(name: string, file: string): Promise<Buffer> {
  const folder = dirname(createRequire(import.meta.url).resolve(`@fontsource-variable/${name}/package.json`))
  return readFile(join(folder, `files/${name}-${file}-wght-normal.woff2`))
}

await mkdir(OUTPUT_FOLDER, { recursive: true })
const fontRules: string[] = []
for (const { family, name, wght } of FONTS) {
  for (const { part: fontPart, file, letters } of FONT_PARTS) {
    const fullFont = await readFullFont(name, file)
    const options = { targetFormat: 'woff2', keepFeatures: FEATURES, variationAxes: { wght }, noHinting: true } as const
    await writeFile(
      join(OUTPUT_FOLDER, `${name}-${fontPart}.woff2`),
      await subsetFont(fullFont, String.fromCodePoint(...letters), options),
    )
    fontRules.push(`@font-face {
  font-family: "${family}";
  font-weight: ${wght.min} ${wght.max};
  font-display: swap;
  src: url("./${name}-${fontPart}.woff2") format("woff2");
  unicode-range: ${formatUnicodeRange(letters)};
}
`)
  }
}
await writeFile(join(OUTPUT_FOLDER, 'fonts.css'), fontRules.join('\n'))

for (const file of ['latin', 'latin-ext']) {
  const letters = FONT_PARTS.filter((fontPart) => fontPart.file === file).flatMap((fontPart) => fontPart.letters)
  const options = {
    targetFormat: 'truetype',
    keepFeatures: FEATURES,
    variationAxes: { wght: 800 },
    noHinting: true,
  } as const
  await writeFile(
    join(OUTPUT_FOLDER, `drawn-${file}.ttf`),
    await subsetFont(await readFullFont('sofia-sans-extra-condensed', file), String.fromCodePoint(...letters), options),
  )
}
