import { browserStore } from '#web/api/storage.ts'
import { CLOSED_NOTICES_KEY, formatMaintenanceTime } from './notice-time.ts'

const CHECK_INTERVAL_MS = 5000

/**
 * Updates the notices of the document: counts maintenance down, and hides an announcement at its end. It counts from the
 * time of rendering, because the visitor's clock may be wrong. A notice that a visitor closes stays closed.
 */
export function startNoticeUpdates(id: string): void {
  const list = document.getElementById(id)?.querySelector<HTMLElement>('[data-now]')
  if (list === null || list === undefined) return
  const bars = [...list.querySelectorAll<HTMLElement>('[data-id]')]
  const startedAt = Number(list.dataset.now) - performance.now()
  const check = () => {
    const now = startedAt + performance.now()
    for (const bar of bars) {
      const { kind, from = '', until = '' } = bar.dataset
      const isOver = until !== '' && Date.parse(until) <= now
      if (kind === 'announcement') bar.hidden = isOver
      else bar.querySelector('strong')?.replaceChildren(`${formatMaintenanceTime({ from, until }, now)}.`)
    }
  }
  check()
  setInterval(check, CHECK_INTERVAL_MS)
  for (const bar of bars)
    bar.querySelector('button')?.addEventListener('click', () => {
      bar.hidden = true
      const closedIds = document.documentElement.dataset.closed ?? ''
      // The newest notices are last, so the stored list can drop the oldest.
      const ids = [...new Set([...closedIds.split(' '), bar.dataset.id])].filter(Boolean).slice(-CLOSED_NOTICES_MAX)
      document.documentElement.dataset.closed = ids.join(' ')
      browserStore.setItem(CLOSED_NOTICES_KEY, ids.join(' '))
      document.querySelector<HTMLElement>('[data-skip-link]')?.focus({ preventScroll: true })
    })
}

const CLOSED_NOTICES_MAX = 20
