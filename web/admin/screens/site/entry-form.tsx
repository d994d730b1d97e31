import type { ReactNode, TextareaHTMLAttributes } from 'react'
import type { FormValues, Wire } from '#contract/endpoint.ts'
import { Checkbox } from '#web/forms/fields.tsx'
import field from '#web/ui/field.module.css'
import { FieldFrame } from '#web/ui/field.tsx'
import type { DeskFormParts } from '../../kit/desk-form.tsx'
import styles from './site.module.css'

export type Row = { id: number; version: number; visible: boolean }

export type Parts = { row: Row | null; latest: () => Promise<Row>; onDone: () => void; actions: ReactNode }

/** What the forms of all kinds are given: the row, its version, and what to do when somebody else was faster. */
export function formProps<E extends Wire>(
  { row, latest, onDone, actions }: Parts,
  toValues: (row: Row | null) => Partial<FormValues<E>>,
) {
  const identity = (one: Row | null) => ({
    id: one?.id ?? null,
    version: one?.version ?? 0,
    visible: one?.visible ?? true,
  })
  const valuesOf = (one: Row | null) => ({ ...identity(one), ...toValues(one) }) as Partial<FormValues<E>>
  return {
    values: valuesOf(row),
    version: row?.version ?? 0,
    input: (values: object, version: number | null) => ({ ...values, version: version ?? 0 }) as never,
    latest: async () => {
      const now = await latest()
      return { version: now.version, values: valuesOf(now) }
    },
    submit: row === null ? 'Add it' : 'Save',
    done: row === null ? 'Added.' : 'Saved.',
    onDone,
    actions,
  }
}

export function Visible<E extends Wire>({ form }: { form: DeskFormParts<E> }) {
  return <Checkbox label="Players see it" {...form.field('visible' as never)} />
}

type LinesProps = TextareaHTMLAttributes<HTMLTextAreaElement> & {
  label: string
  hint: string
  error?: string | undefined
}

/** A text of several lines. */
export function Lines({ label, hint, error, ...area }: LinesProps) {
  return (
    <FieldFrame label={label} hint={hint} error={error}>
      {(control) => <textarea rows={3} {...area} {...control} className={`${field.input} ${styles.text}`} />}
    </FieldFrame>
  )
}
