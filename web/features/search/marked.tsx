import type { TextPart } from '#contract/search-words.ts'

/** A text with what was asked for marked. */
export function Marked({ parts }: { parts: readonly TextPart[] }) {
  return parts.map(({ text, hit }, index) => {
    const key = `${index}-${text}`
    return hit ? <mark key={key}>{text}</mark> : <span key={key}>{text}</span>
  })
}
