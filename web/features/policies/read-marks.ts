const MARKS = /\[([^\]]+)\]\(([^)]+)\)|\*\*([^*]+)\*\*/g

type Piece =
  | { text: string; kind: 'plain' }
  | { text: string; kind: 'strong' }
  | { text: string; kind: 'link'; to: string }

/** A text cut at its `[words](address)` and `**words**`. */
export function readMarks(text: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const match of text.matchAll(MARKS)) {
    if (match.index > from) pieces.push({ kind: 'plain', text: text.slice(from, match.index) })
    const [all, words, to, strong] = match
    if (words !== undefined && to !== undefined) pieces.push({ kind: 'link', text: words, to })
    else pieces.push({ kind: 'strong', text: strong ?? '' })
    from = match.index + all.length
  }
  if (from < text.length) pieces.push({ kind: 'plain', text: text.slice(from) })
  return pieces
}
