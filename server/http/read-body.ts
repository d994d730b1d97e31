import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createBodyCutOff, createTooLarge, Refusal } from '../errors.ts'

/** Refuses bodies of more than `maxBytes`. @throws Refusal 400 for a body that ends early, 413 */
export function limitBody(maxBytes: number): MiddlewareHandler {
  const limit = bodyLimit({
    maxSize: maxBytes,
    onError: () => {
      throw createTooLarge()
    },
  })
  return async (c, next) => {
    let isBodyRead = false
    try {
      return await limit(c, () => {
        isBodyRead = true
        return next()
      })
    } catch (error) {
      throw isBodyRead || error instanceof Refusal ? error : createBodyCutOff()
    }
  }
}

/** Reads a body as text. @throws Refusal 400 for a body that ends early, because that is the caller's error */
export const readText = (c: Context): Promise<string> =>
  c.req.text().catch(() => {
    throw createBodyCutOff()
  })

/** Reads the fields of a form, urlencoded or multipart. @throws Refusal 400 for a body that is unreadable or ends early */
export const readForm = (c: Context): Promise<FormData> =>
  c.req.formData().catch(() => {
    throw createBodyCutOff()
  })
