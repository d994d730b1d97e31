import { useState } from 'react'
import { DOWNLOAD_TEXTS, type Download, getDownloadsAll } from '#contract/downloads.ts'
import { getClockParts } from '#contract/manila.ts'
import { EMPTY_LIST_TEXTS } from '#contract/messages.ts'
import { useCall } from '#web/api/queries.ts'
import { ButtonLink, RefreshButton } from '#web/ui/button.tsx'
import { Icon, LineDrawing } from '#web/ui/icon.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState, Loading, Skeleton } from '#web/ui/states.tsx'
import text from '#web/ui/text.module.css'
import { showToast } from '#web/ui/toast.ts'
import { Value } from '#web/ui/value.tsx'
import { type DownloadFacts, formatTryNumber, sortByMirror } from './description.ts'
import styles from './download-links.module.css'

/** Lists the links in the order to try them. A failed load is only logged (FAIL-8). */
export function DownloadLinks() {
  // While the links reload, the previous ones stay visible.
  const { data: answer, isFetching, refetch } = useCall(getDownloadsAll, {})
  const data = answer?.data
  return (
    <Panel
      index={1}
      title="Download links"
      actions={<RefreshButton what="download links" busy={isFetching} onRefresh={refetch} />}
    >
      <p className={styles.prompt}>{DOWNLOAD_TEXTS.prompt}</p>
      {data === undefined && isFetching && <LinksSkeleton />}
      {((data === undefined && !isFetching) || data?.length === 0) && (
        <EmptyState
          title={EMPTY_LIST_TEXTS.emptyText}
          line={
            data === undefined
              ? 'We couldn’t load the download links. Try again in a moment.'
              : 'There is no client to download yet. We will announce it in the news.'
          }
          action={<ButtonLink to="/news">Read the news</ButtonLink>}
        />
      )}
      {data !== undefined && data.length > 0 && (
        <ul className={styles.links} aria-label="Download links">
          {sortByMirror(data).map(({ link, facts }, index) => (
            <DownloadCard key={link.seq} link={link} facts={facts} isFirst={index === 0} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function LinksSkeleton() {
  return (
    <Loading className={styles.links}>
      {['a', 'b', 'c', 'd'].map((key) => (
        <div key={key} className={styles.skeletonCard}>
          <Skeleton width={76} height={76} />
          <Skeleton width="55%" height={30} />
        </div>
      ))}
    </Loading>
  )
}

type CardProps = { link: Download; facts: DownloadFacts /** Whether it is the recommended link. */; isFirst: boolean }

/** One link: its icon and name open it in a new tab, with its facts below. */
function DownloadCard({ link, facts, isFirst }: CardProps) {
  const { checksum, mirror, note } = facts
  const { link_size: size, link_version: version, link_changes } = link
  const changes = link_changes.split('\n').filter((change) => change.trim() !== '')
  const addedAt = getClockParts(new Date(link.link_date))
  return (
    <li className={isFirst ? styles.firstCard : styles.card}>
      <a className={styles.link} href={link.link_address} target="_blank" rel="noopener">
        <span className={styles.plate}>
          <DownloadIcon icon={link.link_icon} size={40} />
        </span>
        <span className={layout.stack2}>
          <span className={styles.name}>{link.link_name}</span>
          <span className={styles.summary}>
            {[size, version && `version ${version}`].filter((part) => part !== '').join(', ')}
          </span>
        </span>
        <span className="visually-hidden"> (opens in a new tab)</span>
      </a>
      {mirror !== null && <span className={styles.tryNumber}>{formatTryNumber(mirror)}</span>}
      {note !== '' && <p className={`${text.quiet} ${text.brief}`}>{note}</p>}
      {changes.length > 0 && (
        <section className={styles.changes} aria-labelledby={`changes-${link.seq}`}>
          <h3 id={`changes-${link.seq}`}>{DOWNLOAD_TEXTS.changes}</h3>
          <ul>
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
          <Link to="/news?board=patch-notes">{DOWNLOAD_TEXTS.patchNotes}</Link>
        </section>
      )}
      <dl className={styles.facts}>
        <div>
          <dt>Added</dt>
          <dd>
            <Value dateTime={link.link_date}>{addedAt.date}</Value>
          </dd>
        </div>
        {checksum !== null && (
          <div>
            <dt>{checksum.kind}</dt>
            <dd className={styles.checksum}>
              <code>{checksum.value}</code>
              <CopyButton text={checksum.value} label={`${checksum.kind} of ${link.link_name}`} />
            </dd>
          </div>
        )}
      </dl>
    </li>
  )
}

/** Drawn on a 24×24 grid with mitred strokes. */
const ICONS: Record<string, string> = {
  mirror: 'M2 4.5h12v9H2ZM8 13.5v4M4.5 17.5h7M10 8.5v0M17 6.5h5v9h-5M16 20.5l3 2 3-2M19 15.5v7',
  patch: 'M3 3h7v3.2a2.3 2.3 0 1 0 4 0V3h7v7h-3.2a2.3 2.3 0 1 0 0 4H21v7H3Z',
  torrent:
    'M12 8.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM5 21.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM19 21.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM10.6 8.2 6.4 15.8M13.4 8.2l4.2 7.6M8 18.5h8',
}

type IconProps = { icon: string; size: number }

/**
 * The icon of a link: a default icon by name, or the operators' picture. It is decorative, because the link's name is
 * next to it.
 */
function DownloadIcon({ icon, size }: IconProps) {
  if (/^(\/|https:)/.test(icon)) return <img src={icon} alt="" width={size} height={size} loading="lazy" />
  const path = ICONS[icon]
  if (path === undefined) return <Icon name="download" size={size} weight={2.2} />
  return <LineDrawing path={path} size={size} weight={2.2} />
}

const COPIED_MS = 2500

type CopyProps = { text: string /** The name of the copied text, for screen readers. */; label: string }

/** Copies the text next to it and announces the copy. Hidden without scripts. */
function CopyButton({ text, label }: CopyProps) {
  const [isCopied, setIsCopied] = useState(false)

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setIsCopied(true)
      setTimeout(() => setIsCopied(false), COPIED_MS)
    } catch {
      void showToast('error', 'Your browser did not let us copy. Please select the text and copy it yourself.')
    }
  }

  return (
    <button type="button" className={`needs-script ${styles.copy}`} onClick={copy}>
      <span aria-hidden="true">{isCopied ? 'Copied' : 'Copy'}</span>
      <span className="visually-hidden">Copy {label}</span>
      <span className="visually-hidden" role="status">
        {isCopied ? `${label} copied` : ''}
      </span>
    </button>
  )
}
