import type { DocumentContent } from '#contract/documents.ts'
import { usePageQuery } from '#web/api/queries.ts'
import { DocumentPage, getLines } from '#web/shell/document-page.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { getSiteQuery } from '#web/shell/shell-data.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Link, SiteOrExternalLink } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import text from '#web/ui/text.module.css'
import { GameLog } from './game-log.tsx'
import { PlayersOnline } from './players-online.tsx'
import styles from './server-info.module.css'
import { ServerSheet } from './server-sheet.tsx'

const TITLE = 'Server Information'

/** The page with the server information sheet (GUIDE-5, GUIDE-6), as a drawing and as text. */
export default function ServerInfoPage() {
  return (
    <DocumentPage name="server-info" title={TITLE}>
      {(info) => <ServerInfo info={info} />}
    </DocumentPage>
  )
}

type Info = DocumentContent<'server-info'>

function ServerInfo({ info }: { info: Info }) {
  const { data: site } = usePageQuery(getSiteQuery())
  return (
    <>
      <PageHead
        crumb={TITLE}
        title={TITLE}
        lines={getLines(info.lines)}
        actions={
          <ButtonLink to="/instructions" tone="secondary">
            The full game guide
          </ButtonLink>
        }
      />
      <PlayersOnline />
      <div>
        <ServerSheet info={info} demo={site?.demo ?? false} />
      </div>
      <GameLog />
      <SheetText {...info} />
    </>
  )
}

/**
 * The content of the sheet as a table. Screen readers read it even while it is folded. A focused link inside the
 * table unfolds it.
 */
function SheetText({ intro, rates, numbers, week, month_name, month_value, month_note, chat, rules, help }: Info) {
  const month = { name: month_name, value: month_value, note: month_note }
  return (
    <Panel>
      <label className={styles.foldToggle}>
        <input type="checkbox" className="visually-hidden" /> The sheet as text
      </label>
      <div className={`${text.yellowLinks} ${layout.stack} ${styles.text} ${styles.foldedText}`}>
        <p>{intro} All times are Manila time, GMT+08:00.</p>
        <table className={styles.table}>
          <caption className="visually-hidden">Server information</caption>
          <thead className="visually-hidden">
            <tr>
              <th scope="col">What</th>
              <th scope="col">Value</th>
            </tr>
          </thead>
          <Group title="Rates" lines={rates} />
          <Group title="Numbers" lines={numbers} />
          <Group title="Times" lines={month.value === '' ? week : [...week, month]} />
          <Group title="Chat" lines={chat} />
        </table>
        {rules.length > 0 && <h3>Fair play</h3>}
        {rules.length > 0 && (
          <ol>
            {rules.map(({ title, text }) => (
              <li key={title}>
                <strong>{title}.</strong> {text}
              </li>
            ))}
          </ol>
        )}
        <p>
          The rules in full are in the <Link to="/operationpolicy">Operation Policy</Link>.
        </p>
        <ul className={styles.help}>
          {help.map(({ name, text, to, label }) => (
            <li key={name}>
              <h3>{name}</h3>
              <p>{text}</p>
              {to !== '' && <SiteOrExternalLink to={to}>{label || to}</SiteOrExternalLink>}
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  )
}

type FactLine = { name: string; value: string; note?: string }

function Group({ title, lines }: { title: string; lines: readonly FactLine[] }) {
  if (lines.length === 0) return null
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
