import { ERROR_PAGE, NOT_FOUND } from '#contract/messages.ts'
import { pageMeta } from '#web/api/page-meta.ts'
import { isNotFound } from './is-not-found.ts'

type MetaArgs = { matches: Parameters<typeof pageMeta>[0]; error?: unknown }

/** The head of the error page, at its own address and wherever a page fails. */
export function errorMeta({ matches, error }: MetaArgs) {
  const page = isNotFound(error)
    ? { crumb: NOT_FOUND.title, description: 'There is no page at this address.' }
    : { crumb: ERROR_PAGE.title, description: ERROR_PAGE.text }
  return pageMeta(matches, { ...page, path: '/error', hidden: true })
}
