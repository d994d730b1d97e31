import { getSettings, saveMaintenance } from '#contract/desk-settings.ts'
import { checkSetting, isMaintenanceOn, type Maintenance, maintenanceFields } from '#contract/settings.ts'
import { useCall } from '#web/api/queries.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import text from '#web/ui/text.module.css'
import { DeskAction } from '../../kit/action.tsx'
import { getServerNow } from '../../kit/clock.ts'
import { DeskForm } from '../../kit/desk-form.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { Facts, formatManilaTime, StateBadge, When } from '../../kit/facts.tsx'
import { Loaded, ScreenHead } from '../../kit/screen.tsx'
import { typeFormValues } from '../../kit/settings-form.tsx'
import styles from './maintenance.module.css'

const NO_MAINTENANCE: Maintenance = { from: '', until: '', message: '', allowed: [] }
const HALF_AN_HOUR_MS = 30 * 60_000
const CLOCK_TOLERANCE_MS = 3000

type SavedMaintenance = { maintenance: Maintenance; version: number }

/** Shows current or planned maintenance, with the form that starts, plans or changes it. */
export function Screen() {
  const settings = useCall(getSettings, {})
  return (
    <>
      <ScreenHead
        title="Maintenance"
        line="During maintenance, players can look around but not log in, buy or redeem. Staff can log in as usual. Every page shows a notice with a countdown."
        actions={
          <ButtonLink to="/admin/settings/history?name=maintenance" tone="secondary">
            Earlier maintenance
          </ButtonLink>
        }
      />
      <Loaded result={settings} height={420}>
        {({ rows }) => {
          const row = rows.find(({ name }) => name === 'maintenance')
          const current = { maintenance: (row?.value ?? NO_MAINTENANCE) as Maintenance, version: row?.version ?? 0 }
          return (
            <div className={`${layout.panels} ${deskLayout.narrow}`}>
              <MaintenanceState {...current} />
              <MaintenanceForm key={current.version} {...current} />
            </div>
          )
        }}
      </Loaded>
    </>
  )
}

const toChangeInput = (value: Maintenance | null, version: number) => ({
  changes: [{ name: 'maintenance' as const, version, value }],
})

/** Returns the current state of maintenance; 'off' also after its time has ended. */
function getState(maintenance: Maintenance): 'on' | 'planned' | 'off' {
  const now = new Date(getServerNow())
  if (isMaintenanceOn(maintenance, now)) return 'on'
  return maintenance.from !== '' && Date.parse(maintenance.from) > now.getTime() ? 'planned' : 'off'
}

const BADGES = {
  on: <StateBadge tone="bad">On</StateBadge>,
  planned: <StateBadge tone="attention">Planned</StateBadge>,
  off: <StateBadge tone="good">The site is open</StateBadge>,
}

function MaintenanceState({ maintenance, version }: SavedMaintenance) {
  const state = getState(maintenance)
  const { from, until, message, allowed } = maintenance
  const getExtendedEnd = () => new Date(Math.max(Date.parse(until), getServerNow()) + HALF_AN_HOUR_MS).toISOString()
  return (
    <Panel title="Now" actions={BADGES[state]}>
      <div className={styles.state}>
        {state === 'off' ? (
          <p>No maintenance is planned.</p>
        ) : (
          <>
            <Facts
              facts={{
                [state === 'on' ? 'Began' : 'Starts']: <When at={from} show="both" />,
                Ends: until === '' ? 'when you end it' : <When at={until} show="both" />,
                'Can log in anyway': ['staff', ...allowed].join(', '),
              }}
            />
            <p className={`${text.quiet} ${text.breaks} ${deskLayout.readable}`}>“{message}”</p>
            <div className={layout.buttons}>
              <DeskAction
                endpoint={saveMaintenance}
                input={toChangeInput({ ...maintenance, from: '', until: '' }, version)}
                label={state === 'on' ? 'End it now' : 'Call it off'}
                tone="danger"
                confirmation={{
                  title: state === 'on' ? 'End the maintenance now?' : 'Call the maintenance off?',
                  tone: 'primary',
                  text: `${state === 'on' ? 'Players can log in, buy and redeem again within seconds.' : 'The maintenance will not start.'} The notice disappears from every page.`,
                }}
              />
              {until !== '' && (
                <DeskAction
                  endpoint={saveMaintenance}
                  input={() => toChangeInput({ ...maintenance, until: getExtendedEnd() }, version)}
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
type MaintenanceValues = Omit<Maintenance, 'allowed'> & { allowed: string }

const splitUserIds = (text: string) => text.split(/[\s,;]+/).filter((id) => id !== '')

function MaintenanceForm({ maintenance, version }: SavedMaintenance) {
  const state = getState(maintenance)
  const startsNow = ({ from = '' }: Partial<MaintenanceValues>) =>
    from === '' || (state !== 'on' && Date.parse(from) <= getServerNow())
  const toMaintenance = (formValues: MaintenanceValues): Maintenance => ({
    // Slightly in the past, because the clocks of browser and server can differ.
    from: startsNow(formValues) ? new Date(getServerNow() - CLOCK_TOLERANCE_MS).toISOString() : formValues.from,
    until: formValues.until,
    message: formValues.message.trim(),
    allowed: splitUserIds(formValues.allowed),
  })
  const findError = ({ until, ...formValues }: MaintenanceValues): string | null =>
    checkSetting('maintenance', toMaintenance({ until, ...formValues })) ??
    (until !== '' && Date.parse(until) <= getServerNow() ? 'The end is in the past.' : null)
  return (
    <DeskForm
      endpoint={typeFormValues<MaintenanceValues>(saveMaintenance)}
      title={state === 'off' ? 'Start or plan maintenance' : 'Change the maintenance'}
      fields={maintenanceFields}
      show={[['from', 'until'], 'message', 'allowed']}
      values={{
        ...maintenance,
        ...(state === 'off' && { from: '', until: '' }),
        allowed: maintenance.allowed.join(', '),
      }}
      check={(formValues) => {
        const root = findError(formValues)
        return root === null ? {} : { root }
      }}
      input={(formValues) => toChangeInput(toMaintenance(formValues), version)}
      submitLabel={({ values }) => (state === 'on' ? 'Change it' : startsNow(values) ? 'Start it now' : 'Plan it')}
      getConfirmation={(formValues) => {
        const startsImmediately = state !== 'on' && startsNow(formValues)
        const { from, until } = toMaintenance(formValues)
        return {
          title:
            state === 'on'
              ? 'Change the maintenance?'
              : startsImmediately
                ? 'Start maintenance now?'
                : 'Plan the maintenance?',
          tone: startsImmediately ? 'danger' : 'primary',
          text: `${
            startsImmediately
              ? 'Purchases that are under way are completed first. After that, players can’t log in, buy or redeem'
              : `From ${formatManilaTime(Date.parse(from))} players can’t log in, buy or redeem`
          }${until === '' ? ', until you end it.' : `, until ${formatManilaTime(Date.parse(until))}.`} Players who are logged in stay logged in and can look around.`,
        }
      }}
    />
  )
}
