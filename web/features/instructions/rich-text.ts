type Span = { kind: 'text' | 'strong' | 'key'; text: string } | { kind: 'link'; text: string; to: string }

const MARKS = /\*\*(.+?)\*\*|`(.+?)`|\[(.+?)\]\((.+?)\)/g

/** The pieces of a guide sentence: plain words, `**strong**`, `` `key` `` and `[link](/path)`. */
export function spansOf(sentence: string): Span[] {
  const spans: Span[] = []
  let end = 0
  for (const match of sentence.matchAll(MARKS)) {
    if (match.index > end) spans.push({ kind: 'text', text: sentence.slice(end, match.index) })
    const [whole, strong, key, label, to] = match
    if (strong !== undefined) spans.push({ kind: 'strong', text: strong })
    else if (key !== undefined) spans.push({ kind: 'key', text: key })
    else if (label !== undefined && to !== undefined) spans.push({ kind: 'link', text: label, to })
    end = match.index + whole.length
  }
  if (end < sentence.length) spans.push({ kind: 'text', text: sentence.slice(end) })
  return spans
}
