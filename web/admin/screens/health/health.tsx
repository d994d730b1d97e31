import type { ReactNode } from 'react'
import type { CallOutput } from '#contract/endpoint.ts'
import { getHealth, sendTestAlert } from '#contract/health.ts'
import { formatCount, formatPlural } from '#contract/numbers.ts'
import { useCall } from '#web/api/queries.ts'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import text from '#web/ui/text.module.css'
import { DeskAction } from '../../kit/action.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { Facts, formatBytes, State, StateBadge, type States, When } from '../../kit/facts.tsx'
import { Loaded, ScreenHead } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import styles from './health.module.css'

type Health = CallOutput<typeof getHealth>
type Job = Health['jobs'][number]
type Backlog = Health['backlogs']['mail']

/** Shows the site's health: current problems first, details below. */
export function Screen() {
  const health = useCall(getHealth, {}, { refetchOnWindowFocus: true })
  const mayTest = useMay()('settings.write')
  return (
    <>
      <ScreenHead
        title="Health"
        line="How the site is running: its jobs, backups and email, and recent errors."
        actions={
          mayTest && <DeskAction endpoint={sendTestAlert} input={{}} label="Send a test alert" tone="secondary" />
        }
      />
      <Loaded result={health} height={900}>
        {(value) => (
          <div className={layout.panels}>
            <Alerts health={value} />
            <Panel title="At a glance">
              <div className={deskLayout.facts}>
                <HealthFacts health={value} />
              </div>
            </Panel>
            <Panel title="Jobs">
              <ul className={deskLayout.rows}>
                {value.jobs.toSorted(compareJobs).map((job) => (
                  <JobRow key={job.name} job={job} />
                ))}
              </ul>
            </Panel>
            <Panel title="Errors in the last week">
              <Errors errors={value.errors} />
            </Panel>
          </div>
        )}
      </Loaded>
    </>
  )
}

function Alerts({ health: { alerts, told } }: { health: Health }) {
  const openAlerts = alerts.filter(({ over_at }) => over_at === null)
  const pastAlerts = alerts.filter(({ over_at }) => over_at !== null).slice(0, 5)
  const channels = [told.email && 'by email', told.discord && 'on Discord'].filter(Boolean).join(' and ')
  return (
    <Panel title={openAlerts.length === 0 ? 'All is well' : formatPlural(openAlerts.length, 'problem')}>
      <ul className={deskLayout.rows}>
        {openAlerts.map(({ problem, detail, since, told_at }) => (
          <li key={problem}>
            <p className={styles.name}>
              <StateBadge tone="bad">Now</StateBadge> {detail}
            </p>
            <p className={deskLayout.faint}>
              Began <When at={since} />.{' '}
              {told_at !== null && channels !== '' && (
                <>
                  Alert sent <When at={told_at} />.
                </>
              )}
            </p>
          </li>
        ))}
        {pastAlerts.map(({ problem, detail, since, over_at }) => (
          <li key={problem + since}>
            <p className={styles.name}>
              <StateBadge tone="off">Over</StateBadge> {detail}
            </p>
            <p className={deskLayout.faint}>
              Began <When at={since} />, ended <When at={over_at} />.
            </p>
          </li>
        ))}
      </ul>
      <p className={styles.note}>
        {channels === '' ? (
          <>
            No alert is sent when something goes wrong. Set a channel for alerts on the screen{' '}
            <Link to="/admin/discord">Discord</Link>, or an email address, which needs a mail server.
          </>
        ) : (
          <>When something has been wrong for ten minutes, you get an alert {channels}, and another when it is over.</>
        )}
      </p>
    </Panel>
  )
}

function HealthFacts({ health }: { health: Health }) {
  const { backup, backlogs, database, free_bytes: free } = health
  return (
    <Facts
      facts={{
        'Last backup': (
          <>
            <LastBackup backup={backup} /> {backup.too_old && <StateBadge tone="bad">Too old</StateBadge>}{' '}
            <Link to="/admin/backups">All backups</Link>
          </>
        ),
        'Emails waiting': <BacklogCount backlog={backlogs.mail} to="/admin/mail?state=waiting" />,
        'Items waiting for the game': <BacklogCount backlog={backlogs.deliveries} to="/admin/orders?stage=waiting" />,
        'Receipts to write': <BacklogCount backlog={backlogs.receipts} />,
        Database: formatBytes(database.bytes),
        'Free disk space': free !== null && formatBytes(free),
        Version: (
          <>
            <Link to="/admin/health/changelog">{health.version}</Link>, schema {health.migration.slice(0, 3)}
          </>
        ),
        Started: <When at={health.started_at} />,
        Software: `Node ${health.node.replace('v', '')}, PostgreSQL ${database.server}`,
      }}
    />
  )
}

