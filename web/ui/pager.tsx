import type { ReactNode } from 'react'
import { PAGER } from '#contract/messages.ts'
import { Link } from './link.tsx'
import styles from './pager.module.css'
import { pagerPages } from './pager-pages.ts'

type PagerProps = {
  /** The list's address without its page, for example `/news?board=all`. */
  target: string
  page: number
  lastPage: number
  /** Names the list for screen readers. */
  label: string
}

/** Previous, page numbers, Next, Last (PAGER-1). Nothing when there is only one page. */
export function Pager({ target, page, lastPage, label }: PagerProps) {
  if (lastPage <= 1) return null
  const addressOf = (wanted: number) => `${target}${target.includes('?') ? '&' : '?'}page=${wanted}`
  return (
    <nav className={styles.pager} aria-label={label}>
      <Step to={page > 1 && addressOf(page - 1)}>{PAGER.previous}</Step>
      <div className={styles.numbers}>
        {pagerPages(page, lastPage).map((cell, index, cells) => {
          if (cell === '…')
            return (
              <span className={styles.gap} key={`gap-${cells[index - 1]}`}>
                …
              </span>
            )
          if (cell !== page)
            return (
              <Cell key={cell} to={addressOf(cell)}>
                {cell}
              </Cell>
            )
          return (
            <span className={styles.current} aria-current="page" key={cell}>
              {cell}
            </span>
          )
        })}
      </div>
      <Step to={page < lastPage && addressOf(page + 1)}>{PAGER.next}</Step>
      <Step to={page < lastPage && addressOf(lastPage)}>{PAGER.last}</Step>
    </nav>
  )
}

function Cell({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link className={styles.cell} to={to} preventScrollReset>
      {children}
    </Link>
  )
}

/** A word that is a link where it leads somewhere, and plain text where it does not. */
function Step({ to, children }: { to: string | false; children: ReactNode }) {
  return to === false ? <span className={styles.off}>{children}</span> : <Cell to={to}>{children}</Cell>
}
