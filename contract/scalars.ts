import { z } from 'zod'

/** A Date, or a moment as text, which the JSON functions of the database give. */
const given = z
  .union([z.date(), z.string()])
  .pipe(z.coerce.date())
  .transform((moment) => moment.toISOString())

/** A moment of an answer, in UTC, such as '2026-12-31T16:00:00.000Z'. */
export const moment = given.pipe(z.iso.datetime())

export const nullableMoment = moment.nullable()

/** A moment of an answer that, to programs, may state its time zone as an offset from UTC. */
export const offsetMoment = given.pipe(z.iso.datetime({ offset: true }))

/** How many there are of something. */
export const count = z.int()

/** The number of a row. */
export const id = z.int()

/** The number of a row, refused in an input when it cannot be one. */
export const positiveId = z.int().positive()
