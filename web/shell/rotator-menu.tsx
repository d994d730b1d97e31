import { useQueryClient } from '@tanstack/react-query'
import { type FocusEvent, type KeyboardEvent, useRef } from 'react'
import { showToast } from '#web/ui/toast.ts'
import styles from './rotator-menu.module.css'

type RotatorMenuProps = { paused: boolean; onPause: (paused: boolean) => void }

/** Pause, and fetch the banners anew although they are kept for 30 minutes (DECISIONS §4). */
export function RotatorMenu({ paused, onPause }: RotatorMenuProps) {
  const box = useRef<HTMLDetailsElement>(null)
  const queries = useQueryClient()
  const close = () => box.current?.removeAttribute('open')

  const refresh = async () => {
    close()
    await queries.refetchQueries({ queryKey: ['banners'] })
    const failed = queries.getQueryState(['banners'])?.status === 'error'
    if (!failed) await showToast('done', 'The banners are up to date.')
  }
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    close()
    box.current?.querySelector('summary')?.focus()
  }
  const closeWhenLeft = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) close()
  }

  return (
    <details className={styles.menu} ref={box} onKeyDown={closeOnEscape} onBlur={closeWhenLeft}>
      <summary className={styles.opener} aria-label="Banner options">
        <svg width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
          <path d="M6 1h4v4H6ZM6 6h4v4H6ZM6 11h4v4H6Z" />
        </svg>
      </summary>
      <div className={styles.list}>
        <button
          type="button"
          onClick={() => {
            onPause(!paused)
            close()
          }}
        >
          {paused ? 'Play' : 'Pause'}
        </button>
        <button type="button" onClick={() => void refresh()}>
          Refresh
        </button>
      </div>
    </details>
  )
}
