import { type RawBuilder, sql } from 'kysely'
import type { TextPart } from '#contract/search.ts'

const LAST_WORD = /^(.*?)([\p{L}\p{M}\p{N}]+)$/su

/**
 * Splits off the last word, which may be unfinished, and returns the text before it. Returns undefined if the query ends in
 * punctuation, inside quotes, or in an excluded word.
 */
export function splitLastWord(query: string): { before: string; last: string } | undefined {
  const [, before, last] = LAST_WORD.exec(query) ?? []
  if (before === undefined || last === undefined) return undefined
  const isQuoted = before.split('"').length % 2 === 0
  return isQuoted || /(^|\s)-$/.test(before) ? undefined : { before, last }
}

/** How PostgreSQL analyzes the words of a text: by their English stems, or unchanged in any language. */
export type Language = 'english' | 'simple'

/** Matches a query with `or`, which cannot be composed from its words. */
const ALTERNATIVES = /(^|\s)or(\s|$)/i

/** Builds the query as a PostgreSQL expression: words with quotes and minus, where the last word may also be a prefix. */
export function toTsQuery(query: string, language: Language = 'english'): RawBuilder<unknown> {
  const config = sql.lit(language)
  const ask = (text: string) => sql`websearch_to_tsquery(${config}, search_fold(${text}))`
  const whole = ask(query)
  const split = splitLastWord(query)
  if (split === undefined) return whole
  const { before, last } = split
  const unfinished = sql`to_tsquery('simple', quote_literal(search_fold(${last})) || ':*')`
  const either = sql`(${whole} || (${ask(before)} && ${unfinished}))`
  if (ALTERNATIVES.test(before)) return either
  // Contains the other words once, because the index answers that faster. If the last word is a stop word, the texts need
  // not contain it.
  return sql`(case when numnode(${ask(last)}) = 0 then ${either} else ${ask(before)} && (${ask(last)} || ${unfinished}) end)`
}

/** Builds the query that marks the matches, which occur folded or as typed. */
function toMarkQuery(query: string, language: Language): RawBuilder<unknown> {
  return sql`(${toTsQuery(query, language)} || websearch_to_tsquery(${sql.lit(language)}, ${query}))`
}

/** The two ends of a mark, and placeholders for < and >, because PostgreSQL drops text that looks like a tag. */
const START = '\u0001'
const STOP = '\u0002'
const LESS = '\u0003'
const MORE = '\u0004'
const ENDS = `StartSel=${START}, StopSel=${STOP}`

/** Removes these characters from a text, so no author can forge a mark. */
const removeMarks = (text: RawBuilder<unknown>) => sql`translate(${text}, ${`<>${START}${STOP}`}, ${LESS + MORE})`
const restoreBrackets = (text: string) => text.replaceAll(LESS, '<').replaceAll(MORE, '>')

/** Marks the matches in the whole of a short text. */
export function markAll(text: RawBuilder<unknown>, query: string, language: Language = 'english'): RawBuilder<string> {
  return sql`ts_headline(${sql.lit(language)}, ${removeMarks(text)}, ${toMarkQuery(query, language)}, ${`HighlightAll=true, ${ENDS}`})`
}

/** Marks the matches in the most relevant passage of a long text, and returns only that passage. */
export function markPassage(
  text: RawBuilder<unknown>,
  query: string,
  language: Language = 'english',
): RawBuilder<string> {
  return sql`ts_headline(${sql.lit(language)}, ${removeMarks(text)}, ${toMarkQuery(query, language)}, ${`MaxFragments=1, MaxWords=30, MinWords=15, ${ENDS}`})`
}

/** Splits a marked text into alternating plain and marked parts. */
export function toParts(marked: string): TextPart[] {
  return marked
    .split(START)
    .flatMap((piece, index) => {
      const [hit = '', rest] = index === 0 ? ['', piece] : piece.split(STOP, 2)
      return [
        { text: restoreBrackets(hit), hit: true },
        { text: restoreBrackets(rest ?? ''), hit: false },
      ]
    })
    .filter(({ text }) => text !== '')
}

/** Splits a text into parts, with its first `length` characters marked. */
export function markBeginning(text: string, length: number): TextPart[] {
  return [
    { text: text.slice(0, length), hit: true },
    { text: text.slice(length), hit: false },
  ].filter((part) => part.text !== '')
}

/** The punctuation at the end of a text, which PostgreSQL cuts off its passages. */
const LAST_SIGNS = /[^\p{L}\p{N}]*$/u

/** Adds an ellipsis to a passage if its text continues, or the final punctuation if it ends. */
export function addEllipses(parts: TextPart[], text: { opening: string; closing: string }): TextPart[] {
  const passage = parts.map((part) => part.text).join('')
  const before = passage.startsWith(text.opening.slice(0, passage.length)) ? '' : '… '
  const isEnd = passage.replace(LAST_SIGNS, '').endsWith(text.closing.replace(LAST_SIGNS, ''))
  const after = isEnd ? text.closing.slice(text.closing.replace(LAST_SIGNS, '').length) : ' …'
  const toPart = (sign: string) =>
    sign === '' || LAST_SIGNS.exec(passage)?.[0] === sign ? [] : [{ text: sign, hit: false }]
  return passage === '' ? [] : [...toPart(before), ...parts, ...toPart(after)]
}
