import { getDownloadsAll } from '#contract/downloads.ts'
import { DOWNLOADS } from '#contract/downloads-messages.ts'
import { EMPTY } from '#contract/messages.ts'
import { useCall } from '#web/api/queries.ts'
import { ButtonLink, RefreshButton } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState, Skeleton } from '#web/ui/states.tsx'
import { inMirrorOrder } from './description.ts'
import { DownloadCard } from './download-card.tsx'
import styles from './download-links.module.css'

/** The links in the order to try them. A failed load is only logged; the loading ends (SPEC §8). */
export function DownloadLinks() {
  // The links on screen stay until the answer is here.
  const { data: answer, isFetching, refetch } = useCall(getDownloadsAll, {})
  const data = answer?.data
  return (
    <Panel
      index={1}
      title="Download links"
      actions={<RefreshButton what="download links" busy={isFetching} onRefresh={refetch} />}
    >
      <p className={styles.prompt}>{DOWNLOADS.prompt}</p>
      {data === undefined && isFetching && <LinksSkeleton />}
      {((data === undefined && !isFetching) || data?.length === 0) && (
        <EmptyState
          title={EMPTY.noData}
          line={
            data === undefined
              ? 'The links did not come through. Refresh them in a moment.'
              : 'There is no client to download yet. The news will say when there is.'
          }
          action={<ButtonLink to="/news">Read the news</ButtonLink>}
        />
      )}
      {data !== undefined && data.length > 0 && (
        <ul className={styles.links} aria-label="Download links">
          {inMirrorOrder(data).map(({ link, facts }, index) => (
            <DownloadCard key={link.seq} link={link} facts={facts} first={index === 0} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function LinksSkeleton() {
  return (
    <div className={styles.links} role="status">
      <span className="visually-hidden">Loading</span>
      {['a', 'b', 'c', 'd'].map((key) => (
        <div key={key} className={styles.ghost}>
          <Skeleton width={76} height={76} />
          <Skeleton width="55%" height={30} />
        </div>
      ))}
    </div>
  )
}
