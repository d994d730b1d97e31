import { type InputHTMLAttributes, type ReactNode, useId } from 'react'
import styles from './field.module.css'

type FrameProps = {
  label: ReactNode
  /** The error message below the field. */
  error?: string | undefined
  /** A short note to the right of the label, such as 'optional'. Screen readers read it after the field's name. */
  hint?: ReactNode
  id?: string | undefined
  className?: string | undefined
  /** The ids of other texts that describe the field. */
  describedBy?: string | undefined
  /** Renders the control with the attributes that connect it to its label, hint and error. */
  children: (control: FieldControl) => ReactNode
}

type FieldControl = { id: string; 'aria-invalid': true | undefined; 'aria-describedby': string | undefined }

/** The frame of every field: label above, error below. */
export function FieldFrame({ label, error, hint, id, className, describedBy, children }: FrameProps) {
  const generatedId = useId()
  const fieldId = id ?? generatedId
  const hintId = hint !== undefined && `${fieldId}-hint`
  const errorId = error !== undefined && `${fieldId}-error`
  // Screen readers read the error with the field when it gets the focus. If the field already has the focus, `alert`
  // makes them announce it immediately.
  const isFocused = error !== undefined && document.activeElement?.id === fieldId
  return (
    <div className={[styles.field, className].filter(Boolean).join(' ')}>
      <div className={styles.label}>
        <label htmlFor={fieldId}>{label}</label>
        {hintId && (
          <span className={styles.hint} id={hintId}>
            {hint}
          </span>
        )}
      </div>
      <div className={styles.box}>
        {children({
          id: fieldId,
          'aria-invalid': error !== undefined || undefined,
          'aria-describedby': [hintId, describedBy, errorId].filter(Boolean).join(' ') || undefined,
        })}
      </div>
      {errorId && (
        <FieldError id={errorId} role={isFocused ? 'alert' : undefined}>
          {error}
        </FieldError>
      )}
    </div>
  )
}

type FieldErrorProps = {
  id: string
  /** `alert` is announced immediately. */
  role?: 'alert' | undefined
  children: ReactNode
}

/** The error message of a field. */
export function FieldError({ id, role, children }: FieldErrorProps) {
  return (
    <p className={styles.error} id={id} role={role}>
      <svg width="20" height="18" viewBox="0 0 20 18" aria-hidden="true">
        <path fill="currentColor" fillRule="evenodd" d="M10 0 20 18H0ZM9 6v6h2V6Zm0 7.5v2h2v-2Z" />
      </svg>
      {children}
    </p>
  )
}

export type TextFieldProps = InputHTMLAttributes<HTMLInputElement> &
  Pick<FrameProps, 'error'> & {
    label: string
    hint?: string
    /** Shown at the right end inside the field. */
    inside?: ReactNode
  }

/** A labelled text input for ink and paper surfaces. Screen readers read its hint and error with the field. */
export function TextField({ label, error, hint, inside, id, className, ...input }: TextFieldProps) {
  return (
    <FieldFrame
      label={label}
      error={error}
      hint={hint}
      id={id}
      className={className}
      describedBy={input['aria-describedby']}
    >
      {(control) => (
        <>
          <input {...input} {...control} className={styles.input} />
          {inside}
        </>
      )}
    </FieldFrame>
  )
}
