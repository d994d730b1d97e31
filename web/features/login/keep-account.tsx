import { useState } from 'react'
import { type ErasingLogin, storeLogin } from '#web/api/incomplete-login.ts'
import { useLogin } from '#web/api/session-actions.ts'
import { Button } from '#web/ui/button.tsx'
import styles from './login-page.module.css'

/** Cancels a scheduled erasure by logging in again, with the second factor if the account has one. */
export function KeepAccount({ login: { message, nextPath, UserID, UserPass } }: { login: ErasingLogin }) {
  const [busy, setBusy] = useState(false)
  const logIn = useLogin()
  const keepAccount = async () => {
    setBusy(true)
    await logIn({ UserID, UserPass, keepAccount: true }, nextPath)
    setBusy(false)
  }
  return (
    <div className={styles.body} data-for="guest">
      <p className={styles.errorNote} role="status">
        {message}
      </p>
      <p>If you keep your account, everything is as it was before.</p>
      <Button tone="paper" size="lg" busy={busy} onClick={() => void keepAccount()}>
        Keep my account
      </Button>
      <div className={styles.links}>
        <button type="button" onClick={() => storeLogin(null)}>
          Log in with another account
        </button>
      </div>
    </div>
  )
}
