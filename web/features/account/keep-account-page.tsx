import { PaperSheet, SheetPart } from '#web/forms/sheet.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import styles from './undo-email-page.module.css'

/**
 * Cancels the erasure of an account with the mailed link. Opening the link changes nothing. The form posts to the
 * page's address, which contains the token, and works without scripts.
 */
export default function KeepAccountPage() {
  return (
    <>
      <PageHead
        hasScene
        crumb="Keep Account"
        title="Keep Account"
        lines={['Your account is locked and waits to be erased. You can keep it until the day in our email.']}
      />
      <PaperSheet>
        <SheetPart title="Keep my account" line="Press the button, and everything is as it was before:">
          <form method="post" className={`${layout.stack} ${styles.part}`}>
            <ul className={styles.list}>
              <li>Your account is not erased.</li>
              <li>You can log in again, and your characters are back on the pages and in their ranks.</li>
            </ul>
            <div className={layout.buttons}>
              <Button type="submit" tone="paper" size="lg">
                Keep my account
              </Button>
            </div>
            <p className={styles.note}>Do you want the account to be erased? Then leave this page.</p>
          </form>
        </SheetPart>
      </PaperSheet>
    </>
  )
}
