import { DOWNLOADS } from '#contract/downloads-messages.ts'
import { Panel } from '#web/ui/panel.tsx'
import styles from './requirements.module.css'

/** The System Requirement table of SPEC §2.7, with its red note. On a phone each item is a small table of its own. */
export function Requirements() {
  const [item, ...sorts] = DOWNLOADS.columns
  return (
    <Panel index={3} title={DOWNLOADS.requirements}>
      <table className={styles.table}>
        <caption className="visually-hidden">{DOWNLOADS.requirements}</caption>
        <thead>
          <tr>
            <th scope="col">{item}</th>
            {sorts.map((sort) => (
              <th key={sort} scope="col">
                {sort}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {DOWNLOADS.rows.map(([name, minimum, recommended]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{minimum}</td>
              <td>{recommended}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.note}>{DOWNLOADS.note}</p>
    </Panel>
  )
}
