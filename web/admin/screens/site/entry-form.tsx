import type { ReactNode } from 'react'
import type { FormValues, Wire } from '#contract/endpoint.ts'
import { Checkbox } from '#web/forms/fields.tsx'
import type { DeskFormParts } from '../../kit/desk-form.tsx'

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
