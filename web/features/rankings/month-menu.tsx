import { type FocusEvent, type KeyboardEvent, useRef } from 'react'
import { monthName } from '#contract/manila.ts'
import { Link } from '#web/ui/link.tsx'
import styles from './month-menu.module.css'

type Props = {
  months: readonly { period: string; open: boolean }[]
  /** The closed month on show, or null for the open one. */
  current: string | null
  pathOf: (period: string | null) => string
}

/** The month on show, opening a list of every month there is. Works without scripts; with them, Escape and leaving it close it. */
export function MonthMenu({ months, current, pathOf }: Props) {
  const menu = useRef<HTMLDetailsElement>(null)
  const shown = current ?? months.find(({ open }) => open)?.period
  const close = () => menu.current?.removeAttribute('open')
  const closeOnEscape = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Escape' || !menu.current?.open) return
    close()
    menu.current.querySelector('summary')?.focus()
  }
  const closeOnLeaving = (event: FocusEvent<HTMLElement>) => {
    if (event.relatedTarget instanceof Node && !event.currentTarget.contains(event.relatedTarget)) close()
  }
  if (shown === undefined) return null
  if (months.length < 2) return <span className={styles.only}>{monthName(shown)}</span>
  return (
    <details ref={menu} className={styles.menu} onKeyDown={closeOnEscape} onBlur={closeOnLeaving}>
      <summary className={styles.summary}>
        <span className="visually-hidden">Month: </span>
        {monthName(shown)}
        <svg
          width="12"
          height="8"
          viewBox="0 0 12 8"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          aria-hidden="true"
        >
          <path d="M1 1l5 5 5-5" />
        </svg>
      </summary>
      <ul className={styles.list}>
        {months.map(({ period, open }) => (
          <li key={period}>
            <Link
              to={pathOf(open ? null : period)}
              className={styles.month}
              aria-current={period === shown ? 'true' : undefined}
              preventScrollReset
              onClick={close}
            >
              {monthName(period)}
              <span className={styles.state}>{open ? 'this month' : 'closed'}</span>
            </Link>
          </li>
        ))}
      </ul>
    </details>
  )
}
