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
  const buildWebQuery = (text: string) => sql`websearch_to_tsquery(${config}, search_fold(${text}))`
  const wholeQuery = buildWebQuery(query)
  const splitQuery = splitLastWord(query)
  if (splitQuery === undefined) return wholeQuery
  const { before, last } = splitQuery
  const prefixQuery = sql`to_tsquery('simple', quote_literal(search_fold(${last})) || ':*')`
  const anyQuery = sql`(${wholeQuery} || (${buildWebQuery(before)} && ${prefixQuery}))`
  if (ALTERNATIVES.test(before)) return anyQuery
  // The words before the last one stand only once in the expression, because the index answers that faster. If the last word
  // is a stop word, the texts need not contain it.
  return sql`(case when numnode(${buildWebQuery(last)}) = 0 then ${anyQuery} else ${buildWebQuery(before)} && (${buildWebQuery(last)} || ${prefixQuery}) end)`
}

/** Builds the query that marks the matches, which occur folded or as typed. */
function toMarkQuery(query: string, language: Language): RawBuilder<unknown> {
  return sql`(${toTsQuery(query, language)} || websearch_to_tsquery(${sql.lit(language)}, ${query}))`
}

/** The two ends of a mark, and placeholders for < and >, because PostgreSQL drops text that looks like a tag. */
const MARK_START = '\u0001'
const MARK_END = '\u0002'
const LESS_THAN = '\u0003'
const GREATER_THAN = '\u0004'
const MARK_OPTIONS = `StartSel=${MARK_START}, StopSel=${MARK_END}`

/** Removes the ends of marks from a text, so no author can forge a mark, and replaces < and > by their placeholders. */
const removeMarks = (text: RawBuilder<unknown>) =>
  sql`translate(${text}, ${`<>${MARK_START}${MARK_END}`}, ${LESS_THAN + GREATER_THAN})`
const restoreBrackets = (text: string) => text.replaceAll(LESS_THAN, '<').replaceAll(GREATER_THAN, '>')

/** Marks the matches in the whole of a short text. */
export function markAll(text: RawBuilder<unknown>, query: string, language: Language = 'english'): RawBuilder<string> {
  return sql`ts_headline(${sql.lit(language)}, ${removeMarks(text)}, ${toMarkQuery(query, language)}, ${`HighlightAll=true, ${MARK_OPTIONS}`})`
}

/** Marks the matches in the most relevant passage of a long text, and returns only that passage. */
export function markPassage(
  text: RawBuilder<unknown>,
  query: string,
  language: Language = 'english',
): RawBuilder<string> {
  return sql`ts_headline(${sql.lit(language)}, ${removeMarks(text)}, ${toMarkQuery(query, language)}, ${`MaxFragments=1, MaxWords=30, MinWords=15, ${MARK_OPTIONS}`})`
}

/** Splits a marked text into alternating plain and marked parts. */
export function toParts(marked: string): TextPart[] {
  return marked
    .split(MARK_START)
    .flatMap((piece, index) => {
      const [hit = '', rest] = index === 0 ? ['', piece] : piece.split(MARK_END, 2)
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
const FINAL_PUNCTUATION = /[^\p{L}\p{N}]*$/u

/** Adds an ellipsis to a passage if its text continues, or the final punctuation if it ends. */
export function addEllipses(parts: TextPart[], text: { opening: string; closing: string }): TextPart[] {
  const passage = parts.map((part) => part.text).join('')
  const leadingEllipsis = passage.startsWith(text.opening.slice(0, passage.length)) ? '' : '… '
  const isEnd = passage.replace(FINAL_PUNCTUATION, '').endsWith(text.closing.replace(FINAL_PUNCTUATION, ''))
  const closingText = isEnd ? text.closing.slice(text.closing.replace(FINAL_PUNCTUATION, '').length) : ' …'
  const toTextPart = (sign: string) =>
    sign === '' || FINAL_PUNCTUATION.exec(passage)?.[0] === sign ? [] : [{ text: sign, hit: false }]
  return passage === '' ? [] : [...toTextPart(leadingEllipsis), ...parts, ...toTextPart(closingText)]
}
