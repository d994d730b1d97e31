import { z } from 'zod'

/** A moment in UTC, such as '2026-12-31T16:00:00.000Z'. */
export const moment = z.iso.datetime()

export const nullableMoment = moment.nullable()

/** A moment that may state its time zone as an offset from UTC. */
export const offsetMoment = z.iso.datetime({ offset: true })

/** How many there are of something. */
export const count = z.int()

/** The number of a row. */
export const id = z.int()

/** The number of a row, refused in an input when it cannot be one. */
export const positiveId = z.int().positive()
