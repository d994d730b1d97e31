import { type ReactNode, useEffect, useRef } from 'react'
import { PAGER_TEXTS } from '#contract/messages.ts'
import layout from './layout.module.css'
import { Link } from './link.tsx'
import styles from './pager.module.css'
import { listPagerCells } from './pager-pages.ts'

type PagerProps = {
  /** The list's address without the page, for example `/news?board=all` (PAGER-2). */
  target: string
  page: number
  lastPage: number
  /** The id of the list's element; the page scrolls to its top. */
  list: string
  /** Names the list for screen readers. */
  label: string
}

/** The links Previous, page numbers, Next and Last (PAGER-1). Renders nothing for a single page. */
export function Pager({ target, list, page, lastPage, label }: PagerProps) {
  const numbers = useRef<HTMLDivElement>(null)
  // Scrolls the current page number to the middle, because the edges are faded.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the page changes
  useEffect(() => {
    const row = numbers.current
    const current = row?.querySelector<HTMLElement>('[aria-current]')
    if (row && current) row.scrollLeft = current.offsetLeft - (row.clientWidth - current.offsetWidth) / 2
  }, [page])
  if (lastPage <= 1) return null
  const getPagePath = (number: number) => `${target}${target.includes('?') ? '&' : '?'}page=${number}`
  return (
    <nav className={styles.pager} aria-label={label}>
      <Step list={list} to={page > 1 && getPagePath(page - 1)}>
        {PAGER_TEXTS.previous}
      </Step>
      <div className={`${styles.numbers} ${layout.fading}`} ref={numbers}>
        {listPagerCells(page, lastPage).map((cell, index, cells) => {
          if (cell === '…')
            return (
              <span className={styles.gap} key={`gap-${cells[index - 1]}`}>
                …
              </span>
            )
          if (cell !== page)
            return (
              <Cell key={cell} list={list} to={getPagePath(cell)}>
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
      <Step list={list} to={page < lastPage && getPagePath(page + 1)}>
        {PAGER_TEXTS.next}
      </Step>
      <Step list={list} to={page < lastPage && getPagePath(lastPage)}>
        {PAGER_TEXTS.last}
      </Step>
    </nav>
  )
}

type CellProps = { list: string; to: string; children: ReactNode }

function Cell({ list, to, children }: CellProps) {
  return (
    <Link className={styles.cell} to={to} list={list}>
      {children}
    </Link>
  )
}

/** Renders a label as a link, or as plain text if there is no page in this direction (PAGER-4). */
function Step({ list, to, children }: Omit<CellProps, 'to'> & { to: string | false }) {
  return to === false ? (
    <span className={styles.off}>{children}</span>
  ) : (
    <Cell list={list} to={to}>
      {children}
    </Cell>
  )
}
