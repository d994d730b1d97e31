import { EMPTY } from '#contract/messages.ts'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState, Skeleton } from '#web/ui/states.tsx'
import styles from './media-states.module.css'

type Props = { loading: boolean; failed: boolean /** Such as 'pictures'. */; what: string }

/** The loading, failed and empty states of the three media pages. */
export function MediaStates({ loading, failed, what }: Props) {
  if (loading) {
    return (
      <div className={styles.ghosts} role="status">
        <span className="visually-hidden">Loading</span>
        {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
          <Skeleton key={key} width="100%" height={216} />
        ))}
      </div>
    )
  }
  return (
    <Panel>
      <EmptyState
        title={EMPTY.noData}
        line={
          failed
            ? `The ${what} did not come through. Open the page again in a moment.`
            : `There are no ${what} yet. Somebody has to be first.`
        }
      />
    </Panel>
  )
}
