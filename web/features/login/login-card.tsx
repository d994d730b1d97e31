import { useEffect } from 'react'
import { LOGIN } from '#contract/messages.ts'
import { LogoMark } from '#web/art/marks.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { warmToasts } from '#web/ui/toast.ts'
import styles from './login-card.module.css'
import { useLoginForm } from './use-login-form.ts'
import { VerifiedNote } from './verified-note.tsx'

/** The ID card that opens the gate: the form for guests, and a moment of patience for who is in already. */
export function LoginCard({ goTo }: { goTo: () => string }) {
  const { errors, busy, form } = useLoginForm(goTo)
  useEffect(warmToasts, [])
  return (
    <section className={styles.card} data-surface="paper" aria-labelledby="player-login">
      <span className={styles.slot} aria-hidden="true" />
      <div className={styles.head}>
        <h2 id="player-login">Player login</h2>
        <LogoMark size={30} />
      </div>
      <form {...form} className={styles.body} data-for="guest">
        <VerifiedNote />
        <TextField
          label="User ID"
          name="UserID"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.UserID}
        />
        <PasswordField label="Password" name="UserPass" autoComplete="current-password" error={errors.UserPass} />
        <Button type="submit" tone="paper" size="lg" className={styles.submit} busy={busy}>
          Login
        </Button>
        <div className={styles.links}>
          <Link to="/register">{LOGIN.signUp}</Link>
          <Link to="/findaccount">{LOGIN.forgot}</Link>
        </div>
      </form>
      <div className={styles.patience} data-for="player">
        <p role="status">The gate is opening…</p>
        <span className={styles.squares} aria-hidden="true">
          <i />
          <i />
          <i />
        </span>
      </div>
    </section>
  )
}
