import { useSearchParams } from 'react-router'
import { useHydrated } from '#web/api/page.ts'
import { Link } from '#web/ui/link.tsx'
import styles from './verified-note.module.css'

/** How a verification link went: its mail leads to /login?verified=1 or 0. */
export function VerifiedNote() {
  const [search] = useSearchParams()
  const verified = useHydrated() ? search.get('verified') : null
  if (verified === '1') {
    return (
      <p className={styles.good} role="status">
        Your e-mail address is verified.
      </p>
    )
  }
  if (verified !== '0') return null
  return (
    <p className={styles.bad} role="status">
      This verification link is no longer good. After the login, <Link to="/user">My Account</Link> shows whether your
      address is verified.
    </p>
  )
}
