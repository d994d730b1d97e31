import { useNavigate } from 'react-router'
import { clearSession } from '#web/api/session.ts'

/** Forgets the session and goes to /login (SPEC §4 Logout). The call that ends it on the server comes with the accounts. */
export function LogoutButton({ className }: { className?: string | undefined }) {
  const navigate = useNavigate()
  return (
    <button
      type="button"
      className={className}
      onClick={() => {
        clearSession()
        void navigate('/login')
      }}
    >
      Logout
    </button>
  )
}
