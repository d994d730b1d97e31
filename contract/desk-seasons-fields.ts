/** The forms about seasons. Browsers fetch this file on demand, so it is written with zod/mini. */
import * as z from 'zod/mini'
import { reasonField } from './desk-staff-fields.ts'

const NAME = 'Give the season a name of 1 to 60 characters.'
const DIVISIONS = 'Write one division per line, best first: its name and its share, such as Gold 10.'
const DIVISIONS_MAX = 8

export type Division = { name: string; share: number }

/** Reads divisions as a person writes them, a line each. @returns what is wrong where they cannot be read */
export function readDivisions(text: string): Division[] | string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const divisions: Division[] = []
  for (const line of lines) {
    const [, name = '', share = ''] = /^\s*(\S.{0,29}?)\s+(\d{1,3})\s*%?\s*$/u.exec(line) ?? []
    if (name === '') return DIVISIONS
    divisions.push({ name, share: Number(share) })
  }
  if (divisions.length === 0) return DIVISIONS
  if (divisions.length > DIVISIONS_MAX) return `Use at most ${DIVISIONS_MAX} divisions.`
  const isRising = divisions.every(({ share }, index) => share > (divisions[index - 1]?.share ?? 0))
  if (!isRising) return 'Each share must be larger than the one before it, because it includes the better divisions.'
  if (divisions.at(-1)?.share !== 100) return 'Give the last division 100, so that everyone ranked is in one.'
  if (new Set(divisions.map(({ name }) => name.toLowerCase())).size < divisions.length)
    return 'Give each division a different name.'
  return divisions
}

/** Divisions as a person writes them. */
export const writeDivisions = (divisions: readonly Division[]) =>
  divisions.map(({ name, share }) => `${name} ${share}`).join('\n')

const divisions = z.string(DIVISIONS).check(
  z.maxLength(600, DIVISIONS),
  z.regex(/^[\P{Cc}\n]*$/u, DIVISIONS),
  z.check<string>((field) => {
    const read = readDivisions(field.value)
    if (typeof read === 'string') field.issues.push({ code: 'custom', message: read, input: field.value })
  }),
)

const month = z.string('Choose a month.').check(z.regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Enter a month such as 2026-12.'))
const rule = z.enum(['points', 'growth'], 'Choose how this board counts.')
const number = z.number('Load the season again.').check(z.int())

export const seasonForm = z.object({
  /** The season and the version that the change was made from; null for a new one. */
  season: z.nullable(number),
  version: z.nullable(number),
  name: z.string(NAME).check(z.trim(), z.minLength(1, NAME), z.maxLength(60, NAME), z.regex(/^\P{Cc}*$/u, NAME)),
  first_month: month,
  last_month: month,
  divisions,
  resu: rule,
  mmr: rule,
  level: rule,
  richest: rule,
  killer: rule,
})

export const seasonStepForm = z.object({ season: number, version: number, reason: reasonField })
