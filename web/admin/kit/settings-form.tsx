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
import { formatManilaTime } from './facts.tsx'
import { Loaded } from './screen.tsx'

type Setting = CallOutput<typeof getSettings>['rows'][number]

/** The calls that save settings, by permission. All take the same input. */
export const SAVE_CALLS = {
  'look.write': saveNames,
  'settings.write': saveSettings,
  'site.write': saveSiteSettings,
  'staff.write': saveStaffSettings,
  'maintenance.write': saveMaintenance,
}
type SaveCall = (typeof SAVE_CALLS)[keyof typeof SAVE_CALLS]

/**
 * Returns the endpoint unchanged, but typed with a form's values as its fields. The form converts them to the call's
 * `changes`.
 */
export const typeFormValues = <Values,>(endpoint: SaveCall) =>
  endpoint as unknown as typeof saveSettings & { fields: ZodMiniType<Values, Values> }

type Values = Record<string, unknown>

type SettingsFormsProps = {
  permission: keyof typeof SAVE_CALLS
  /** Returns whether the form shows a setting. By default it shows all settings. */
  isShown?: (name: SettingName) => boolean
}

/** The settings of a permission, each group on its own sheet. Only operators with the permission may render it. */
export function SettingsForms({ permission, isShown = () => true }: SettingsFormsProps) {
  const settings = useCall(getSettings, {})
  return (
    <Loaded result={settings} height={240}>
      {({ rows }) => {
        const formSettings = rows.filter(({ name }) => SETTINGS[name].permission === permission && isShown(name))
        const groups = Map.groupBy(formSettings, ({ name }) => SETTINGS[name].group)
        return [...groups].map(([group, groupRows]) => (
          <SettingsSheet
            key={group + groupRows.map(({ name, version }) => name + version)}
            title={group}
            endpoint={SAVE_CALLS[permission]}
            rows={groupRows}
          />
        ))
      }}
    </Loaded>
  )
}

const FIELD_KINDS: Partial<Record<string, FieldKind>> = {
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
  const date = formatManilaTime(new Date(setting.changed_at))
  return `${help} Changed${setting.changed_by ? ` by ${setting.changed_by}` : ''} on ${date}. Default: ${setting.default}.`
}

/** The form of a group of settings. It sends only changed values. */
function SettingsSheet({ title, endpoint, rows }: { title: string; endpoint: SaveCall; rows: Setting[] }) {
  const findChanges = (values: Values) => rows.filter(({ name, value }) => values[name] !== value)
  const fixedRows = rows.filter(({ fixed_by }) => fixed_by !== null)
  const fields = rows.map((row) => {
    const { name } = row
    const { kind, label } = SETTINGS[name]
    const help = describeSetting(row)
    const isNumber = kind === 'number' && { isNumber: true as const }
    return [
      name,
      { kind: FIELD_KINDS[kind] ?? 'text', label, help, ...isNumber, selectsOnFocus: kind === 'webhook' },
    ] as const
  })
  return (
    <>
      {fixedRows.map(({ name, value, fixed_by }) => (
        <p key={name}>
          {SETTINGS[name].label}: <strong>{String(value)}</strong>. The variable {fixed_by} in the server’s environment
          sets this value; change or remove the variable there.
        </p>
      ))}
      <DeskForm
        endpoint={typeFormValues<Values>(endpoint)}
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
