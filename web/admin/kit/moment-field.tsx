import { toManilaLocal } from '#contract/manila.ts'
import { TextField } from '#web/ui/field.tsx'

/** A moment as the browser's own field has it, in Manila time. */
const toManila = (moment: string | null | undefined) => (moment ? toManilaLocal(Date.parse(moment)) : '')

/** A moment of the browser's field, which means Manila time wherever the device is. */
const fromManila = (local: string) => (local === '' ? null : new Date(`${local}:00+08:00`).toISOString())

type MomentFieldProps = {
  label: string
  /** An ISO date, or null for none. */
  value: string | null | undefined
  onChange: (moment: string | null) => void
  hint?: string
  error?: string | undefined
}

/** A date and time in Manila. */
export function MomentField({ label, value, onChange, hint = 'Manila time', error }: MomentFieldProps) {
  return (
    <TextField
      label={label}
      hint={hint}
      error={error}
      type="datetime-local"
      value={toManila(value)}
      onChange={({ currentTarget }) => onChange(fromManila(currentTarget.value.slice(0, 16)))}
    />
  )
}