function LastBackup({ backup: { made_at, restored, nightly } }: Pick<Health, 'backup'>) {
  if (made_at !== null) return <When at={made_at} show="both" />
  if (restored !== null)
    return (
      <>
        None since this site was restored <When at={restored.at} /> from the backup of{' '}
        <When at={restored.from} show="both" />
      </>
    )
  return nightly ? 'None yet; the first is made tonight at 4:30' : 'None; the site makes no nightly backups yet'
}

function BacklogCount({ backlog: { count, more, oldest_at }, to }: { backlog: Backlog; to?: string }) {
  if (count === 0) return 'None'
  const countText = `${formatCount(count)}${more ? '+' : ''}`
  return (
    <>
      {to === undefined ? countText : <Link to={to}>{countText}</Link>}, the first from{' '}
      <When at={oldest_at} show="date" />
    </>
  )
}

/** The labels of jobs whose names need one. */
const JOB_LABELS: Record<string, string> = {
  rollover: 'Close the month in the rankings',
  receipts: 'Write receipts',
  mail: 'Send email',
  figures: 'Update the figures on Today',
  alerts: 'Look for problems',
  backup: 'Make the backups',
  'copy of the backup': 'Copy the newest backup elsewhere',
  'checks of backups': 'Check requested backups',
  'shop shelf': 'Start and end sales',
  news: 'Publish scheduled news',
  erasures: 'Erase accounts whose seven days are over',
  vacuum: 'Clear deleted rows from the database',
}

const getJobLabel = (name: string) =>
  JOB_LABELS[name] ??
  (name.startsWith('clean-up ') ? `Clean up ${name.slice(9)}` : name.charAt(0).toUpperCase() + name.slice(1))

const STATES: States<Job['state']> = {
  well: ['OK', 'good'],
  running: ['Running', 'good'],
  new: ['Has not run yet', 'calm'],
  late: ['Overdue', 'bad'],
  failing: ['Failing', 'bad'],
}

const toFailureRank = ({ state }: Job) => Number(state === 'failing' || state === 'late')
const toCleanUpRank = ({ name }: Job) => Number(name.startsWith('clean-up '))
const compareJobs = (a: Job, b: Job) => toFailureRank(b) - toFailureRank(a) || toCleanUpRank(a) - toCleanUpRank(b)

function JobRow({ job: { name, state, succeeded_at, failed_at, failure } }: { job: Job }) {
  return (
    <li className={styles.job}>
      <p className={styles.name}>{getJobLabel(name)}</p>
      <State states={STATES} state={state} />
      <p className={deskLayout.faint}>
        {succeeded_at !== null && (
          <>
            Last succeeded <When at={succeeded_at} />.{' '}
          </>
        )}
        {failed_at !== null && (
          <>
            Failed <When at={failed_at} />
            {failure !== null && <span className={`${text.quiet} ${text.breaks}`}>: {failure}</span>}
          </>
        )}
      </p>
    </li>
  )
}

function Errors({ errors }: Pick<Health, 'errors'>): ReactNode {
  if (errors.length === 0) return <p className={styles.note}>No errors were logged.</p>
  return (
    <ul className={deskLayout.rows}>
      {errors.map(({ kind, count, last_hour, last_at, last_message }) => (
        <li key={kind}>
          <p className={styles.name}>
            {kind}{' '}
            <StateBadge tone={last_hour > 0 ? 'bad' : 'off'}>
              {count === 1 ? 'once' : `${formatCount(count)} times`}
            </StateBadge>
          </p>
          <p className={deskLayout.faint}>
            Last <When at={last_at} />: <span className={`${text.quiet} ${text.breaks}`}>{last_message}</span>
          </p>
        </li>
      ))}
    </ul>
  )
}
