import { useLogout } from '#web/api/session-actions.ts'

/** Ends the session, here and on the server, and goes to /login (SPEC §4 Logout). */
export function LogoutButton({ className }: { className?: string | undefined }) {
  const logOut = useLogout()
  return (
    <button type="button" className={className} onClick={() => void logOut()}>
      Logout
    </button>
  )
}
