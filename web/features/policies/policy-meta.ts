import { pageMeta } from '#web/api/page-meta.ts'
import type { Policy, PolicyNames } from './policy-types.ts'

/** Title, description and preview of a policy; the site's name comes from the root's data. */
export function policyMeta(matches: Parameters<typeof pageMeta>[0], write: (names: PolicyNames) => Policy) {
  const root = matches.find((match) => match?.id === 'root')?.loaderData as { appName: string } | undefined
  const app = root?.appName ?? 'this server'
  const { title, about, path } = write({ app, operator: `the operators of ${app}`, contact: '' })
  return pageMeta(matches, { crumb: title, description: about, path })
}
