import type { MetaFunction } from 'react-router'
import { pageMeta } from '#web/api/page-meta.ts'
import { useMembersOnly } from '#web/api/use-guards.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { ChangePasswordFormSheet } from './change-password-form.tsx'
import { ChangePasswordSkeleton } from './change-password-skeleton.tsx'

export const meta: MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    crumb: 'Change Password',
    description: 'A new password for your account.',
    path: '/changepassword',
    hidden: true,
  })

/** Change password (SPEC §2.14), for players only. */
export default function ChangePasswordPage() {
  const user = useMembersOnly()?.user
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
