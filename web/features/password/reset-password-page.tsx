import { useState } from 'react'
import { useNavigate } from 'react-router'
import { RECOVERY_TEXTS, resetPassword } from '#contract/accounts.ts'
import { mailedLinkSearch } from '#web/api/browser-search.ts'
import { getDialogText } from '#web/api/call.ts'
import { useHydrated, usePageSearch } from '#web/api/page.ts'
import { CallDialog, type CallState, createErrorState } from '#web/forms/call-dialog.tsx'
import { FormActions, PaperSheet, SheetPart } from '#web/forms/sheet.tsx'
import { useCallForm } from '#web/forms/use-call-form.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { showToast } from '#web/ui/toast.ts'
import styles from './new-password.module.css'
import { NewPasswordPair, PasswordTips } from './new-password.tsx'

/** The page that sets a new password with a mailed link (FIND-4). */
export default function ResetPasswordPage() {
  const { token } = usePageSearch(mailedLinkSearch)
  const hasNoToken = useHydrated() && token === ''
  return (
    <>
      <PageHead
        hasScene
        crumb="Reset Password"
        title="Reset Password"
        lines={['Choose a new password for your account.']}
      />
      <PaperSheet>{hasNoToken ? <MissingLinkPart /> : <ResetPasswordPart token={token} />}</PaperSheet>
    </>
  )
}

function MissingLinkPart() {
  return (
    <SheetPart title="This link doesn’t work" line={RECOVERY_TEXTS.linkDead}>
      <div className={`${layout.stack} ${styles.form}`}>
        <div>
          <ButtonLink to="/findaccount" tone="paper" size="lg">
            Ask for a link
          </ButtonLink>
        </div>
      </div>
    </SheetPart>
  )
}

/** The fields for the new password and its repetition. The link and the typed text survive a refusal. */
function ResetPasswordPart({ token }: { token: string }) {
  const [state, setState] = useState<CallState | null>(null)
  const navigate = useNavigate()
  const { form, field, watch, busy } = useCallForm(resetPassword, {
    input: ({ NewUserPass }) => ({ token, NewUserPass }),
    onDone: async ({ message }) => {
      void showToast('done', message)
      // A reset ends every session of the account. If this browser had one, /login clears its stored token.
      await navigate('/login')
    },
    onFailure: (error) => setState(createErrorState(getDialogText(error))),
  })
  return (
    <SheetPart title="A new password" line="The link we mailed you works once. Using it logs you out on every device.">
      <div className={styles.withTips}>
        <form {...form} className={`${layout.stack} ${styles.form}`}>
          <NewPasswordPair field={field} password={watch('NewUserPass')} />
          <FormActions>
            <Button type="submit" tone="paper" size="lg" busy={busy}>
              Set Password
            </Button>
            <ButtonLink to="/findaccount" tone="quiet">
              Ask for a new link
            </ButtonLink>
          </FormActions>
        </form>
        <PasswordTips />
      </div>
      <CallDialog state={state} onClose={() => setState(null)} />
    </SheetPart>
  )
}
