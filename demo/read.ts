import { z } from 'zod'
import { openFolder } from '#content/files.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts'

/** Reads the demo world's files. */
export const { readText, readTable, readTexts } = openFolder(import.meta.dirname)

const UNITS = { d: DAY_MS, h: HOUR_MS, m: MINUTE_MS }

/** A duration such as `4d 2h 10m` in milliseconds; negative after a minus. */
export const timeSpan = z
  .string()
  .regex(/^-?\d+[dhm]( \d+[hm])*$/)
  .transform((text) => {
    const lengths = [...text.matchAll(/(\d+)([dhm])/g)].map(([, count, unit]) => Number(count) * UNITS[unit as 'd'])
    const sum = lengths.reduce((total, length) => total + length, 0)
    return text.startsWith('-') ? -sum : sum
  })
