import type { MouseEvent } from 'react'
import { useNavigate } from 'react-router'
import { ERROR_PAGE } from '#contract/messages.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import styles from './error.module.css'

/**
 * The last resort, when the shell itself cannot be shown: the text and links of the error page alone, because the rest
 * may have failed too.
 */
export function RootError() {
  return (
    <main className={styles.page}>
      <img src="/art/error-sign.svg" alt="" width="480" height="260" />
      <h1 className={styles.heading}>{ERROR_PAGE.title}</h1>
      <p className={styles.text}>{ERROR_PAGE.text}</p>
      <WaysOut />
    </main>
  )
}

/** The three buttons of FAIL-9. */
export function WaysOut() {
  const navigate = useNavigate()
  /** One page back; home if there is no page before, and without scripts. */
  const goBack = (event: MouseEvent) => {
    if (window.history.length < 2) return
    event.preventDefault()
    void navigate(-1)
  }
  return (
    <div className={`${layout.buttons} ${styles.ways}`}>
      <ButtonLink to="/" onClick={goBack}>
        {ERROR_PAGE.goBack}
      </ButtonLink>
      <ButtonLink to="/ticket" tone="secondary">
        {ERROR_PAGE.support}
      </ButtonLink>
      <ButtonLink to="/" tone="secondary">
        {ERROR_PAGE.homepage}
      </ButtonLink>
    </div>
  )
}
