import { clockParts } from '#contract/manila.ts'

/** A moment as histories write it, in Manila time: '20 Nov 2026' and '21:42'. */
export function momentWords(iso: string): { date: string; time: string } {
  const { date, minutes } = clockParts(new Date(iso))
  return { date: date.slice(date.indexOf(' ') + 1), time: minutes }
}
