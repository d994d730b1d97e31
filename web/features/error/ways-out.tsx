import { ERROR_PAGE } from '#contract/messages.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import styles from './error.module.css'
import { GoBackLink } from './go-back-link.tsx'

/** The three buttons of SPEC §2.16. */
export function WaysOut() {
  return (
    <div className={styles.ways}>
      <GoBackLink />
      <ButtonLink to="/ticket" tone="secondary">
        {ERROR_PAGE.support}
      </ButtonLink>
      <ButtonLink to="/" tone="secondary">
        {ERROR_PAGE.homepage}
      </ButtonLink>
    </div>
  )
}
