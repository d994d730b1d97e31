import { NOT_FOUND } from '#contract/messages.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { ClosedNotice } from './closed-notice.tsx'
import styles from './error.module.css'

/** Nothing at this address, and three places where there is something. */
export function NotFoundContent() {
  return (
    <>
      <PageHead crumb={NOT_FOUND.title} title={NOT_FOUND.title} lines={['There is no page at this address.']} />
      <ClosedNotice picture="/art/not-found.svg">
        <p>
          The address may be mistyped, or the page has moved. From here you can go to the home page, read the news, or
          see who leads this month.
        </p>
        <div className={styles.ways}>
          <ButtonLink to="/">Homepage</ButtonLink>
          <ButtonLink to="/news" tone="secondary">
            News
          </ButtonLink>
          <ButtonLink to="/rankings" tone="secondary">
            Overall rankings
          </ButtonLink>
        </div>
      </ClosedNotice>
    </>
  )
}
