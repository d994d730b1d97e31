import { useSession } from '#web/api/session.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { ChangePasswordFormSheet } from './change-password-form.tsx'
import { ChangePasswordSkeleton } from './change-password-skeleton.tsx'

/** Change password (SPEC §2.14), for players only. */
export default function ChangePasswordPage() {
  const user = useSession()?.user
  return (
    <>
      <PageHead
        crumb="Change Password"
        title="Change Password"
        lines={['Your secret answer confirms that it is you.']}
      />
      <div>{user === undefined ? <ChangePasswordSkeleton /> : <ChangePasswordFormSheet user={user} />}</div>
    </>
  )
}
