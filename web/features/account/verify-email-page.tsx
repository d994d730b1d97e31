import { PaperSheet, SheetPart } from '#web/forms/sheet.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { Button } from '#web/ui/button.tsx'
import styles from './undo-email-page.module.css'

/**
 * Confirms an email address with a mailed link. Opening the link only shows this page, because programs that check
 * mails open links too. The form has no action, so it posts to the link's address and needs no script.
 */
export default function VerifyEmailPage() {
  return (
    <>
      <PageHead hasScene crumb="Verify Email" title="Verify Email" lines={['Confirm that our email reached you.']} />
      <PaperSheet>
        <SheetPart
          title="Is this your address?"
          line="Press the button to confirm this email address. If you did not open an account with us, close this page; nothing has happened."
        >
          <form method="post" className={styles.part}>
            <Button type="submit" tone="paper" size="lg">
              Confirm my email address
            </Button>
          </form>
        </SheetPart>
      </PaperSheet>
    </>
  )
}
