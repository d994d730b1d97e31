import { useState } from 'react'
import { useNavigate } from 'react-router'
import { allowBackupDownload, checkBackup, getBackupFile, getBackups, makeBackup } from '#contract/backups.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { formatCount } from '#contract/numbers.ts'
import { useCall } from '#web/api/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import { DeskAction } from '../../kit/action.tsx'
import { deskCall, showFailure } from '../../kit/call.ts'
import deskLayout from '../../kit/desk-layout.module.css'
import { formatBytes, PlayerLink, StateBadge, When } from '../../kit/facts.tsx'
import { DeskField } from '../../kit/fields.tsx'
import { Loaded, ScreenHead } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import styles from './backups.module.css'
import { TargetPanel } from './target.tsx'

type BackupsAnswer = CallOutput<typeof getBackups>
type Backup = BackupsAnswer['rows'][number]

/** The interval at which the screen reloads while a backup is in progress, in ms. */
const REFRESH_MS = 3000

const isBusy = (backups: BackupsAnswer | undefined) =>
  backups !== undefined && (backups.making !== null || backups.rows.some(({ checking }) => checking))

/** The screen for the site's backups: create, check and download them, set the target of copies, and restore. */
export function Screen() {
  const backups = useCall(
    getBackups,
    {},
    { refetchOnWindowFocus: true, refetchInterval: ({ state }) => (isBusy(state.data) ? REFRESH_MS : false) },
  )
  const mayManage = useMay()('backups.manage')
  return (
    <>
      <ScreenHead
        title="Backups"
        line="Each backup contains the whole database at one moment. The fourteen newest are stored."
        actions={mayManage && <DeskAction endpoint={makeBackup} input={{}} label="Make a backup now" />}
      />
      <Loaded result={backups} height={900}>
        {(value) => (
          <div className={layout.panels}>
            {value.setup !== null && value.setup.unknown_requests.length > 0 && (
              <UnknownRequests requests={value.setup.unknown_requests} />
            )}
            <BackupList backups={value} mayManage={mayManage} />
            {value.setup !== null && <TargetPanel setup={value.setup} />}
            {value.setup !== null && <RestoreCommands rows={value.rows} setup={value.setup} />}
          </div>
        )}
      </Loaded>
    </>
  )
}

