/**
 * Guide text as data. Within a sentence: `**strong**`, `` `F1` `` for a key and `[words](/path)` for a link.
 * A plain string is a paragraph.
 */
export type Block =
  | string
  | { list: readonly string[] }
  | { steps: readonly string[] }
  | { tip: string }
  | { table: { caption: string; head: readonly string[]; rows: readonly (readonly string[])[] } }
