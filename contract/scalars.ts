import { z } from 'zod'

const dateOrText = z
  .union([z.date(), z.string()])
  .transform((moment) => (typeof moment === 'string' ? moment : moment.toISOString()))

/** A moment of an answer, in UTC such as '2026-12-31T16:00:00.000Z'. A handler answers with the Date. */
export const moment = dateOrText.pipe(z.iso.datetime())

export const nullableMoment = moment.nullable()

/** A moment of an answer that, to programs, may state its time zone as an offset from UTC. */
export const offsetMoment = dateOrText.pipe(z.iso.datetime({ offset: true }))

/** How many there are of something. */
export const count = z.int()

/** The number of a row. */
export const id = z.int()

/** The number of a row, refused in an input when it cannot be one. */
export const positiveId = z.int().positive()
