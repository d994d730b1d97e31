import { useId } from 'react'
import { PASSWORD_TEXTS } from '#contract/accounts.ts'
import { NEW_PASSWORD_MIN, PASSWORD_MAX } from '#contract/limits.ts'
import type { TextFieldProps } from '#web/ui/field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import styles from './new-password.module.css'
import { estimatePasswordStrength } from './password-strength.ts'

type FieldProps = Omit<TextFieldProps, 'type' | 'inside'>

/** The rules for generated passwords. The attribute is not part of HTML, but several password managers read it. */
const GENERATOR_RULES = { passwordrules: `minlength: ${NEW_PASSWORD_MIN}; maxlength: ${PASSWORD_MAX};` }

type NewPasswordFieldProps = FieldProps & {
  /** The text typed so far. */
  password: string
  userId?: string | undefined
}

/**
 * The field for a new password with its strength. It has no maxlength, because a shortened paste would lock the player
 * out.
 */
export function NewPasswordField({ password, userId, ...field }: NewPasswordFieldProps) {
  const id = useId()
  const { level, text } = estimatePasswordStrength(password, userId)
  return (
    <div>
      <PasswordField {...GENERATOR_RULES} {...field} autoComplete="new-password" aria-describedby={id} />
      <p className={styles.strength} id={id} data-level={level}>
        <span className={styles.squares} aria-hidden="true">
          <i />
          <i />
          <i />
        </span>
        <span role="status">{text}</span>
      </p>
    </div>
  )
}

type PairProps = {
  field: (name: 'NewUserPass' | 'RetypeUserPass') => Omit<FieldProps, 'label'>
  /** The new password typed so far. */
  password: string | undefined
  userId?: string
}

/** The fields for the new password and its repetition. */
export function NewPasswordPair({ field, password = '', userId }: PairProps) {
  return (
    <>
      <NewPasswordField label={PASSWORD_TEXTS.newLabel} password={password} userId={userId} {...field('NewUserPass')} />
      <PasswordField label={PASSWORD_TEXTS.retypeLabel} autoComplete="new-password" {...field('RetypeUserPass')} />
    </>
  )
}

/** Advice on good passwords, next to the form for a new one. */
export function PasswordTips() {
  return (
    <aside className={styles.tips} aria-label="What makes a good password">
      <h3>What makes a good password</h3>
      <ul>
        <li>Three words that have nothing to do with each other, with a digit between them.</li>
        <li>Nothing you use elsewhere, such as for your email or another game.</li>
        <li>A password manager can create and store one. Pasting works here.</li>
      </ul>
    </aside>
  )
}
