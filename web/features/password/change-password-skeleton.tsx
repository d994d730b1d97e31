import { PaperSheet } from '#web/forms/sheet.tsx'
import styles from './change-password-skeleton.module.css'

/** The form's place until it is known who asks. */
export function ChangePasswordSkeleton() {
  return (
    <PaperSheet>
      <div className={styles.place} aria-hidden="true">
        <i />
        <i />
        <i />
        <i />
      </div>
    </PaperSheet>
  )
}
