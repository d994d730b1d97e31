import { PREPARING } from '#contract/messages.ts'
import type { ServerInfo } from '#contract/settings.ts'
import { getServerInfo } from '#contract/site.ts'
import { useCall, useLoaded } from '#web/api/queries.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { siteQuery } from '#web/shell/shell-data.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import text from '#web/ui/text.module.css'
import { PlayersOnline } from './players-online.tsx'
import styles from './server-info.module.css'
import { ServerSheet } from './server-sheet.tsx'

const TITLE = 'Server Information'

/** The server information sheet (GUIDE-5, GUIDE-6) as a drawing, and the same in words. */
export default function ServerInfoPage() {
  const { data: info, isFetching } = useCall(getServerInfo, {})
  const { data: site } = useLoaded(siteQuery())
  if (site?.preparing.includes('/serverinfo'))
    return (
      <>
        <PageHead crumb={TITLE} title={TITLE} />
        <Panel>
          <EmptyState title={PREPARING} />
        </Panel>
      </>
    )
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
      <PlayersOnline />
      {info === undefined ? (
        <Panel title="The values">
          <p>{isFetching ? 'Loading the values …' : 'We couldn’t load the values. Please reload the page.'}</p>
        </Panel>
      ) : (
        <>
          <div>
            <ServerSheet info={info} demo={site?.demo ?? false} />
          </div>
          <SheetInWords {...info} />
        </>
      )}
    </>
  )
}

/** Everything on the sheet as a table, to be read out, searched and copied. */
function SheetInWords({ intro, rates, numbers, week, month, chat, rules, help }: ServerInfo) {
  return (
    <Panel title="The same in words">
      <div className={`${text.yellowLinks} ${layout.stack} ${styles.words}`}>
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
