import { z } from 'zod'

const clampToSafeInteger = (value: number) =>
  Math.min(Math.max(value, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)

/**
 * Returns the rule of a whole number in a path or query, clamped to the safe range. Other text is refused with a
 * sentence that begins with `name`.
 */
export const wholeNumberParam = (name: string) => {
  const rule = `${name} must be a whole number.`
  return z
    .string(rule)
    .regex(/^-?\d{1,100}$/, rule)
    .transform((digits) => clampToSafeInteger(Number(digits)))
}

/** Returns the rule of a row's id in a path. Other text is refused with `notFoundText`, like an id without a row. */
export const idParam = (notFoundText: string) => z.coerce.number(notFoundText).int(notFoundText).positive(notFoundText)

/** The paging fields (CALL-5): page numbers or null, `lpm1` = last_page − 1. */
export const pagingFields = {
  prev_page: z.int().nullable(),
  next_page: z.int().nullable(),
  last_page: z.int(),
  lpm1: z.int(),
}

/** Clamps the requested page and returns it with its neighbours. */
export function paginate(requestedPage: number, total: number, size: number) {
  const last_page = Math.max(1, Math.ceil(total / size))
  const page = Math.min(Math.max(requestedPage, 1), last_page)
  return {
    page,
    paging: {
      prev_page: page > 1 ? page - 1 : null,
      next_page: page < last_page ? page + 1 : null,
      last_page,
      lpm1: last_page - 1,
    },
  }
}
