import { useSearchParams } from 'react-router'
import { RECOVERY } from '#contract/account-messages.ts'
import { useHydrated } from '#web/api/page.ts'
import { PaperSheet, SheetPart } from '#web/features/account/paper-sheet.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import styles from './password-form.module.css'
import { ResetPasswordForm } from './reset-password-form.tsx'

/** Sets a new password with the link of a mail (DECISIONS §3). */
export default function ResetPasswordPage() {
  const [search] = useSearchParams()
  const token = search.get('token') ?? ''
  const withoutLink = useHydrated() && token === ''
  return (
    <>
      <PageHead crumb="Reset Password" title="Reset Password" lines={['Choose a new password for your account.']} />
      <PaperSheet>
        {withoutLink ? (
          <SheetPart title="No link, no reset" line={RECOVERY.linkDead}>
            <div className={styles.form}>
              <div>
                <ButtonLink to="/findaccount" tone="paper" size="lg">
                  Ask for a link
                </ButtonLink>
              </div>
            </div>
          </SheetPart>
        ) : (
          <ResetPasswordForm token={token} />
        )}
      </PaperSheet>
    </>
  )
}
