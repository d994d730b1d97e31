import type { MouseEvent } from 'react'
import { useNavigate } from 'react-router'
import { ERROR_PAGE_TEXTS } from '#contract/messages.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import styles from './error.module.css'

/** Shown when the shell fails: only the text and the links of the error page, because other parts may fail too. */
export function RootError() {
  return (
    <main className={styles.page}>
      <img src="/art/error-sign.svg" alt="" width="480" height="260" />
      <h1 className={styles.heading}>{ERROR_PAGE_TEXTS.title}</h1>
      <p className={styles.text}>{ERROR_PAGE_TEXTS.text}</p>
      <ErrorLinks />
    </main>
  )
}

/** The three buttons of FAIL-9. */
export function ErrorLinks() {
  const navigate = useNavigate()
  /** Goes one page back. Without a previous page, or without scripts, the link opens the home page. */
  const goBack = (event: MouseEvent) => {
    if (window.history.length < 2) return
    event.preventDefault()
    void navigate(-1)
  }
  return (
    <div className={`${layout.buttons} ${styles.links}`}>
      <ButtonLink to="/" onClick={goBack}>
        {ERROR_PAGE_TEXTS.goBack}
      </ButtonLink>
      <ButtonLink to="/ticket" tone="secondary">
        {ERROR_PAGE_TEXTS.support}
      </ButtonLink>
      <ButtonLink to="/" tone="secondary">
        {ERROR_PAGE_TEXTS.homepage}
      </ButtonLink>
    </div>
  )
}
