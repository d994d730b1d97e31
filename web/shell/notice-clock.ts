import { maintenanceTime } from './notice-time.ts'

const LOOK_EVERY_MS = 5000

/**
 * Keeps the time of the notices that came with the document: the countdown of maintenance, and the end of each. It counts
 * from the moment of rendering, because the visitor's own clock may be wrong.
 */
export function keepNotices(id: string): void {
  const bars = document.getElementById(id)?.querySelector<HTMLElement>('[data-now]')
  if (bars === null || bars === undefined) return
  const startedAt = Number(bars.dataset.now) - performance.now()
  const check = () => {
    const now = startedAt + performance.now()
    for (const bar of bars.querySelectorAll<HTMLElement>('p')) {
      const { kind, from = '', until = '' } = bar.dataset
      const isOver = until !== '' && Date.parse(until) <= now
      if (kind === undefined) bar.hidden = isOver
      else bar.querySelector('strong')?.replaceChildren(`${maintenanceTime({ from, until }, now)}.`)
    }
  }
  check()
  setInterval(check, LOOK_EVERY_MS)
}
