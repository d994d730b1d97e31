import { CHAT, DEMO_NOTE, HELP, MONTH, NUMBERS, RATES, RULES, WEEK } from '#content/server-values.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import text from '#web/ui/text.module.css'
import styles from './server-info.module.css'
import { ServerSheet } from './server-sheet.tsx'

const TITLE = 'Server Information'

/** The server information sheet (SPEC §2.10) as a drawing, and the same in words. */
export default function ServerInfoPage() {
  return (
    <>
      <PageHead
        crumb={TITLE}
        title={TITLE}
        lines={['Rates, limits, times and rules on one sheet, as posted at the guard house.']}
        actions={
          <ButtonLink to="/instructions" tone="secondary">
            The full game guide
          </ButtonLink>
        }
      />
      <div>
        <ServerSheet />
      </div>
      <SheetInWords />
    </>
  )
}

/** Everything on the sheet as a table, to be read out, searched and copied. */
function SheetInWords() {
  return (
    <Panel title="The same in words">
      <div className={`${text.yellowLinks} ${styles.words}`}>
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
          The rules in full are in the <Link to="/operationpolicy">Operation Policy</Link>.
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

type Line = { name: string; value: string; note?: string }

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
