import { type FormEvent, useState } from 'react'
import { getSettings, saveMaintenance } from '#contract/desk-settings.ts'
import { checkSetting, isMaintenance, type Maintenance } from '#contract/settings.ts'
import { useCall } from '#web/api/queries.ts'
import { FormGrid } from '#web/forms/sheet.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { useAction } from '../../kit/call.ts'
import { serverNow } from '../../kit/clock.ts'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { Fact, Facts, manilaText, StateBadge, When } from '../../kit/facts.tsx'
import { LinesField } from '../../kit/lines-field.tsx'
import looks from '../../kit/looks.module.css'
import { MomentField } from '../../kit/moment-field.tsx'
import { Loaded, ScreenHead } from '../../kit/screen.tsx'
import { SettingsSheet } from '../../kit/settings-form.tsx'
import styles from './maintenance.module.css'

const OFF: Maintenance = { from: '', until: '', message: '', allowed: [] }
const HALF_AN_HOUR_MS = 30 * 60_000
const CLOCKS_DIFFER_MS = 3000

type Known = { maintenance: Maintenance; version: number }

/** Maintenance: what is on or planned, and the form that starts, plans or changes it. */
export function Screen() {
  const settings = useCall(getSettings, {})
  return (
    <>
      <ScreenHead
        title="Maintenance"
        line="Players can look around but not log in, buy or redeem. Staff can log in as usual. Every page shows a notice with a countdown."
        actions={<Link to="/admin/settings/history?name=maintenance">Earlier maintenance</Link>}
      />
      <Loaded of={settings} height={420}>
        {({ rows }) => {
          const row = rows.find(({ name }) => name === 'maintenance')
          const known = { maintenance: (row?.value ?? OFF) as Maintenance, version: row?.version ?? 0 }
          return (
            <div className={`${layout.panels} ${looks.narrow}`}>
              <State {...known} />
              <MaintenanceForm key={known.version} {...known} />
            </div>
          )
        }}
      </Loaded>
    </>
  )
}

const changeTo = (value: Maintenance | null, version: number) => ({
  changes: [{ name: 'maintenance' as const, version, value }],
})

/** What is true now; over is what ended by itself. */
function stateOf(maintenance: Maintenance): 'on' | 'planned' | 'off' {
  const now = new Date(serverNow())
  if (isMaintenance(maintenance, now)) return 'on'
  return maintenance.from !== '' && Date.parse(maintenance.from) > now.getTime() ? 'planned' : 'off'
}

const BADGES = {
  on: <StateBadge tone="bad">On</StateBadge>,
  planned: <StateBadge tone="next">Planned</StateBadge>,
  off: <StateBadge tone="good">The site is open</StateBadge>,
}

function State({ maintenance, version }: Known) {
  const [isEnding, setEnding] = useState(false)
  const { run, busy } = useAction(saveMaintenance, { done: ({ message }) => message })
  const state = stateOf(maintenance)
  const { from, until, message, allowed } = maintenance
  const prolong = () => {
    const end = new Date(Math.max(Date.parse(until), serverNow()) + HALF_AN_HOUR_MS).toISOString()
    return run(changeTo({ ...maintenance, until: end }, version))
  }
  return (
    <Panel title="Now" actions={BADGES[state]}>
      <div className={styles.state}>
        {state === 'off' ? (
          <p>No maintenance is planned.</p>
        ) : (
          <>
            <Facts>
              <Fact name={state === 'on' ? 'Since' : 'Starts'}>
                <When at={from} show="both" />
              </Fact>
              <Fact name="Ends">{until === '' ? 'when you end it' : <When at={until} show="both" />}</Fact>
              <Fact name="Can log in anyway">{allowed.length === 0 ? 'staff only' : allowed.join(', ')}</Fact>
            </Facts>
            <p className={styles.message}>“{message}”</p>
            <div className={layout.buttons}>
              <Button tone="danger" onClick={() => setEnding(true)}>
                {state === 'on' ? 'End it now' : 'Call it off'}
              </Button>
              {until !== '' && (
                <Button tone="secondary" busy={busy} onClick={() => void prolong()}>
                  Extend by 30 minutes
                </Button>
              )}
            </div>
          </>
        )}
      </div>
      <ConfirmDialog
        open={isEnding}
        onClose={() => setEnding(false)}
        title={state === 'on' ? 'End the maintenance now?' : 'Call the maintenance off?'}
        action={state === 'on' ? 'End it now' : 'Call it off'}
        endpoint={saveMaintenance}
        input={() => changeTo({ ...maintenance, from: '', until: '' }, version)}
        done={({ message: text }) => text}
      >
        <p>Players can log in, buy and redeem again within seconds. The notice disappears from every page.</p>
      </ConfirmDialog>
    </Panel>
  )
}

