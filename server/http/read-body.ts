import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { bodyCutOff, Refusal, tooLarge } from '../errors.ts'

/** Refuses bodies of more than `maxBytes`. @throws Refusal 400 for a body that ends early, 413 */
export function limitBody(maxBytes: number): MiddlewareHandler {
  const limit = bodyLimit({
    maxSize: maxBytes,
    onError: () => {
      throw tooLarge()
    },
  })
  return async (c, next) => {
    let isRead = false
    try {
      return await limit(c, () => {
        isRead = true
        return next()
      })
    } catch (error) {
      throw isRead || error instanceof Refusal ? error : bodyCutOff()
    }
  }
}

/** Reads a body as text. @throws Refusal 400 for a body that ends early, because that is the caller's error */
export const readText = (c: Context): Promise<string> =>
  c.req.text().catch(() => {
    throw bodyCutOff()
  })

/** Reads the fields of a form, urlencoded or multipart. @throws Refusal 400 for a body that is unreadable or ends early */
export const readForm = (c: Context): Promise<FormData> =>
  c.req.formData().catch(() => {
    throw bodyCutOff()
  })
