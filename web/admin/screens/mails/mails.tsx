import { formatDays } from '#contract/durations.ts'
import { MAIL_RETENTION_MS } from '#contract/limits.ts'
import { getMails, resendMails } from '#contract/mails.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import text from '#web/ui/text.module.css'
import { DeskAction } from '../../kit/action.tsx'
import { type States, toStateOptions, When } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { ScreenHead } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import { MailServer } from './mail-server.tsx'
import styles from './mails.module.css'

type Mail = RowOf<typeof getMails>

const STATES: States<Mail['state']> = {
  waiting: ['Waiting', 'attention'],
  sent: ['Sent', 'good'],
  kept: ['Saved as a file: no mail server', 'bad'],
  'given-up': ['Failed', 'bad'],
}

const columns: Column<Mail>[] = [
  { key: 'to', title: 'To', cell: (row) => <b>{row.to_address}</b> },
  { key: 'state', title: 'State', card: 'end', states: STATES },
  { key: 'subject', title: 'Subject', card: 'wide' },
  { key: 'created_at', title: 'Written', kind: 'when' },
  { key: 'attempts', title: 'Tried', cell: (row) => (row.attempts === 1 ? 'once' : `${row.attempts} times`) },
  {
    key: 'when',
    title: 'Sent, saved, failed or next try',
    cell: (row) => <When at={row.ended_at ?? row.next_attempt_at} />,
  },
  {
    key: 'error',
    title: 'The mail server’s answer',
    card: 'wide',
    cell: (row) => <span className={`${text.faint} ${text.breaks}`}>{row.last_error ?? ''}</span>,
  },
]

/** The mail server and the outgoing mail. */
export function Screen() {
  const may = useMay()
  return (
    <>
      <ScreenHead
        title="Mail"
        line={`The email of the last ${formatDays(MAIL_RETENTION_MS)}. If the mail server refuses an email, the site tries twenty times over several days and then gives up; for a week after that you can send it again.`}
        actions={
          <ButtonLink to="/admin/mail/templates" tone="secondary">
            Email templates
          </ButtonLink>
        }
      />
      {may('mail.configure') && (
        <div className={`${layout.panels} ${styles.server}`}>
          <MailServer />
        </div>
      )}
      <List
        endpoint={getMails}
        label="Mail"
        columns={columns}
        filters={{
          q: { kind: 'search', label: 'Start of an address' },
          state: {
            kind: 'choice',
            label: 'State',
            options: toStateOptions(STATES),
          },
        }}
        getId={(row) => row.mail}
        empty={{ title: 'No email yet', line: 'Email to players appears here as soon as the site sends it.' }}
        {...(may('mails.write') && {
          renderBulkActions: (rows: Mail[], clear: () => void) => (
            <DeskAction
              endpoint={resendMails}
              input={{ mails: rows.map(({ mail }) => mail) }}
              label={rows.length === 1 ? 'Send it again' : `Send ${rows.length} emails again`}
              onDone={clear}
            />
          ),
        })}
      />
    </>
  )
}
