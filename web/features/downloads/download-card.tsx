import type { Download } from '#contract/downloads.ts'
import { clockParts } from '#contract/manila.ts'
import { CopyButton } from './copy-button.tsx'
import { type DownloadFacts, tryWords } from './description.ts'
import styles from './download-card.module.css'
import { DownloadIcon } from './download-icon.tsx'

type Props = { link: Download; facts: DownloadFacts /** The one to take when in doubt. */; first: boolean }

/** One link: its icon and name open it in a new tab, its facts stand below. */
export function DownloadCard({ link, facts, first }: Props) {
  const { size, version, checksum, mirror, note } = facts
  const moment = clockParts(new Date(link.link_date))
  return (
    <li className={first ? styles.first : styles.card}>
      <a className={styles.link} href={link.link_address} target="_blank" rel="noopener">
        <span className={styles.plate}>
          <DownloadIcon icon={link.link_icon} size={40} />
        </span>
        <span className={styles.words}>
          <span className={styles.name}>{link.link_name}</span>
          <span className={styles.short}>{[size, version && `version ${version}`].filter(Boolean).join(', ')}</span>
        </span>
        <span className="visually-hidden"> (opens in a new tab)</span>
      </a>
      {mirror !== null && <span className={styles.turn}>{tryWords(mirror)}</span>}
      {note !== '' && <p className={styles.note}>{note}</p>}
      <dl className={styles.facts}>
        <div>
          <dt>Added</dt>
          <dd>
            <time dateTime={link.link_date}>{moment.date}</time>
          </dd>
        </div>
        {checksum !== null && (
          <div>
            <dt>{checksum.kind}</dt>
            <dd className={styles.checksum}>
              <code>{checksum.value}</code>
              <CopyButton text={checksum.value} what={`${checksum.kind} of ${link.link_name}`} />
            </dd>
          </div>
        )}
      </dl>
    </li>
  )
}
