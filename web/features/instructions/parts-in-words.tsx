import { Panel } from '#web/ui/panel.tsx'
import { PART_KEYS } from './content/part-keys.ts'
import { PARTS, partNumber } from './content/parts.ts'
import { PartBody } from './part-body.tsx'
import styles from './parts-in-words.module.css'

/** The nine popups' texts as parts of the document, to unfold, to read on and to find. */
export function PartsInWords({ index }: { index: number }) {
  return (
    <div id="regions" className={styles.anchor}>
      <Panel index={index} title="The nine regions in words">
        {PART_KEYS.map((key) => (
          <details key={key} className={styles.part}>
            <summary>
              <span className={styles.number} aria-hidden="true">
                {partNumber(key)}
              </span>
              <h3>{PARTS[key].title}</h3>
            </summary>
            <div className={styles.body}>
              <PartBody part={key} />
            </div>
          </details>
        ))}
      </Panel>
    </div>
  )
}
