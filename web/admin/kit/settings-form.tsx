import type { ZodMiniType } from 'zod/mini'
import type { FieldKind } from '#contract/describe-fields.ts'
import {
  getSettings,
  saveMaintenance,
  saveNames,
  saveSettings,
  saveSiteSettings,
  saveStaffSettings,
} from '#contract/desk-settings.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { checkSetting, SETTINGS, type SettingName } from '#contract/settings.ts'
import { useCall } from '#web/api/queries.ts'
import { DeskForm } from './desk-form.tsx'
import { Loaded } from './screen.tsx'

type Setting = CallOutput<typeof getSettings>['rows'][number]

/** The calls that change settings, by the permission for them; all take the same input. */
export const SAVING = {
  'look.write': saveNames,
  'settings.write': saveSettings,
  'site.write': saveSiteSettings,
  'staff.write': saveStaffSettings,
  'maintenance.write': saveMaintenance,
}
type Saving = (typeof SAVING)[keyof typeof SAVING]

/** A call that changes settings as that of a form with other values, which the form makes changes of. */
export const withValues = <Values,>(endpoint: Saving) =>
  endpoint as unknown as typeof saveSettings & { fields: ZodMiniType<Values, Values> }

type Values = Record<string, unknown>

/** The settings that a permission is for, each group on a sheet of paper. Only for who has it. */
export function SettingsForms({ permission }: { permission: keyof typeof SAVING }) {
  const settings = useCall(getSettings, {})
  return (
    <Loaded of={settings} height={240}>
      {({ rows }) => {
        const own = rows.filter(({ name }) => SETTINGS[name].permission === permission)
        const groups = Map.groupBy(own, ({ name }) => SETTINGS[name].group)
        return [...groups].map(([group, some]) => (
          <Sheet
            key={group + some.map(({ version }) => version)}
            title={group}
            endpoint={SAVING[permission]}
            rows={some}
          />
        ))
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

/** A group of settings, each with what it does. Only what was changed is sent. */
function Sheet({ title, endpoint, rows }: { title: string; endpoint: Saving; rows: Setting[] }) {
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
        title={title}
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
