import { passwordStrength } from './password-strength.ts'
import styles from './strength-hint.module.css'

type StrengthHintProps = { id: string; password: string; userId?: string }

/** Three squares and a sentence under a new password. */
export function StrengthHint({ id, password, userId }: StrengthHintProps) {
  const { level, text } = passwordStrength(password, userId)
  return (
    <p className={styles.hint} id={id} data-level={level}>
      <span className={styles.squares} aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span role="status">{text}</span>
    </p>
  )
}
