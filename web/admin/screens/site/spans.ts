import type { WeekEntry } from '#contract/settings.ts'

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

type Span = WeekEntry['spans'][number]

const writeHour = (hour: number) => `${Math.floor(hour)}:${String(Math.round((hour % 1) * 60)).padStart(2, '0')}`

/** The hours of the week as text, such as 'Tue 5:00-6:30, Sat 21:00-22:00'. */
export const writeSpans = (spans: readonly Span[]): string =>
  spans.map(({ day, from, to }) => `${DAYS[day]} ${writeHour(from)}-${writeHour(to)}`).join(', ')

/** The hours that a text names; null for a text that cannot be read. */
export function readSpans(text: string): Span[] | null {
  const spans = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const found = /^(\p{L}{3})\p{L}* +(\d{1,2})(?::(\d\d))? *[-–] *(\d{1,2})(?::(\d\d))?$/u.exec(part)
      if (found === null) return null
      const [, name = '', fromHour, fromMinute = '0', toHour, toMinute = '0'] = found
      const day = DAYS.findIndex((one) => one.toLowerCase() === name.toLowerCase())
      const from = Number(fromHour) + Number(fromMinute) / 60
      const to = Number(toHour) + Number(toMinute) / 60
      return day < 0 || from >= to || to > 24 ? null : { day, from, to }
    })
  return spans.includes(null) ? null : (spans as Span[])
}
