import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { CHAT, DEMO_NOTE, HELP, MONTH, NUMBERS, RATES, RULES, WEEK } from './server-values.ts'
import styles from './sheet-in-words.module.css'

type Line = { name: string; value: string; note?: string }

/** Everything on the sheet as a table, to be read out, searched and copied. */
export function SheetInWords() {
  return (
    <Panel title="The same in words">
      <div className={styles.words}>
        <p>{DEMO_NOTE} All times are Manila time, GMT+08:00.</p>
        <table className={styles.table}>
          <caption className="visually-hidden">Server information</caption>
          <thead className="visually-hidden">
            <tr>
              <th scope="col">What</th>
              <th scope="col">Value</th>
            </tr>
          </thead>
          <Group title="Rates" lines={RATES} />
          <Group title="Numbers" lines={NUMBERS} />
          <Group title="Times" lines={[...WEEK, MONTH]} />
          <Group title="Chat" lines={CHAT} />
        </table>
        <h3>Fair play</h3>
        <ol>
          {RULES.map(({ title, text }) => (
            <li key={title}>
              <strong>{title}.</strong> {text}
            </li>
          ))}
        </ol>
        <p>
          The whole of it is in the <Link to="/operationpolicy">Operation Policy</Link>.
        </p>
        <ul className={styles.help}>
          {HELP.map(({ name, text, to, label }) => (
            <li key={name}>
              <h3>{name}</h3>
              <p>{text}</p>
              <Link to={to}>{label}</Link>
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  )
}

function Group({ title, lines }: { title: string; lines: readonly Line[] }) {
  return (
    <tbody>
      <tr>
        <th colSpan={2} scope="rowgroup" className={styles.group}>
          {title}
        </th>
      </tr>
      {lines.map(({ name, value, note }) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td>
            <strong>{value}</strong>
            {note !== undefined && <span>{note}</span>}
          </td>
        </tr>
      ))}
    </tbody>
  )
}
