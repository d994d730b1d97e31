import { Link } from '#web/ui/link.tsx'
import { richParts } from './rich-parts.ts'
import styles from './system-blocks.module.css'

/** A content text with its links and strong words. */
export function RichText({ text }: { text: string }) {
  return richParts(text).map((part, index) => {
    const key = `${index} ${part.text}`
    if (part.kind === 'strong') return <strong key={key}>{part.text}</strong>
    if (part.kind === 'plain') return part.text
    return (
      <Link key={key} to={part.to} className={styles.link} prefetch="intent">
        {part.text}
      </Link>
    )
  })
}
