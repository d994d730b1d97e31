import { Button } from './button.tsx'
import styles from './refresh-button.module.css'

type Props = { onRefresh: () => void; busy: boolean /** What is refreshed, for screen readers. */; what: string }

/** The quiet 'Refresh' of a board. Without scripts a reload does the same, so it is not shown. */
export function RefreshButton({ onRefresh, busy, what }: Props) {
  return (
    <Button tone="quiet" className={styles.refresh} busy={busy} onClick={() => onRefresh()}>
      Refresh
      <span className="visually-hidden"> {what}</span>
    </Button>
  )
}
