import { Button } from '#web/ui/button.tsx'
import styles from './load-failed.module.css'

/** A part that could not be loaded, with the way to try again. */
export function LoadFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <div className={styles.failed}>
      <p>This part could not be loaded.</p>
      <Button tone="secondary" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}
