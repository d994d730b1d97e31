import type { Notice } from '#contract/site.ts'
import { useRenderedAt } from '#web/api/page.ts'
import { useLoaded } from '#web/api/queries.ts'
import { maintenanceTime } from './notice-words.ts'
import { siteQuery } from './shell-data.ts'

/**
 * The bars above the header: maintenance with its countdown, and the operators' announcement. Rendered on the server only;
 * their style travels with them, because most days there are none.
 */
export function NoticeBars() {
  const { data: site } = useLoaded(siteQuery())
  const renderedAt = useRenderedAt()
  if (site === undefined || site.notices.length === 0) return null
  return (
    <>
      <style>{STYLE}</style>
      <section aria-label="Announcements" data-now={renderedAt}>
        {site.notices.map((notice) => (
          <Bar key={notice.kind} notice={notice} now={renderedAt} />
        ))}
      </section>
    </>
  )
}

function Bar({ notice, now }: { notice: Notice; now: number }) {
  if (notice.kind === 'announcement') {
    return <p data-until={notice.until}>{notice.link === '' ? notice.text : <a href={notice.link}>{notice.text}</a>}</p>
  }
  return (
    <p data-kind="maintenance" data-from={notice.from} data-until={notice.until}>
      <strong>{maintenanceTime(notice, now)}.</strong> {notice.text}
    </p>
  )
}

const STYLE =
  '#notices p{margin:0;padding:8px max(16px,calc(50vw - 620px));background:var(--second);color:var(--on-second);line-height:1.4;overflow-wrap:anywhere}' +
  '#notices p[data-kind]{background:#a31f0c;color:#fff}#notices a{color:inherit;text-decoration:underline;display:block}'
