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
import { manilaText } from './facts.tsx'
import { Loaded } from './screen.tsx'

type Setting = CallOutput<typeof getSettings>['rows'][number]

/** The calls that save settings, by permission. All take the same input. */
export const SAVING = {
  'look.write': saveNames,
  'settings.write': saveSettings,
  'site.write': saveSiteSettings,
  'staff.write': saveStaffSettings,
  'maintenance.write': saveMaintenance,
}
type Saving = (typeof SAVING)[keyof typeof SAVING]

/**
 * Returns an endpoint that saves settings with the type of a form’s values, which the form converts to changes.
 */
export const withValues = <Values,>(endpoint: Saving) =>
  endpoint as unknown as typeof saveSettings & { fields: ZodMiniType<Values, Values> }

type Values = Record<string, unknown>

type SettingsFormsProps = {
  permission: keyof typeof SAVING
  /** Returns whether the form shows a setting. By default it shows all settings. */
  shows?: (name: SettingName) => boolean
}

/** The settings of a permission, each group on its own sheet. Only operators with the permission may render it. */
export function SettingsForms({ permission, shows = () => true }: SettingsFormsProps) {
  const settings = useCall(getSettings, {})
  return (
    <Loaded of={settings} height={240}>
      {({ rows }) => {
        const formSettings = rows.filter(({ name }) => SETTINGS[name].permission === permission && shows(name))
        const groups = Map.groupBy(formSettings, ({ name }) => SETTINGS[name].group)
        return [...groups].map(([group, groupRows]) => (
          <Sheet
            key={group + groupRows.map(({ name, version }) => name + version)}
            title={group}
            endpoint={SAVING[permission]}
            rows={groupRows}
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
  lines: 'lines',
}

/** Returns a setting's help. For a changed setting, it adds the default and who changed the setting when. */
function describeSetting({ name, is_default, ...setting }: Setting): string {
  const { help } = SETTINGS[name]
  if (is_default || setting.changed_at === null) return help
  const date = manilaText(new Date(setting.changed_at))
  return `${help} Changed${setting.changed_by ? ` by ${setting.changed_by}` : ''} on ${date}. Default: ${setting.default}.`
}

/** The form of a group of settings. It sends only changed values. */
function Sheet({ title, endpoint, rows }: { title: string; endpoint: Saving; rows: Setting[] }) {
  const findChanges = (values: Values) => rows.filter(({ name, value }) => values[name] !== value)
  const fixed = rows.filter(({ fixed_by }) => fixed_by !== null)
  const fields = rows.map((row) => {
    const { name } = row
    const { kind, label } = SETTINGS[name]
    const help = describeSetting(row)
    const isNumber = kind === 'number' && { isNumber: true as const }
    return [name, { kind: KINDS[kind] ?? 'text', label, help, ...isNumber, isReplaced: kind === 'webhook' }] as const
  })
  return (
    <>
      {fixed.map(({ name, value, fixed_by }) => (
        <p key={name}>
          {SETTINGS[name].label}: <strong>{String(value)}</strong>. The variable {fixed_by} in the server’s environment
          sets this value; change or remove the variable there.
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
            findChanges(values).flatMap(({ name }) => {
              const error = checkSetting(name as SettingName, values[name])
              return error === null ? [] : [[name, error]]
            }),
          )
        }
        input={(values) => ({
          changes: findChanges(values).map(({ name, version }) => ({ name, version, value: values[name] })),
        })}
      />
    </>
  )
}
