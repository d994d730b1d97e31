import { Panel } from '#web/ui/panel.tsx'
import { PART_KEYS } from './content/part-keys.ts'
import { PARTS, partNumber } from './content/parts.ts'
import { PartLink } from './part-link.tsx'
import { InterfacePicture } from './picture/interface-picture.tsx'
import styles from './screen-panel.module.css'

/** The interface picture, and under it the same nine regions as a list for thumbs. */
export function ScreenPanel() {
  return (
    <div id="screen" className={styles.anchor}>
      <Panel index={1} title="The screen">
        <p className={styles.how}>Nine regions, nine short texts. Press one in the picture or in the list under it.</p>
        <InterfacePicture />
        <ul className={styles.list}>
          {PART_KEYS.map((key) => (
            <li key={key}>
              <PartLink part={key} className={styles.entry}>
                <span className={styles.number} aria-hidden="true">
                  {partNumber(key)}
                </span>
                <span className={styles.words}>
                  <span className={styles.title}>{PARTS[key].title}</span>
                  <span className={styles.line}>{PARTS[key].line}</span>
                </span>
              </PartLink>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  )
}