function MaintenanceForm({ maintenance, version }: Known) {
  const state = stateOf(maintenance)
  const [typed, setTyped] = useState({
    ...maintenance,
    ...(state === 'off' && { from: '', until: '' }),
    allowed: maintenance.allowed.join(', '),
  })
  const [error, setError] = useState<string | null>(null)
  const [asking, setAsking] = useState<Maintenance | null>(null)
  const set = (values: Partial<typeof typed>) => setTyped({ ...typed, ...values })
  const startsNow = typed.from === '' || (state !== 'on' && Date.parse(typed.from) <= serverNow())

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted: Maintenance = {
      // A little in the past, because the clocks of browser and server differ.
      from: startsNow ? new Date(serverNow() - CLOCKS_DIFFER_MS).toISOString() : typed.from,
      until: typed.until,
      message: typed.message.trim(),
      allowed: typed.allowed.split(/[\s,;]+/).filter((id) => id !== ''),
    }
    const wrong = checkSetting('maintenance', wanted)
    const isOver = wanted.until !== '' && Date.parse(wanted.until) <= serverNow()
    setError(wrong ?? (isOver ? 'The end is in the past.' : null))
    if (wrong === null && !isOver) setAsking(wanted)
  }

  const verb = state === 'on' ? 'Change it' : startsNow ? 'Start it now' : 'Plan it'
  return (
    <>
      <SettingsSheet
        title={state === 'off' ? 'Start or plan maintenance' : 'Change it'}
        label="Maintenance"
        failure={error}
        onSubmit={submit}
        actions={
          <Button type="submit" tone="paper">
            {verb}
          </Button>
        }
      >
        <FormGrid>
          <MomentField
            label="Starts"
            hint="empty: now · Manila time"
            value={typed.from}
            onChange={(from) => set({ from: from ?? '' })}
          />
          <MomentField
            label="Ends automatically"
            hint="empty: when you end it"
            value={typed.until}
            onChange={(until) => set({ until: until ?? '' })}
          />
        </FormGrid>
        <LinesField
          label="Message to players"
          hint={`${typed.message.length} / 300`}
          value={typed.message}
          placeholder="We are updating the server. Your characters and items are safe."
          onChange={({ currentTarget }) => set({ message: currentTarget.value })}
        />
        <TextField
          label="Can log in anyway"
          hint="user IDs, separated by commas"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed.allowed}
          onChange={({ currentTarget }) => set({ allowed: currentTarget.value })}
        />
      </SettingsSheet>
      <ConfirmDialog
        open={asking !== null}
        onClose={() => setAsking(null)}
        title={
          state === 'on' ? 'Change the maintenance?' : startsNow ? 'Start maintenance now?' : 'Plan the maintenance?'
        }
        action={verb}
        tone={state !== 'on' && startsNow ? 'danger' : 'primary'}
        endpoint={saveMaintenance}
        input={() => changeTo(asking, version)}
        done={({ message }) => message}
      >
        <p>
          {startsNow && state !== 'on'
            ? 'Purchases that are under way are completed first. From then on nobody can log in, buy or redeem'
            : `From ${asking === null ? '' : manilaText(Date.parse(asking.from))} nobody can log in, buy or redeem`}
          {asking?.until ? `, until ${manilaText(Date.parse(asking.until))}.` : ', until you end it.'} Players who are
          logged in stay logged in and can look around.
        </p>
      </ConfirmDialog>
    </>
  )
}
