import { type InputHTMLAttributes, useId } from 'react'
import { FieldErrorText } from '#web/features/account/field-error.tsx'
import styles from './choices.module.css'

type InputProps = InputHTMLAttributes<HTMLInputElement>

type RadioRowProps = {
  label: string
  options: readonly string[]
  chosen: string
  input: InputProps
}

/** A few choices in a row, one of them chosen from the start. */
export function RadioRow({ label, options, chosen, input }: RadioRowProps) {
  return (
    <fieldset className={styles.row}>
      <legend className={styles.legend}>{label}</legend>
      {options.map((option) => (
        <label key={option} className={styles.choice}>
          <input {...input} type="radio" value={option} defaultChecked={option === chosen} className={styles.radio} />
          {option}
        </label>
      ))}
    </fieldset>
  )
}

type CheckboxProps = InputProps & { label: string; error?: string | undefined }

/** A box to tick. */
export function Checkbox({ label, error, ...input }: CheckboxProps) {
  const id = useId()
  const errorId = `${id}-error`
  return (
    <div className={styles.check}>
      <label className={styles.choice}>
        <input
          {...input}
          type="checkbox"
          className={styles.box}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error === undefined ? undefined : errorId}
        />
        {label}
      </label>
      {error !== undefined && <FieldErrorText id={errorId}>{error}</FieldErrorText>}
    </div>
  )
}
