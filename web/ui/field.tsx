import { type InputHTMLAttributes, type ReactNode, useId } from 'react'
import styles from './field.module.css'

export type TextFieldProps = InputHTMLAttributes<HTMLInputElement> & {
  label: string
  /** What is wrong, under the field. */
  error?: string | undefined
  /** A word at the right of the label, such as 'optional'. */
  hint?: string
  /** Stands inside the field at its right end. */
  inside?: ReactNode
}

/** A labelled input for ink and paper surfaces. Its error is read out with the field. */
export function TextField({ label, error, hint, inside, id, className, ...input }: TextFieldProps) {
  const ownId = useId()
  const fieldId = id ?? ownId
  const errorId = `${fieldId}-error`
  return (
    <div className={[styles.field, className].filter(Boolean).join(' ')}>
      <label className={styles.label} htmlFor={fieldId}>
        {label}
        {hint !== undefined && <span className={styles.hint}>{hint}</span>}
      </label>
      <div className={styles.box}>
        <input
          {...input}
          id={fieldId}
          className={styles.input}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={
            [input['aria-describedby'], error !== undefined && errorId].filter(Boolean).join(' ') || undefined
          }
        />
        {inside}
      </div>
      {error !== undefined && (
        <p className={styles.error} id={errorId}>
          <svg width="20" height="18" viewBox="0 0 20 18" aria-hidden="true">
            <path fill="currentColor" fillRule="evenodd" d="M10 0 20 18H0ZM9 6v6h2V6Zm0 7.5v2h2v-2Z" />
          </svg>
          {error}
        </p>
      )}
    </div>
  )
}
