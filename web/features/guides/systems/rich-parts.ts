export type RichPart =
  | { kind: 'plain'; text: string }
  | { kind: 'strong'; text: string }
  | { kind: 'link'; text: string; to: string }

const MARKS = /\[([^\]]+)\]\(([^)]+)\)|\*\*([^*]+)\*\*/g

/** Splits a content text at its `[links](/path)` and `**strong words**`. */
export function richParts(text: string): RichPart[] {
  const parts: RichPart[] = []
  let at = 0
  for (const match of text.matchAll(MARKS)) {
    if (match.index > at) parts.push({ kind: 'plain', text: text.slice(at, match.index) })
    const [whole, label, to, strong] = match
    if (label !== undefined && to !== undefined) parts.push({ kind: 'link', text: label, to })
    else if (strong !== undefined) parts.push({ kind: 'strong', text: strong })
    at = match.index + whole.length
  }
  if (at < text.length) parts.push({ kind: 'plain', text: text.slice(at) })
  return parts
}
