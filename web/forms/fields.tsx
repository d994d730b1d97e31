import { type InputHTMLAttributes, type SelectHTMLAttributes, type TextareaHTMLAttributes, useId } from 'react'
import { formatCount } from '#contract/numbers.ts'
import field from '#web/ui/field.module.css'
import { FieldError, FieldFrame } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { Value } from '#web/ui/value.tsx'
import styles from './fields.module.css'
import { countText } from './text-count.ts'

type LabelledFieldProps = { label: string; error?: string | undefined }

type SelectFieldProps = SelectHTMLAttributes<HTMLSelectElement> & LabelledFieldProps & { hint?: string }

/** The browser's select element, which phones display best, in the style of the other fields. */
export function SelectField({ label, error, hint, children, ...selectProps }: SelectFieldProps) {
  return (
    <FieldFrame label={label} error={error} hint={hint}>
      {(control) => (
        <>
          <select {...selectProps} {...control} className={`${field.input} ${styles.select}`}>
            {children}
          </select>
          <svg className={styles.arrow} width="14" height="10" viewBox="0 0 14 10" fill="none" aria-hidden="true">
            <path d="m1.5 1.5 5.5 6 5.5-6" stroke="currentColor" strokeWidth="2.6" />
          </svg>
        </>
      )}
    </FieldFrame>
  )
}

type TextAreaProps = TextareaHTMLAttributes<HTMLTextAreaElement> &
  LabelledFieldProps & {
    /** The typed text. It can exceed `limit`, because pasted text must not be cut off. */
    text: string
    limit: number | undefined
  }

/** A field for a long text. It grows with the text and counts its characters (DESK-34). */
export function TextArea({ label, error, text, limit, ...textAreaProps }: TextAreaProps) {
  const count = countText(text, limit)
  const hint = count && (
    <span className={count.isTooLong ? styles.tooLong : undefined} aria-hidden="true">
      <Value>{formatCount(count.typedLength)}</Value> / <Value>{formatCount(limit ?? 0)}</Value>
    </span>
  )
  return (
    <div>
      <FieldFrame label={label} error={error} hint={hint ?? undefined}>
        {(control) => <textarea rows={6} {...textAreaProps} {...control} className={`${field.input} ${styles.area}`} />}
      </FieldFrame>
      <span className="visually-hidden" role="status">
        {count?.announcement}
      </span>
    </div>
  )
}

type InputProps = InputHTMLAttributes<HTMLInputElement>

type RadioGroupProps = InputProps & LabelledFieldProps & { options: readonly string[]; defaultOption: string }

/** A row of radio buttons. `defaultOption` is selected at first. */
export function RadioGroup({ label, options, defaultOption, error, ...input }: RadioGroupProps) {
  const errorId = useId()
  return (
    <fieldset className={styles.radios} aria-describedby={error === undefined ? undefined : errorId}>
      <legend className={styles.legend}>{label}</legend>
      {options.map((option) => (
        <label key={option} className={styles.choice}>
          <input
            {...input}
            type="radio"
            value={option}
            defaultChecked={option === defaultOption}
            className={styles.radio}
          />
          {option}
        </label>
      ))}
      {error !== undefined && <FieldError id={errorId}>{error}</FieldError>}
    </fieldset>
  )
}

/** A checkbox with its label and a hint. */
export function Checkbox({ label, hint, error, ...input }: InputProps & LabelledFieldProps & { hint?: string }) {
  const errorId = useId()
  return (
    <div className={layout.stack4}>
      <label className={styles.choice}>
        <input
          {...input}
          type="checkbox"
          className={styles.checkbox}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error === undefined ? undefined : errorId}
        />
        {hint === undefined ? (
          label
        ) : (
          <span>
            {label} <small>{hint}</small>
          </span>
        )}
      </label>
      {error !== undefined && <FieldError id={errorId}>{error}</FieldError>}
    </div>
  )
}
