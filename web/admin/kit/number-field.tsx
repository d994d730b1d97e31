import { useState } from 'react'
import { readWhole } from '#contract/numbers.ts'
import { TextField, type TextFieldProps } from '#web/ui/field.tsx'

type NumberFieldProps = Omit<TextFieldProps, 'value' | 'onChange' | 'type' | 'inputMode'> & {
  /** A text is what somebody typed that is no whole number; the form's rules refuse it. */
  value: number | string | null | undefined
  onChange: (value: number | string | null) => void
}

/**
 * A field for a whole number. What is none, such as 5.00 or -5, stays as it was typed and is refused in words; it does not
 * become another number.
 */
export function NumberField({ value, onChange, error, ...field }: NumberFieldProps) {
  const [isLeft, setLeft] = useState(false)
  const isWrong = typeof value === 'string' && (isLeft || error !== undefined)
  return (
    <TextField
      autoComplete="off"
      maxLength={16}
      {...field}
      inputMode="numeric"
      value={value ?? ''}
      error={isWrong ? 'Enter a whole number such as 1500.' : error}
      onBlur={() => setLeft(true)}
      onChange={({ currentTarget: { value: typed } }) =>
        onChange(typed.trim() === '' ? null : (readWhole(typed) ?? typed))
      }
    />
  )
}
