import { DOWNLOAD_TEXTS } from '#contract/downloads.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { Icon } from '#web/ui/icon.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Signboard } from '#web/ui/signboard.tsx'
import text from '#web/ui/text.module.css'
import { DownloadLinks } from './download-links.tsx'
import styles from './downloads-page.module.css'
import { SendLink } from './send-link.tsx'

/** The page to download the full client (DOWNLOAD-1), at /downloads and /download. */
export default function DownloadsPage() {
  return (
    <>
      <PageHead
        crumb={DOWNLOAD_TEXTS.heading}
        title={DOWNLOAD_TEXTS.heading}
        lines={['Never played? Take the first link. You can read the rest of this page while it downloads.']}
      />
      <WindowsNote />
      <SendLink />
      <DownloadLinks />
      <NextSteps />
      <Requirements />
    </>
  )
}

/** Shown to all visitors, with more text on touch screens and narrow screens. */
function WindowsNote() {
  return (
    <p className={`${text.aside} ${styles.windowsNote}`}>
      <strong>The client is for Windows.</strong>{' '}
      <span className={styles.touchNote}>
        It will not run on this phone or tablet. Your account, the shop and the rankings work right here.
      </span>
    </p>
  )
}

/** The steps after the download for new players, and links to the two guides. */
function NextSteps() {
  return (
    <>
      <div className={`${layout.stack} ${styles.guides}`}>
        <Signboard
          to="/instructions"
          tone="paper"
          icon={<Icon name="book" size={36} />}
          title={DOWNLOAD_TEXTS.fullGuide}
          line="Every window, key and price"
        />
        <Signboard
          to="/characters"
          tone="blue"
          icon={<Icon name="person" size={36} />}
          title={DOWNLOAD_TEXTS.quickGuide}
          line="Your first night, your first class"
        />
      </div>
      <Panel index={2} title="After the download">
        <ol className={styles.steps}>
          <li>
            <h3>Make an account</h3>
            <p>
              While the file is on its way, <Link to="/register">register</Link>. The ID and password you choose are the
              ones the game asks for.
            </p>
          </li>
          <li>
            <h3>Unpack it</h3>
            <p>
              Right-click the file, choose Extract All, and give it a folder of its own outside Program Files, where
              patches can be written. Not sure the file is complete? Compare the checksum.
            </p>
          </li>
          <li>
            <h3>Start it and log in</h3>
            <p>
              Let the launcher fetch its patches, then log in. If the game refuses you on a new connection or in a
              computer shop, whitelist its IP address on <Link to="/user">your account page</Link>.
            </p>
          </li>
          <li>
            <h3>Pick a school and a class</h3>
            <p>
              Read the <Link to="/characters">quick guide</Link> while the game loads for the first time.
            </p>
          </li>
        </ol>
      </Panel>
    </>
  )
}

/** The System Requirement table of DOWNLOAD-3, with its red note. */
function Requirements() {
  const [item, ...headings] = DOWNLOAD_TEXTS.columns
  return (
    <Panel index={3} title={DOWNLOAD_TEXTS.requirements}>
      <table className={styles.table}>
        <caption className="visually-hidden">{DOWNLOAD_TEXTS.requirements}</caption>
        <thead>
          <tr>
            <th scope="col">{item}</th>
            {headings.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {DOWNLOAD_TEXTS.rows.map(([name, minimum, recommended]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{minimum}</td>
              <td>{recommended}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.note}>{DOWNLOAD_TEXTS.note}</p>
    </Panel>
  )
}
