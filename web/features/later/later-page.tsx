import { useLocation } from 'react-router'
import { pageMeta } from '#web/api/page-meta.ts'
import { ClosedNotice } from '#web/features/error/closed-notice.tsx'
import { NotFoundContent } from '#web/features/error/not-found-content.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { firstSegment } from '#web/shell/sections.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { LATER_PAGES } from './later-pages.ts'

type MetaArgs = { matches: Parameters<typeof pageMeta>[0]; location: { pathname: string } }

export function meta({ matches, location }: MetaArgs) {
  const segment = firstSegment(location.pathname)
  const page = LATER_PAGES[segment]
  if (page === undefined) return undefined
  return pageMeta(matches, { crumb: page.title, description: page.about, path: `/${segment}`, hidden: true })
}

/** A page whose content comes later: its title and heading, and the truth. */
export default function LaterPage() {
  const page = LATER_PAGES[firstSegment(useLocation().pathname)]
  if (page === undefined) return <NotFoundContent />
  return (
    <>
      <PageHead crumb={page.title} title={page.title} lines={[page.about]} />
      <ClosedNotice picture="/art/not-found.svg">
        <h2>Still being built</h2>
        <p>This part of the site is not open yet. It will stand at this address when it is ready.</p>
        <ButtonLink to={page.meanwhile.to}>{page.meanwhile.label}</ButtonLink>
      </ClosedNotice>
    </>
  )
}
