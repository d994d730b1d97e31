import type { Head } from '#web/api/page.ts'
import { NUMBERS, RATES } from './server-values.ts'

/** The head of the server information, with its first figures. */
export function serverHead(): Partial<Head> {
  const figures = [...RATES, ...NUMBERS.slice(0, 2)].map(({ name, value }) => `${name} ${value}`)
  return { description: `${figures.join(', ')}: rates, limits and times of this server.` }
}
