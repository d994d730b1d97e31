import type { TextareaHTMLAttributes } from 'react'
import field from '#web/ui/field.module.css'
import { FieldFrame } from '#web/ui/field.tsx'
import looks from './looks.module.css'

type LinesFieldProps = TextareaHTMLAttributes<HTMLTextAreaElement> & {
  label: string
  hint: string
  error?: string | undefined
}

/** A text of a few lines. */
export function LinesField({ label, hint, error, ...area }: LinesFieldProps) {
  return (
    <FieldFrame label={label} hint={hint} error={error}>
      {(control) => <textarea rows={3} {...area} {...control} className={`${field.input} ${looks.lines}`} />}
    </FieldFrame>
  )
}
