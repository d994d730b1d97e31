import { ERROR_PAGE } from '#contract/messages.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { ClosedNotice } from './closed-notice.tsx'
import { WaysOut } from './ways-out.tsx'

/** The error page of SPEC §2.16: its title, its text, and three ways out. */
export function ErrorContent() {
  return (
    <>
      <PageHead crumb={ERROR_PAGE.title} title={ERROR_PAGE.title} />
      <ClosedNotice picture="/art/error-sign.svg">
        <p>{ERROR_PAGE.text}</p>
        <WaysOut />
      </ClosedNotice>
    </>
  )
}
