import { type FormEvent, type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import {
  getSettings,
  type saveSettings,
  type saveSiteSettings,
  type saveStaffSettings,
} from '#contract/desk-settings.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { checkSetting, SETTINGS, type SettingName } from '#contract/settings.ts'
import { alertText, CallError } from '#web/api/call.ts'
import { useCall } from '#web/api/queries.ts'
import { Checkbox } from '#web/forms/fields.tsx'
import { FormActions, PaperSheet } from '#web/forms/sheet.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { NotConfirmed, showFailure, useAction, WaitsForApproval } from './call.ts'
import { useLeaveGuard } from './desk-form.tsx'
import looks from './looks.module.css'
import { MomentField } from './moment-field.tsx'
import { Loaded } from './screen.tsx'
import styles from './settings-form.module.css'

type Setting = CallOutput<typeof getSettings>['rows'][number]
type Saving = typeof saveSettings | typeof saveSiteSettings | typeof saveStaffSettings

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

type Values = Partial<Record<SettingName, unknown>>

function Sheet({ group, endpoint, rows }: SettingsFormProps & { rows: Setting[] }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState<Values>({})
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const { attempt, busy } = useAction(endpoint as typeof saveSettings, { done: ({ message }) => message })
  const changed = rows.filter(({ name, value }) => name in typed && typed[name] !== value)
  useLeaveGuard(changed.length > 0)

  const set = (name: SettingName, value: unknown) => setTyped((now) => ({ ...now, [name]: value }))
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const wrong = changed.flatMap(({ name }) => {
      const text = checkSetting(name, typed[name])
      return text === null ? [] : [[name, text] as const]
    })
    setErrors(Object.fromEntries(wrong))
    setFailure(null)
    if (wrong.length > 0) return
    try {
      await attempt({ changes: changed.map(({ name, version }) => ({ name, version, value: typed[name] })) })
      setTyped({})
    } catch (error) {
      if (error instanceof NotConfirmed) return
      if (error instanceof WaitsForApproval) {
        setTyped({})
        return showFailure(error, navigate)
      }
      const fields = error instanceof CallError ? error.fields : {}
      const texts = Object.fromEntries(Object.entries(fields).map(([name, [text]]) => [name, text]))
      setErrors(texts)
      if (Object.keys(texts).length === 0) setFailure(alertText(error))
    }
  }

  return (
    <SettingsSheet
      title={group}
      failure={failure}
      onSubmit={(event) => void submit(event)}
      actions={
        <>
          <Button type="submit" tone="paper" busy={busy} disabled={changed.length === 0}>
            Save
          </Button>
          {changed.length > 0 && (
            <Button tone="secondary" onClick={() => setTyped({})}>
              Reset
            </Button>
          )}
        </>
      }
    >
      {rows.map(({ name, value }) => (
        <Control
          key={name}
          name={name}
          value={name in typed ? typed[name] : value}
          error={errors[name]}
          onChange={(next) => set(name, next)}
        />
      ))}
    </SettingsSheet>
  )
}

type SettingsSheetProps = {
  title: string
  /** What the form is called, if not by its title. */
  label?: string
  /** Why it was not saved. */
  failure: string | null
  onSubmit: (event: FormEvent) => void
  /** Its buttons. */
  actions: ReactNode
  children: ReactNode
}

/** A form on a sheet of paper: a title, fields, why it was not saved, buttons. */
export function SettingsSheet({ title, label = title, failure, onSubmit, actions, children }: SettingsSheetProps) {
  return (
    <PaperSheet>
      <form noValidate className={styles.form} onSubmit={onSubmit} aria-label={label}>
        <h2>{title}</h2>
        {children}
        {failure !== null && (
          <p className={looks.failure} role="alert">
            {failure}
          </p>
        )}
        <FormActions>{actions}</FormActions>
      </form>
    </PaperSheet>
  )
}

type ControlProps = {
  name: SettingName
  value: unknown
  error: string | undefined
  onChange: (value: unknown) => void
}

/** The field of one setting, and what the setting does. */
function Control({ name, value, error, onChange }: ControlProps) {
  const { kind, label, help } = SETTINGS[name]
  return (
    <div className={styles.setting}>
      {kind === 'switch' ? (
        <Checkbox
          label={label}
          checked={value === true}
          error={error}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      ) : kind === 'moment' ? (
        <MomentField label={label} value={String(value ?? '')} onChange={(at) => onChange(at ?? '')} error={error} />
      ) : (
        <TextField
          label={label}
          error={error}
          value={String(value ?? '')}
          type={kind === 'email' ? 'email' : 'text'}
          inputMode={kind === 'number' ? 'numeric' : kind === 'web' || kind === 'webhook' ? 'url' : undefined}
          autoComplete="off"
          onFocus={({ currentTarget }) => kind === 'webhook' && currentTarget.select()}
          onChange={({ currentTarget: { value: next } }) =>
            onChange(kind === 'number' && /^\d+$/.test(next) ? Number(next) : next)
          }
        />
      )}
      <p>{help}</p>
    </div>
  )
}
