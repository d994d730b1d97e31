import { getChangelog } from '#contract/health.ts'
import { useCall } from '#web/api/queries.ts'
import { Panel } from '#web/ui/panel.tsx'
import text from '#web/ui/text.module.css'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import styles from './health.module.css'

/** Shows the running version and the changes in each version. */
export function Screen() {
  const changelog = useCall(getChangelog, {})
  return (
    <Loaded result={changelog} height={900}>
      {({ version, html }) => (
        <RecordPage back={{ to: '/admin/health', label: 'Health' }} title={`Version ${version}`}>
          <Panel title="What changed">
            {/* The server has cleaned it (server/features/health/changelog.ts). */}
            <div className={`${text.written} ${styles.changelog}`} dangerouslySetInnerHTML={{ __html: html }} />
          </Panel>
        </RecordPage>
      )}
    </Loaded>
  )
}
