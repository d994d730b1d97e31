import { clockParts } from '#contract/manila.ts'
import { NEWS } from '#contract/messages.ts'

const grouped = new Intl.NumberFormat('en-US')

/** A count with thousands separators. */
export function formatCount(value: number): string {
  return grouped.format(value)
}

type DayText = { day: string; title: string | undefined }

/** A moment as its day in Manila, '12 Nov 2026', and with its time for the title; without one, the spec's words. */
export function formatDay(iso: string | null | undefined): DayText {
  const moment = iso ? Date.parse(iso) : Number.NaN
  if (Number.isNaN(moment)) return { day: NEWS.noDate, title: undefined }
  const { date, minutes, zone } = clockParts(moment)
  const day = date.slice(date.indexOf(' ') + 1)
  return { day, title: `${day}, ${minutes} ${zone}` }
}
