import { PageHead } from '#web/shell/page-head.tsx'
import { RegisterForm } from './register-form.tsx'

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
