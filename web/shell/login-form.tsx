import { LOGIN } from '#contract/messages.ts'
import { LogoMark } from '#web/art/logo.tsx'
import { useLoginForm } from '#web/forms/use-login-form.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'
import styles from './id-card.module.css'

const goHome = () => '/'

/** The side panel's login box (SPEC §2.3): the same login as the page's, from wherever one is. */
export function LoginForm() {
  const { errors, busy, form } = useLoginForm(goHome)
  return (
    <form {...form}>
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
        <Button type="submit" tone="paper" size="lg" className={styles.submit} busy={busy}>
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
