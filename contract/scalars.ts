import { z } from 'zod'

/** A Date, or a time as text, as the database's JSON functions return it. */
const time = z
  .union([z.date(), z.string()])
  .pipe(z.coerce.date())
  .transform((moment) => moment.toISOString())

/** A time in a response, in UTC: '2026-12-31T16:00:00.000Z'. */
export const moment = time.pipe(z.iso.datetime())

export const nullableMoment = moment.nullable()

/** A time in a response, in UTC; its schema also allows an offset. */
export const offsetMoment = time.pipe(z.iso.datetime({ offset: true }))

/** A number of things. */
export const count = z.int()

/** The id of a row. */
export const id = z.int()

/** The id of a row in an input, at least 1. */
export const positiveId = z.int().positive()
