import { useLoaded } from '#web/api/queries.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { ActivityList } from '../activity/activity-list.tsx'
import { homeActivityQuery } from '../activity/activity-view.ts'
import styles from './home-activity.module.css'

/** Lists the newest activity on the server; nothing if there is none (ACTIVITY-1). */
export function HomeActivity() {
  const { data } = useLoaded(homeActivityQuery())
  if (data === undefined || data.data.length === 0) return null
  return (
    <div data-wide className={styles.activity}>
      <Panel
        title="Activity"
        actions={
          <ButtonLink tone="quiet" to="/activity">
            All activity
          </ButtonLink>
        }
      >
        <ActivityList rows={data.data} />
      </Panel>
    </div>
  )
}
