import { type SelectHTMLAttributes, useId } from 'react'
import field from '#web/ui/field.module.css'
import { FieldErrorText } from './field-error.tsx'
import styles from './select-field.module.css'

type SelectFieldProps = SelectHTMLAttributes<HTMLSelectElement> & {
  label: string
  error?: string | undefined
  /** A word at the right of the label, such as 'optional'. */
  hint?: string
}

/** The platform's own choice, drawn like the other fields: on a phone nothing is easier to use. */
export function SelectField({ label, error, hint, children, ...select }: SelectFieldProps) {
  const id = useId()
  const errorId = `${id}-error`
  return (
    <div className={field.field}>
      <label className={field.label} htmlFor={id}>
        {label}
        {hint !== undefined && <span className={field.hint}>{hint}</span>}
      </label>
      <div className={field.box}>
        <select
          {...select}
          id={id}
          className={`${field.input} ${styles.select}`}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error === undefined ? undefined : errorId}
        >
          {children}
        </select>
        <svg className={styles.arrow} width="14" height="10" viewBox="0 0 14 10" fill="none" aria-hidden="true">
          <path d="m1.5 1.5 5.5 6 5.5-6" stroke="currentColor" strokeWidth="2.6" />
        </svg>
      </div>
      {error !== undefined && <FieldErrorText id={errorId}>{error}</FieldErrorText>}
    </div>
  )
}
