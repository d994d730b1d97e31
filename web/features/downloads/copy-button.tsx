import { useState } from 'react'
import { showToast } from '#web/ui/toast.ts'
import styles from './download-card.module.css'

const COPIED_MS = 2500

type Props = { text: string /** What is copied, for screen readers. */; what: string }

/** Copies a text and says so. Without scripts it is not shown; the text stands beside it. */
export function CopyButton({ text, what }: Props) {
  const [copied, setCopied] = useState(false)

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      setTimeout(() => setCopied(false), COPIED_MS)
    } catch {
      void showToast('error', 'Your browser did not let us copy. Select the text and copy it yourself.')
    }
  }

  return (
    <button type="button" className={styles.copy} onClick={copy}>
      <span aria-hidden="true">{copied ? 'Copied' : 'Copy'}</span>
      <span className="visually-hidden">Copy {what}</span>
      <span className="visually-hidden" role="status">
        {copied ? `${what} copied` : ''}
      </span>
    </button>
  )
}
