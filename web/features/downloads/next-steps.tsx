import { DOWNLOADS } from '#contract/downloads-messages.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Signboard } from '#web/ui/signboard.tsx'
import styles from './next-steps.module.css'

/** What comes after the download, for somebody who has never played, and the two guides. */
export function NextSteps() {
  return (
    <>
      <div className={styles.guides}>
        <Signboard
          to="/instructions"
          tone="paper"
          icon={<Icon name="book" size={36} />}
          title={DOWNLOADS.fullGuide}
          line="Every window, key and price"
        />
        <Signboard
          to="/characters"
          tone="blue"
          icon={<Icon name="person" size={36} />}
          title={DOWNLOADS.quickGuide}
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
              Right-click the file, choose Extract All, and give it a folder of its own outside Program Files, so that
              patches may write there. In doubt whether it arrived whole? Compare the checksum.
            </p>
          </li>
          <li>
            <h3>Start it and log in</h3>
            <p>
              Let the launcher fetch its patches, then log in. If the game refuses a new line or a computer shop, ask
              for its address on <Link to="/user">your account page</Link>.
            </p>
          </li>
          <li>
            <h3>Pick a school and a class</h3>
            <p>
              The <Link to="/characters">quick guide</Link> fits into the wait for the first loading screen.
            </p>
          </li>
        </ol>
      </Panel>
    </>
  )
}
