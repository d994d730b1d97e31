import { useId } from 'react'
import { NEW_PASSWORD_MIN, PASSWORD_MAX } from '#contract/limits.ts'
import type { TextFieldProps } from '#web/ui/field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { StrengthHint } from './strength-hint.tsx'

/** What password managers may make up; not of HTML's own attributes, but read by several of them. */
const RULES = { passwordrules: `minlength: ${NEW_PASSWORD_MIN}; maxlength: ${PASSWORD_MAX};` }

type Props = Omit<TextFieldProps, 'type' | 'inside'> & {
  /** What has been typed so far. */
  password: string
  userId?: string
}

/** A new password with a hint how strong it is. No maxlength: a cut-off paste would lock its owner out. */
export function NewPasswordField({ password, userId, ...field }: Props) {
  const id = useId()
  return (
    <div>
      <PasswordField {...RULES} {...field} autoComplete="new-password" aria-describedby={id} />
      <StrengthHint id={id} password={password} userId={userId} />
    </div>
  )
}
