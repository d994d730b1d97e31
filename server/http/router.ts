import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import type { z } from 'zod'
import type { Deps } from '../deps.ts'
import { ruleBroken } from '../errors.ts'

/** How long shared caches may keep a public answer; the process itself drops its own at once when content changes. */
const PUBLIC_JSON = 'public, max-age=0, s-maxage=30'
export const PUBLIC_PAGE = 'public, max-age=0, s-maxage=30, stale-while-revalidate=300'

/** A router whose refused input answers 422 in the house's error shape, naming the field and the rule. */
export function createRouter(): OpenAPIHono {
  return new OpenAPIHono({
    defaultHook: (result) => {
      if (!result.success) throw ruleBroken(describeIssue(result.error.issues[0]))
    },
  })
}

/** Our own rules speak whole sentences or 'must …' of the field; the library's words are not for people. */
function describeIssue(issue: { path: PropertyKey[]; message: string } | undefined): string {
  const field = issue?.path.join('.') || 'The request'
  if (issue?.message.startsWith('must ')) return `${field} ${issue.message}.`
  return issue?.message.endsWith('.') ? issue.message : `${field} is not valid.`
}

/**
 * For answers that are the same for everyone: kept for a few seconds, with validators and compressed forms.
 * `keptAs` gives requests that ask the same in other words the address of one.
 */
export function publicAnswer(
  { cache }: Pick<Deps, 'cache'>,
  keptAs: (c: Context) => Request = (c) => c.req.raw,
): MiddlewareHandler {
  return async (c, next) => {
    const answer = await cache.respond(keptAs(c), async () => {
      await next()
      if (c.res.ok) c.res.headers.set('Cache-Control', PUBLIC_JSON)
      return c.res
    })
    // Without this the context would carry headers of the rendered answer over to a 304.
    c.res = undefined
    c.res = answer
  }
}

type Declares<Schema extends z.ZodType> = {
  responses: { 200: { content: { 'application/json': { schema: Schema } } } }
}

/** Answers 200 with what the endpoint's schema lets through, so that no private column can leak. */
export function reply<Schema extends z.ZodType>(c: Context, endpoint: Declares<Schema>, value: z.input<Schema>) {
  return c.json(endpoint.responses[200].content['application/json'].schema.parse(value) as z.output<Schema>, 200)
}
