import { data } from 'react-router'
import { NOT_FOUND } from '#contract/messages.ts'
import { pageMeta } from '#web/api/page-meta.ts'
import { NotFoundContent } from './not-found-content.tsx'

type MetaArgs = { matches: Parameters<typeof pageMeta>[0]; location: { pathname: string } }

/** Any path that is not listed: a page like the others, with status 404. */
export function loader() {
  return data(null, { status: 404 })
}

/** In the browser nobody needs to be asked. */
export function clientLoader() {
  return null
}

export function meta({ matches, location }: MetaArgs) {
  return pageMeta(matches, {
    crumb: NOT_FOUND.title,
    description: 'There is no page at this address.',
    path: location.pathname,
    hidden: true,
  })
}

export default NotFoundContent
