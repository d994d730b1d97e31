import { OwnOrForeignLink } from '#web/ui/link.tsx'
import styles from './policy.module.css'
import { readMarks } from './read-marks.ts'

/** A text with its links. */
export function RichText({ text }: { text: string }) {
  return readMarks(text).map((piece) => {
    if (piece.kind === 'plain') return piece.text
    if (piece.kind === 'strong') return <strong key={piece.text}>{piece.text}</strong>
    if (/^(mailto:|#)/.test(piece.to)) {
      return (
        <a key={piece.to} href={piece.to} className={styles.link}>
          {piece.text}
        </a>
      )
    }
    return (
      <OwnOrForeignLink key={piece.to} to={piece.to} className={styles.link}>
        {piece.text}
      </OwnOrForeignLink>
    )
  })
}
