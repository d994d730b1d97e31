/**
 * Reads tables (CSV, the names of the columns in the first line) and texts (Markdown, with lines of `key: value` between two
 * lines of `---` before them). Each is checked against a schema, which names the file when something does not fit.
 * Only for Node: the build writes what was read into the pages (scripts/wire-contract.ts).
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import MarkdownIt, { type Token } from 'markdown-it'
import Papa from 'papaparse'
import { z } from 'zod'
import type { Block } from './prose.ts'
import { fillValues } from './values.ts'

/** The readers of a folder's files. `fill` changes every file before it is read. */
export function openFolder(folder: string, fill = (text: string) => text) {
  /** Git may have written line breaks as Windows does. */
  const readText = (file: string) => fill(readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n'))

  function check<Schema extends z.ZodType>(schema: Schema, value: unknown, where: string): z.output<Schema> {
    try {
      return schema.parse(value)
    } catch (error) {
      const problem = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
      throw new Error(`${join(folder, where)}\n${problem}`, { cause: error })
    }
  }

  return {
    readText,

    /** The rows of a table. An empty cell is as if its column were not there. @throws when a row does not fit */
    readTable<Row extends z.ZodType>(file: string, row: Row): z.output<Row>[] {
      const parsed = Papa.parse<Record<string, string>>(readText(file), {
        delimiter: ',',
        header: true,
        skipEmptyLines: true,
      })
      if (parsed.errors[0] !== undefined) throw new Error(`${join(folder, file)}: ${parsed.errors[0].message}`)
      return parsed.data.map((cells, index) => {
        const filled = Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== ''))
        return check(row, filled, `${file}, row ${index + 1}`)
      })
    },

    /** The texts that a pattern finds, by the names of their files; `body` is what follows the keys. @throws as above */
    readTexts<Text extends z.ZodType>(pattern: string, text: Text): z.output<Text>[] {
      const files = globSync(pattern, { cwd: folder }).sort()
      return files.map((file) => {
        const [, lines = '', body = ''] = /^(?:---\n(.*?)\n---\n)?(.*)$/s.exec(readText(file)) ?? []
        const keys = lines.split('\n').flatMap((line) => {
          const [, key = line, value = ''] = /^(\w+): (.+)$/.exec(line) ?? []
          return line === '' ? [] : [[key, value]]
        })
        return check(text, { ...Object.fromEntries(keys), body: body.trim() }, file)
      })
    },
  }
}

/** The files of this folder, with the site's values filled in. */
export const content = openFolder(import.meta.dirname, fillValues)

/** A whole number. */
export const whole = z.coerce.number<string>().int()

/** `yes`, or nothing. */
export const flag = z
  .literal('yes')
  .optional()
  .transform((value) => value === 'yes')

/** Several texts with commas between them. */
export const list = z.string().transform((text) => text.split(', '))

/** A text in parts, each below a heading of the second level; an anchor may follow it, as in `## Parties {#parties}`. */
export const parts = z.string().transform((text) => {
  const [, ...pieces] = `\n${text}`.split(/\n## (.+?)(?: \{#([\w-]+)\})?(?:\n|$)/)
  return Array.from({ length: pieces.length / 3 }, (_, nth) => ({
    title: pieces[3 * nth] ?? '',
    id: pieces[3 * nth + 1] ?? '',
    text: (pieces[3 * nth + 2] ?? '').trim(),
  }))
})

/** A long text as blocks, which may ask for these figures by `![name]()`. */
export const prose = <Figure extends string = never>(figures: readonly Figure[] = []) =>
  z.string().transform((text, context) => {
    const blocks = readBlocks(text)
    for (const block of blocks)
      if (typeof block === 'object' && 'figure' in block && !(figures as readonly string[]).includes(block.figure))
        context.addIssue(`There is no figure ${block.figure}.`)
    return blocks as Block<Figure>[]
  })

const markdown = new MarkdownIt()

/** Markdown as blocks. Sentences keep their marks, which `readMarks` takes apart. A line `Table: …` before a table is its caption. */
function readBlocks(text: string): Block<string>[] {
  const tokens = markdown.parse(text, {})
  const blocks: Block<string>[] = []
  let caption: string | undefined
  for (let at = 0; at < tokens.length; at++) {
    const end = tokens.findIndex(({ level, nesting }, index) => index > at && level === 0 && nesting === -1)
    const [first, ...inner] = tokens.slice(at, end + 1)
    at = end
    const sentences = inner.filter(({ type }) => type === 'inline').map(({ content }) => content)
    const [sentence = ''] = sentences
    const named = /^Table: (.+)$/.exec(sentence)
    const figure = /^!\[([\w-]+)\]\(\)$/.exec(sentence)
    if (first?.type === 'table_open') {
      blocks.push({ table: { ...(caption !== undefined && { caption }), ...readTableTokens(inner) } })
      caption = undefined
    } else if (first?.type === 'bullet_list_open') blocks.push({ list: sentences })
    else if (first?.type === 'ordered_list_open') blocks.push({ steps: sentences })
    else if (first?.type === 'blockquote_open') blocks.push(readAside(sentence))
    else if (named?.[1] !== undefined) caption = named[1]
    else if (figure?.[1] !== undefined) blocks.push({ figure: figure[1] })
    else if (first?.type === 'paragraph_open') blocks.push(sentence)
    else throw new Error(`Texts have no ${first?.type ?? 'such block'}: ${sentence}`)
  }
  return blocks
}

function readTableTokens(tokens: readonly Token[]) {
  const rows: string[][] = []
  for (const { type, content } of tokens)
    if (type === 'tr_open') rows.push([])
    else if (type === 'inline') rows.at(-1)?.push(content)
  const [columns = [], ...others] = rows
  return { columns, rows: others }
}

/** Advice or a remark, as GitHub writes them. */
function readAside(text: string): Block {
  const [, kind, words = ''] = /^\[!(TIP|NOTE)\]\n(.+)$/.exec(text) ?? []
  if (kind === undefined) throw new Error(`A quote has to begin with [!TIP] or [!NOTE]: ${text}`)
  return kind === 'TIP' ? { tip: words } : { note: words }
}
