import { type FormEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { LOGIN } from '#contract/messages.ts'
import { LogoMark } from '#web/art/logo.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { checkLogin, type LoginErrors } from './check-login.ts'
import styles from './id-card.module.css'

/**
 * The login box. Until the call exists it sends nothing and leads to /login;
 * `method="dialog"` keeps a form without scripts from putting a password into an address.
 */
export function LoginForm() {
  const [errors, setErrors] = useState<LoginErrors>({})
  const navigate = useNavigate()

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const found = checkLogin(new FormData(form))
    setErrors(found)
    const [wrong] = Object.keys(found)
    if (wrong === undefined) void navigate('/login')
    else form.querySelector<HTMLInputElement>(`[name="${wrong}"]`)?.focus()
  }

  return (
    <form method="dialog" onSubmit={onSubmit} noValidate>
      <div className={styles.head}>
        <h2 className={styles.title}>Player login</h2>
        <LogoMark size={30} />
      </div>
      <div className={styles.body}>
        <TextField
          label="User ID"
          name="UserID"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.UserID}
        />
        <TextField
          label="Password"
          name="UserPass"
          type="password"
          autoComplete="current-password"
          error={errors.UserPass}
        />
        <Button type="submit" tone="paper" size="lg" className={styles.submit}>
          Login
        </Button>
        <div className={styles.links}>
          <Link to="/register">{LOGIN.signUp}</Link>
          <Link to="/findaccount">Find ID/PW</Link>
        </div>
      </div>
    </form>
  )
}
