import { ACTIVITY_TEXTS, listActivity } from '#contract/activity.ts'
import { usePageSearch } from '#web/api/page.ts'
import { useCall } from '#web/api/queries.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState, Loading, Skeleton } from '#web/ui/states.tsx'
import styles from './activity.module.css'
import { ActivityList } from './activity-list.tsx'
import { activitySearch, getActivityPath, toActivityInput } from './activity-view.ts'

/** The page with the activity on the server, newest first (ACTIVITY-1). */
export default function ActivityPage() {
  const view = usePageSearch(activitySearch)
  const { data, error, refetch } = useCall(listActivity, toActivityInput(view))
  return (
    <>
      <PageHead crumb="Activity" title="Activity" lines={[ACTIVITY_TEXTS.line]} />
      <Panel>
        {data === undefined && error === null && (
          <Loading className={layout.padded}>
            <Skeleton width="100%" height={480} />
          </Loading>
        )}
        {data === undefined && error !== null && (
          <EmptyState
            title={ACTIVITY_TEXTS.failed}
            action={<Button onClick={() => void refetch()}>Try again</Button>}
          />
        )}
        {data?.data.length === 0 && <EmptyState title={ACTIVITY_TEXTS.empty} line={ACTIVITY_TEXTS.emptyLine} />}
        {data !== undefined && <ActivityList rows={data.data} />}
        {data !== undefined && (view.before !== null || data.next !== null) && (
          <nav className={styles.foot} aria-label="Pages of the activity">
            {view.before !== null && (
              <ButtonLink to={getActivityPath({ before: null })} tone="secondary">
                Newest
              </ButtonLink>
            )}
            {data.next !== null && (
              <ButtonLink to={getActivityPath({ before: data.next })} tone="secondary">
                Earlier
              </ButtonLink>
            )}
          </nav>
        )}
      </Panel>
    </>
  )
}
