import { PaperSheet } from '#web/forms/sheet.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import styles from './find-account-page.module.css'
import { FindIdPart, FindPasswordPart } from './find-forms.tsx'
import { ProgressDialog } from './progress-dialog.tsx'
import { useProgress } from './use-progress.ts'

/** Account recovery (SPEC §2.14). Players who are in are sent home. */
export default function FindAccountPage() {
  const { progress, run, close } = useProgress()
  return (
    <>
      <PageHead
        crumb="Find Account"
        title="Find Account"
        lines={['Forgot your user ID or your password? We mail you the way back in.']}
      />
      <PaperSheet className={styles.halves}>
        <FindIdPart run={run} />
        <FindPasswordPart run={run} />
      </PaperSheet>
      <ProgressDialog progress={progress} onClose={close} />
    </>
  )
}
