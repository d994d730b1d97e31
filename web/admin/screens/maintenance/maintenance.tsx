import { getSettings, saveMaintenance } from '#contract/desk-settings.ts'
import { checkSetting, isMaintenance, type Maintenance, maintenanceFields } from '#contract/settings.ts'
import { useCall } from '#web/api/queries.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import text from '#web/ui/text.module.css'
import { DeskAction } from '../../kit/action.tsx'
import { serverNow } from '../../kit/clock.ts'
import { DeskForm } from '../../kit/desk-form.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { Facts, manilaText, StateBadge, When } from '../../kit/facts.tsx'
import { Loaded, ScreenHead } from '../../kit/screen.tsx'
import { withValues } from '../../kit/settings-form.tsx'
import styles from './maintenance.module.css'

const OFF: Maintenance = { from: '', until: '', message: '', allowed: [] }
const HALF_AN_HOUR_MS = 30 * 60_000
const CLOCKS_DIFFER_MS = 3000

type Known = { maintenance: Maintenance; version: number }

/** Shows current or planned maintenance, with the form that starts, plans or changes it. */
export function Screen() {
  const settings = useCall(getSettings, {})
  return (
    <>
      <ScreenHead
        title="Maintenance"
        line="Players can look around but not log in, buy or redeem. Staff can log in as usual. Every page shows a notice with a countdown."
        actions={
          <ButtonLink to="/admin/settings/history?name=maintenance" tone="secondary">
            Earlier maintenance
          </ButtonLink>
        }
      />
      <Loaded of={settings} height={420}>
        {({ rows }) => {
          const row = rows.find(({ name }) => name === 'maintenance')
          const current = { maintenance: (row?.value ?? OFF) as Maintenance, version: row?.version ?? 0 }
          return (
            <div className={`${layout.panels} ${deskLayout.narrow}`}>
              <State {...current} />
              <MaintenanceForm key={current.version} {...current} />
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

/** Returns the current state of maintenance; 'off' also after its time has ended. */
function getState(maintenance: Maintenance): 'on' | 'planned' | 'off' {
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
  const state = getState(maintenance)
  const { from, until, message, allowed } = maintenance
  const later = () => new Date(Math.max(Date.parse(until), serverNow()) + HALF_AN_HOUR_MS).toISOString()
  return (
    <Panel title="Now" actions={BADGES[state]}>
      <div className={styles.state}>
        {state === 'off' ? (
          <p>No maintenance is planned.</p>
        ) : (
          <>
            <Facts
              of={{
                [state === 'on' ? 'Began' : 'Starts']: <When at={from} show="both" />,
                Ends: until === '' ? 'when you end it' : <When at={until} show="both" />,
                'Can log in anyway': allowed.length === 0 ? 'staff only' : allowed.join(', '),
              }}
            />
            <p className={`${text.quiet} ${text.breaks} ${deskLayout.readable}`}>“{message}”</p>
            <div className={layout.buttons}>
              <DeskAction
                endpoint={saveMaintenance}
                input={changeTo({ ...maintenance, from: '', until: '' }, version)}
                label={state === 'on' ? 'End it now' : 'Call it off'}
                tone="danger"
                ask={{
                  title: state === 'on' ? 'End the maintenance now?' : 'Call the maintenance off?',
                  tone: 'primary',
                  text: 'Players can log in, buy and redeem again within seconds. The notice disappears from every page.',
                }}
              />
              {until !== '' && (
                <DeskAction
                  endpoint={saveMaintenance}
                  input={() => changeTo({ ...maintenance, until: later() }, version)}
                  label="Extend by 30 minutes"
                  tone="secondary"
                />
              )}
            </div>
          </>
        )}
      </div>
    </Panel>
  )
}

/** The values of the maintenance form. */
type Typed = Omit<Maintenance, 'allowed'> & { allowed: string }

const readAllowed = (typed: string) => typed.split(/[\s,;]+/).filter((id) => id !== '')

function MaintenanceForm({ maintenance, version }: Known) {
  const state = getState(maintenance)
  const startsNow = ({ from = '' }: Partial<Typed>) =>
    from === '' || (state !== 'on' && Date.parse(from) <= serverNow())
  const toMaintenance = (typed: Typed): Maintenance => ({
    // Slightly in the past, because the clocks of browser and server can differ.
    from: startsNow(typed) ? new Date(serverNow() - CLOCKS_DIFFER_MS).toISOString() : typed.from,
    until: typed.until,
    message: typed.message.trim(),
    allowed: readAllowed(typed.allowed),
  })
  const findWrong = ({ until, ...typed }: Typed): string | null =>
    checkSetting('maintenance', toMaintenance({ until, ...typed })) ??
    (until !== '' && Date.parse(until) <= serverNow() ? 'The end is in the past.' : null)
  return (
    <DeskForm
      endpoint={withValues<Typed>(saveMaintenance)}
      title={state === 'off' ? 'Start or plan maintenance' : 'Change it'}
      fields={maintenanceFields}
      show={[['from', 'until'], 'message', 'allowed']}
      values={{
        ...maintenance,
        ...(state === 'off' && { from: '', until: '' }),
        allowed: maintenance.allowed.join(', '),
      }}
      check={(typed) => {
        const root = findWrong(typed)
        return root === null ? {} : { root }
      }}
      input={(typed) => changeTo(toMaintenance(typed), version)}
      submit={({ values }) => (state === 'on' ? 'Change it' : startsNow(values) ? 'Start it now' : 'Plan it')}
      ask={(typed) => {
        const isStart = state !== 'on' && startsNow(typed)
        const { from, until } = toMaintenance(typed)
        return {
          title:
            state === 'on' ? 'Change the maintenance?' : isStart ? 'Start maintenance now?' : 'Plan the maintenance?',
          tone: isStart ? 'danger' : 'primary',
          text: `${
            isStart
              ? 'Purchases that are under way are completed first. After that, players can’t log in, buy or redeem'
              : `From ${manilaText(Date.parse(from))} players can’t log in, buy or redeem`
          }${until === '' ? ', until you end it.' : `, until ${manilaText(Date.parse(until))}.`} Players who are logged in stay logged in and can look around.`,
        }
      }}
    />
  )
}
