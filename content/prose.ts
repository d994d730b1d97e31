/**
 * Long texts as data: policies, guides, the instructions. A string is a paragraph; the other blocks are objects with one
 * key. Every sentence may hold inline marks: `**strong**`, `` `key` `` for a key of the keyboard, and
 * `[words](address)` for a link, where the address is a path of this site, an anchor, a mail address or a foreign page.
 *
 * `Figure` lists the names of the drawings that a page offers; without any, a text cannot ask for one.
 */
export type Block<Figure extends string = never> =
  | string
  | { list: readonly string[] }
  | { steps: readonly string[] }
  /** Advice, set apart from the text. */
  | { tip: string }
  /** A remark or an exception, set apart more quietly. */
  | { note: string }
  | { table: ProseTable }
  | { figure: Figure }

/** The first cell of a row names the row. */
export type ProseTable = {
  caption?: string
  columns: readonly string[]
  rows: readonly (readonly string[])[]
}

export type Piece = { kind: 'plain' | 'strong' | 'key'; text: string } | { kind: 'link'; text: string; to: string }

const MARKS = /\[([^\]]+)\]\(([^)]+)\)|\*\*([^*]+)\*\*|`([^`]+)`/g

/** Cuts a sentence at its inline marks, in order. Marks do not nest, and a mark without its end is plain text. */
export function readMarks(sentence: string): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const match of sentence.matchAll(MARKS)) {
    if (match.index > end) pieces.push({ kind: 'plain', text: sentence.slice(end, match.index) })
    const [whole, words, to, strong, key] = match
    if (words !== undefined && to !== undefined) pieces.push({ kind: 'link', text: words, to })
    else if (strong !== undefined) pieces.push({ kind: 'strong', text: strong })
    else if (key !== undefined) pieces.push({ kind: 'key', text: key })
    end = match.index + whole.length
  }
  if (end < sentence.length) pieces.push({ kind: 'plain', text: sentence.slice(end) })
  return pieces
}

/** The links in a text, without what stands between them. */
export const readLinks = (text: string): { to: string; label: string }[] =>
  readMarks(text).flatMap((piece) => (piece.kind === 'link' ? [{ to: piece.to, label: piece.text }] : []))