/** Lists erasures that were requested or taken back after the backup from which this site was restored. */
function UnknownRequests({ requests }: { requests: NonNullable<BackupsAnswer['setup']>['unknown_requests'] }) {
  return (
    <Panel title="Erasures since the backup">
      <p className={styles.note}>
        This site was restored from a backup that is older than these requests. If a request still applies, submit it
        again.
      </p>
      <ul className={deskLayout.rows}>
        {requests.map(({ user_num, user_id, requested_at, taken_back_at }) => (
          <li key={user_num + requested_at}>
            <PlayerLink userNum={user_num} userId={user_id} />{' '}
            {taken_back_at === null ? (
              <StateBadge tone="bad">Requested</StateBadge>
            ) : (
              <StateBadge tone="good">Taken back</StateBadge>
            )}{' '}
            <span className={deskLayout.faint}>
              <When at={taken_back_at ?? requested_at} show="both" />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function BackupList({
  backups: { rows, making, failed, nightly },
  mayManage,
}: {
  backups: BackupsAnswer
  mayManage: boolean
}) {
  return (
    <Panel title={rows.length === 0 ? 'No backups yet' : 'Newest first'}>
      {making !== null && (
        <p className={styles.note} role="status">
          A backup is being made; {making.asked_by} requested it <When at={making.asked_at} />.
        </p>
      )}
      {making === null && failed !== null && (
        <p className={styles.note} role="alert">
          The last requested backup was not made (<When at={failed.at} />
          ): {failed.problem}
        </p>
      )}
      <ul className={deskLayout.rows}>
        {rows.map((backup) => (
          <BackupRow key={backup.name} backup={backup} mayManage={mayManage} />
        ))}
      </ul>
      <p className={styles.note}>
        {nightly
          ? 'The site makes a backup every night at 4:30, Manila time.'
          : 'The site makes no nightly backups until you choose a target for copies. The server’s administrator may have set up other backups.'}
      </p>
    </Panel>
  )
}

function BackupRow({ backup, mayManage }: { backup: Backup; mayManage: boolean }) {
  const { name, made_at, made_by, rows, bytes, here, copied_at } = backup
  return (
    <li className={styles.backup}>
      <div>
        <p className={styles.name}>{name}</p>
        <p className={deskLayout.faint}>
          <When at={made_at} show="both" /> · {made_by} · {formatBytes(bytes)}
          {rows !== null && ` · ${formatCount(rows)} rows`}
        </p>
        <p className={styles.states}>
          {copied_at !== null && <StateBadge tone="good">Copied elsewhere</StateBadge>}
          {!here && <StateBadge tone="off">Not on this machine</StateBadge>}
          <CheckState backup={backup} />
        </p>
      </div>
      {mayManage && here && (
        <div className={deskLayout.row8}>
          <DeskAction endpoint={checkBackup} input={{ name }} label="Check" about={name} tone="secondary" />
          <DownloadButton backup={backup} />
        </div>
      )}
    </li>
  )
}

function CheckState({ backup: { checking, checked_at, check_problem } }: { backup: Backup }) {
  if (checking) return <StateBadge tone="attention">Being checked</StateBadge>
  if (checked_at === null) return null
  if (check_problem === '')
    return (
      <>
        <StateBadge tone="good">Can be restored</StateBadge> checked <When at={checked_at} />
      </>
    )
  return (
    <>
      <StateBadge tone="bad">Cannot be restored</StateBadge> {check_problem}
    </>
  )
}

function DownloadButton({ backup: { name, download_until } }: { backup: Backup }) {
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const fetchFile = async () => {
    setBusy(true)
    try {
      saveFile(await deskCall(getBackupFile, { name }), name)
    } catch (error) {
      showFailure(error, navigate)
    } finally {
      setBusy(false)
    }
  }
  if (download_until !== null)
    return (
      <Button busy={busy} onClick={() => void fetchFile()}>
        Download<span className="visually-hidden"> {name}</span>
      </Button>
    )
  return (
    <DeskAction
      endpoint={allowBackupDownload}
      input={{ name }}
      label="Download…"
      about={name}
      tone="secondary"
      successMessage={null}
      onDone={fetchFile}
      confirmation={{
        title: 'Download this backup?',
        text: 'It holds the data of all players: names, email addresses, tickets, purchases. Store it where only you can read it, and delete it when you no longer need it. Every owner gets an email about it. If there is another owner, they have to approve it first.',
      }}
    />
  )
}

/** The commands that restore a backup, ready to paste. */
function RestoreCommands({
  rows,
  setup: { restore, folder },
}: {
  rows: Backup[]
  setup: NonNullable<BackupsAnswer['setup']>
}) {
  const names = rows.filter(({ here }) => here).map(({ name }) => name)
  const [chosenName, setChosenName] = useState('')
  const name = names.includes(chosenName) ? chosenName : (names[0] ?? 'NAME')
  const commands = restore.replaceAll('NAME', name)
  return (
    <Panel title="Restoring">
      <div className={deskLayout.body}>
        <p>
          Restore a backup in a terminal on the server, because the site has to stop first. The present database is not
          deleted; it gets another name. If the backup is somewhere else, copy it to {folder} first. Keep the site’s key
          at hand; no backup contains it.
        </p>
        {names.length > 0 && (
          <div className={styles.choice}>
            <DeskField
              field={{ kind: 'choice', label: 'Backup', options: names.map((option) => [option, option]) }}
              value={name}
              onChange={setChosenName}
            />
          </div>
        )}
        <pre className={styles.commands}>{commands}</pre>
        <div>
          <CopyButton text={commands} what="the commands" />
        </div>
      </div>
    </Panel>
  )
}
