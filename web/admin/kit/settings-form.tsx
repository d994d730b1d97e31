import type { ZodMiniType } from 'zod/mini'
import type { FieldKind } from '#contract/describe-fields.ts'
import {
  getSettings,
  type saveMaintenance,
  type saveNames,
  type saveSettings,
  type saveSiteSettings,
  type saveStaffSettings,
} from '#contract/desk-settings.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { checkSetting, SETTINGS, type SettingName } from '#contract/settings.ts'
import { useCall } from '#web/api/queries.ts'
import { DeskForm } from './desk-form.tsx'
import { Loaded } from './screen.tsx'

type Setting = CallOutput<typeof getSettings>['rows'][number]
type Saving =
  | typeof saveMaintenance
  | typeof saveNames
  | typeof saveSettings
  | typeof saveSiteSettings
  | typeof saveStaffSettings

/** A call that changes settings as that of a form with other values, which the form makes changes of. */
export const withValues = <Values,>(endpoint: Saving) =>
  endpoint as unknown as typeof saveSettings & { fields: ZodMiniType<Values, Values> }

type Values = Record<string, unknown>

type SettingsFormProps = {
  /** The group of `SETTINGS` to show, and the call that changes its settings. */
  group: string
  endpoint: Saving
}

/** A group of settings on a sheet of paper, each with what it does. Only what was changed is sent. */
export function SettingsForm({ group, endpoint }: SettingsFormProps) {
  const settings = useCall(getSettings, {})
  return (
    <Loaded of={settings} height={240}>
      {({ rows }) => {
        const own = rows.filter(({ name }) => SETTINGS[name].group === group)
        return own.length === 0 ? null : (
          <Sheet key={own.map(({ version }) => version).join()} group={group} endpoint={endpoint} rows={own} />
        )
      }}
    </Loaded>
  )
}

const KINDS: Partial<Record<string, FieldKind>> = {
  switch: 'tick',
  number: 'digits',
  email: 'email',
  web: 'address',
  webhook: 'address',
  moment: 'moment',
}

function Sheet({ group, endpoint, rows }: SettingsFormProps & { rows: Setting[] }) {
  const changesIn = (values: Values) => rows.filter(({ name, value }) => values[name] !== value)
  const fixed = rows.filter(({ fixed_by }) => fixed_by !== null)
  const fields = rows.map(({ name }) => {
    const { kind, label, help } = SETTINGS[name]
    const isNumber = kind === 'number' && { isNumber: true as const }
    return [name, { kind: KINDS[kind] ?? 'text', label, help, ...isNumber, isReplaced: kind === 'webhook' }] as const
  })
  return (
    <>
      {fixed.map(({ name, value, fixed_by }) => (
        <p key={name}>
          {SETTINGS[name].label}: <strong>{String(value)}</strong>. It comes from {fixed_by}, which is set where the
          site is started; change or remove it there.
        </p>
      ))}
      <DeskForm
        endpoint={withValues<Values>(endpoint)}
        title={group}
        savesChanges
        fields={Object.fromEntries(fields)}
        show={rows.filter(({ fixed_by }) => fixed_by === null).map(({ name }) => name)}
        values={Object.fromEntries(rows.map(({ name, value }) => [name, value]))}
        check={(values) =>
          Object.fromEntries(
            changesIn(values).flatMap(({ name }) => {
              const wrong = checkSetting(name as SettingName, values[name])
              return wrong === null ? [] : [[name, wrong]]
            }),
          )
        }
        input={(values) => ({
          changes: changesIn(values).map(({ name, version }) => ({ name, version, value: values[name] })),
        })}
      />
    </>
  )
}
