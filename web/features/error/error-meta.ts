import { ERROR_PAGE } from '#contract/messages.ts'
import { pageMeta } from '#web/api/page-meta.ts'

type MetaArgs = { matches: Parameters<typeof pageMeta>[0] }

/** The head of the error page, at its own address and wherever a page fails. */
export function errorMeta({ matches }: MetaArgs) {
  return pageMeta(matches, { crumb: ERROR_PAGE.title, description: ERROR_PAGE.text, path: '/error', hidden: true })
}
