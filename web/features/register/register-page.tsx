import type { MetaFunction } from 'react-router'
import { pageMeta } from '#web/api/page-meta.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { RegisterForm } from './register-form.tsx'

export const meta: MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    crumb: 'Register',
    description: 'One account for all three schools. You choose a school inside the game.',
    path: '/register',
  })

/** Registration (SPEC §2.6). */
export default function RegisterPage() {
  return (
    <>
      <PageHead
        crumb="Register"
        title="Register"
        lines={['One account for all three schools.', 'You choose a school inside the game.']}
      />
      <RegisterForm />
    </>
  )
}
