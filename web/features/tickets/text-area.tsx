import { type TextareaHTMLAttributes, useId } from 'react'
import { FieldErrorText } from '#web/features/account/field-error.tsx'
import field from '#web/ui/field.module.css'
import styles from './text-area.module.css'

type TextAreaProps = TextareaHTMLAttributes<HTMLTextAreaElement> & {
  label: string
  error?: string | undefined
  /** How many characters are typed, and how many may be. More can be typed, so that nothing pasted is cut. */
  typed: number
  limit: number
}

/** From here on the room left is read out. */
const NEARLY_FULL = 200

const number = new Intl.NumberFormat('en')

/** A field for long text that grows with it and counts. */
export function TextArea({ label, error, typed, limit, ...area }: TextAreaProps) {
  const id = useId()
  const errorId = `${id}-error`
  const left = limit - typed
  return (
    <div className={field.field}>
      <label className={field.label} htmlFor={id}>
        {label}
        <span className={left < 0 ? styles.over : field.hint} aria-hidden="true">
          {number.format(typed)} / {number.format(limit)}
        </span>
      </label>
      <div className={field.box}>
        <textarea
          rows={6}
          {...area}
          id={id}
          className={`${field.input} ${styles.area}`}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error === undefined ? undefined : errorId}
        />
      </div>
      {error !== undefined && <FieldErrorText id={errorId}>{error}</FieldErrorText>}
      <span className="visually-hidden" role="status">
        {left < 0 ? `${-left} characters too many` : left <= NEARLY_FULL ? `${left} characters left` : ''}
      </span>
    </div>
  )
}
