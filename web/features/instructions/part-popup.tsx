import { lazy, Suspense } from 'react'
import { useHydrated } from '#web/api/use-hydrated.ts'
import type { PartKey } from './content/part-keys.ts'
import { PARTS } from './content/parts.ts'
import styles from './part-window.module.css'
import { PartWindow } from './part-window.tsx'
import { usePartPopup } from './use-part-popup.ts'

const LazyDialog = lazy(async () => ({ default: (await import('./part-dialog.tsx')).PartDialog }))

/** The popup of the region that the address names. Before any script runs it is part of the document. */
export function PartPopup() {
  const { part, shown, onClose, focusAfter } = usePartPopup()
  const hydrated = useHydrated()
  if (shown === null) return null
  const still = part === null ? null : <StillPopup part={part} />
  if (!hydrated) return still
  return (
    <Suspense fallback={still}>
      <LazyDialog open={part !== null} part={shown} onClose={onClose} focusAfter={focusAfter} />
    </Suspense>
  )
}

function StillPopup({ part }: { part: PartKey }) {
  const titleId = `popup-${part}`
  return (
    <>
      <div className={styles.backdrop} />
      <div className={styles.window} role="dialog" aria-labelledby={titleId}>
        <PartWindow
          part={part}
          heading={
            <h2 className={styles.title} id={titleId}>
              {PARTS[part].title}
            </h2>
          }
        />
      </div>
    </>
  )
}
