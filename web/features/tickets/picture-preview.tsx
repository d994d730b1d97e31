import { useState } from 'react'
import { sizeWords } from './picture-rules.ts'
import styles from './pictures-field.module.css'
import { useObjectUrl } from './use-object-url.ts'

type Props = { file: File /** Whether the server has said no to it. */; refused: boolean; onRemove: () => void }

/** A chosen file: its picture, its name and size, and the way to take it away. */
export function PicturePreview({ file, refused, onRemove }: Props) {
  const url = useObjectUrl(file)
  const [broken, setBroken] = useState(false)
  return (
    <li className={styles.preview} data-refused={refused || undefined}>
      <span className={styles.picture}>
        {url !== undefined && !broken ? (
          <img src={url} alt="" onError={() => setBroken(true)} />
        ) : (
          <span className={styles.none} aria-hidden="true">
            ?
          </span>
        )}
      </span>
      <span className={styles.name}>{file.name}</span>
      <span className={styles.size}>{broken ? 'No preview' : sizeWords(file.size)}</span>
      <button type="button" className={styles.remove} onClick={onRemove}>
        <span className="visually-hidden">Remove {file.name}</span>
        <svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="2.6" aria-hidden>
          <path d="m2 2 12 12M14 2 2 14" />
        </svg>
      </button>
    </li>
  )
}
