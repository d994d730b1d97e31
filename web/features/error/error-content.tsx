import type { ReactNode } from 'react'
import { isRouteErrorResponse } from 'react-router'
import { ERROR_PAGE_TEXTS, NO_CONNECTION_TEXTS, NOT_FOUND_TEXTS } from '#contract/messages.ts'
import { useOffline } from '#web/api/connection.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { useArt } from '#web/ui/theme-art.ts'
import styles from './error.module.css'
import { ErrorLinks } from './root-error.tsx'

/** Returns whether an error means that no page exists at the address. */
export function isNotFound(error: unknown): boolean {
  return isRouteErrorResponse(error) && error.status === 404
}

/** The error page of FAIL-9: its title, its text, and three links. */
export function ErrorContent() {
  // The offline notice at the top of the page has the details.
  if (useOffline()) return <PageHead hasScene crumb={NO_CONNECTION_TEXTS.title} title={NO_CONNECTION_TEXTS.title} />
  return (
    <>
      <PageHead hasScene crumb={ERROR_PAGE_TEXTS.title} title={ERROR_PAGE_TEXTS.title} />
      <Notice picture="/art/error-sign.svg">
        <p>{ERROR_PAGE_TEXTS.text}</p>
        <ErrorLinks />
      </Notice>
    </>
  )
}

/** The page for an unknown address, with three links. */
export function NotFoundContent() {
  return (
    <>
      <PageHead
        hasScene
        crumb={NOT_FOUND_TEXTS.title}
        title={NOT_FOUND_TEXTS.title}
        lines={['There is no page at this address.']}
      />
      <Notice picture="/art/not-found.svg">
        <p>
          The address may be mistyped, or the page has moved. From here you can go to the home page, read the news, or
          see who leads this month.
        </p>
        <div className={`${layout.buttons} ${styles.links}`}>
          <ButtonLink to="/">Homepage</ButtonLink>
          <ButtonLink to="/news" tone="secondary">
            News
          </ButtonLink>
          <ButtonLink to="/rankings" tone="secondary">
            Overall rankings
          </ButtonLink>
        </div>
      </Notice>
    </>
  )
}

type NoticeProps = {
  /** The address of a drawing of 480×260 px. */
  picture: string
  children: ReactNode
}

/** A drawing next to a text and links. */
function Notice({ picture, children }: NoticeProps) {
  return (
    <Panel>
      <div className={`${layout.padded} ${styles.notice}`}>
        <img className={styles.picture} src={useArt(picture)} alt="" width="480" height="260" />
        <div className={styles.lines}>{children}</div>
      </div>
    </Panel>
  )
}
