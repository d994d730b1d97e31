/**
 * Reads tables (CSV whose first line has the columns' names) and texts (Markdown after lines of `key: value` between
 * two lines of `---`). Checks each against a schema; errors name the file. Only for Node: the build writes the values
 * into the pages (scripts/wire-contract.ts).
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import MarkdownIt from 'markdown-it'
import Papa from 'papaparse'
import { z } from 'zod'
import { fillValues } from './values.ts'

/** Returns functions that read a folder's files. `fill` changes the text of every file first. */
export function openFolder(folder: string, fill = (text: string) => text) {
  /** Git writes Windows line breaks on some systems. */
  const readText = (file: string) => fill(readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n'))

  function checkSchema<Schema extends z.ZodType>(schema: Schema, value: unknown, location: string): z.output<Schema> {
    try {
      return schema.parse(value)
    } catch (error) {
      const problem = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
      throw new Error(`${join(folder, location)}\n${problem}`, { cause: error })
    }
  }

  return {
    readText,

    /** Reads the rows of a table. Empty cells are omitted. @throws when a row does not fit the schema */
    readTable<Row extends z.ZodType>(file: string, row: Row): z.output<Row>[] {
      const parseResult = Papa.parse<Record<string, string>>(readText(file), {
        delimiter: ',',
        header: true,
        skipEmptyLines: true,
      })
      if (parseResult.errors[0] !== undefined)
        throw new Error(`${join(folder, file)}: ${parseResult.errors[0].message}`)
      return parseResult.data.map((cells, index) => {
        const filledCells = Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== ''))
        return checkSchema(row, filledCells, `${file}, row ${index + 1}`)
      })
    },

    /**
     * Reads the texts that match a pattern, sorted by file name; `body` is the text after the keys.
     *
     * @throws when a text does not fit the schema
     */
    readTexts<Text extends z.ZodType>(pattern: string, text: Text): z.output<Text>[] {
      const files = globSync(pattern, { cwd: folder }).sort()
      return files.map((file) => {
        const [, lines = '', body = ''] = /^(?:---\n(.*?)\n---\n)?(.*)$/s.exec(readText(file)) ?? []
        const keys = lines.split('\n').flatMap((line) => {
          const [, key = line, value = ''] = /^(\w+): (.+)$/.exec(line) ?? []
          return line === '' ? [] : [[key, value]]
        })
        return checkSchema(text, { ...Object.fromEntries(keys), body: body.trim() }, file)
      })
    },
  }
}

/** The files of this folder, with the site's values filled in. */
export const content = openFolder(import.meta.dirname, fillValues)

/** A whole number. */
export const wholeNumber = z.coerce.number<string>().int()

/** `yes`, or empty. */
export const flag = z
  .literal('yes')
  .optional()
  .transform((value) => value === 'yes')

/** Texts separated by commas. */
export const list = z.string().transform((text) => text.split(', '))

/**
 * The parts of a text, each below a heading of the second level. An anchor can follow a heading, as in `## Parties
 * {#parties}`.
 */
export const headedSections = z.string().transform((text) => {
  const [, ...sectionTexts] = `\n${text}`.split(/\n## (.+?)(?: \{#([\w-]+)\})?(?:\n|$)/)
  return Array.from({ length: sectionTexts.length / 3 }, (_, nth) => ({
    title: sectionTexts[3 * nth] ?? '',
    id: sectionTexts[3 * nth + 1] ?? '',
    text: (sectionTexts[3 * nth + 2] ?? '').trim(),
  }))
})

const markdown = new MarkdownIt()

/**
 * Markdown as HTML that the desk's editor can edit. A quote that begins with `[!TIP]` becomes advice, one with
 * `[!NOTE]` a remark in small letters. A line `Table: …` becomes a small heading above a table.
 */
export const html = z.string().transform((text) =>
  markdown
    .render(text)
    .replace(/>\n/g, '>')
    .replaceAll('&quot;', '"')
    .replace(/<p>Table: (.+?)<\/p>/g, '<h3>$1</h3>')
    .replace(/<blockquote><p>\[!TIP\]\n/g, '<blockquote><p>')
    .replace(/<blockquote><p>\[!NOTE\]\n(.+?)<\/p><\/blockquote>/gs, '<p><small>$1</small></p>')
    .replace(/<tr><td>(.*?)<\/td>/g, '<tr><th scope="row">$1</th>'),
)

/** The rows of a table, without its head. */
export const tableRows = z.string().transform((text) =>
  markdown
    .parse(text, {})
    .reduce<string[][]>((rows, { type, content }) => {
      if (type === 'tr_open') rows.push([])
      else if (type === 'inline') rows.at(-1)?.push(content)
      return rows
    }, [])
    .slice(1),
)

/** The lines of a list. */
export const lines = z
  .string()
  .transform((text) =>
    markdown.parse(text, {}).flatMap(({ type, content }) => (type === 'inline' ? [{ line: content }] : [])),
  )

/** The links of a text, without the text between them. */
export const links = z
  .string()
  .transform((text) => [...text.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, label = '', to = '']) => ({ label, to })))
