import type { ReactNode } from 'react'
import { Link } from '#web/ui/link.tsx'
import styles from './page-head.module.css'
import { StatusLine } from './status-line.tsx'

/** A parent page in the breadcrumbs: its address and name. */
type ParentPage = readonly [to: string, name: string]

/** The parent pages, by section. */
export const PARENT_PAGES = {
  account: ['/user', 'My Account'],
  capsules: ['/capsuleshop', 'Capsule Shop'],
  events: ['/events', 'Events'],
  forum: ['/forum', 'Forum'],
  news: ['/news', 'News'],
  rankings: ['/rankings', 'Overall rankings'],
  shop: ['/itemshop', 'Item Shop'],
  tournaments: ['/rankings/tournament', 'Tournaments'],
} as const satisfies Record<string, ParentPage>

type PageHeadProps = {
  /** The parent pages between Home and the page. */
  parents?: readonly ParentPage[]
  /** The page's name in the breadcrumbs and in the window's title. */
  crumb: string
  /** The page's heading. */
  title: string
  /** Short lines about the page, next to the heading; on a phone below the content. */
  lines?: readonly ReactNode[]
  /** Buttons or quiet links. A phone has room only for the first one. */
  actions?: ReactNode
  /** Whether the picture of the school at night fills the space below a short page on a desktop (SHELL-17). */
  hasScene?: boolean
}

/** The number of characters above which a heading has a smaller font. */
const LONG_TITLE = 24
/** The same limit on a phone with an action next to the heading. */
const LONG_TITLE_WITH_ACTION = 12

/**
 * The title row of an inner page (SHELL-1), one line high. On a phone it is 48 px high, or 60 px with a link back to a
 * list. A page renders it first. The shell's grid gives the row the whole width; the elements after it go into the
 * content column, or span the whole width with `data-wide`.
 */
export function PageHead({ parents = [], crumb, title, lines = [], actions, hasScene = false }: PageHeadProps) {
  const parent = parents.at(-1)
  const isCramped = actions !== undefined && title.length > LONG_TITLE_WITH_ACTION
  const lengthClass = title.length > LONG_TITLE ? styles.long : isCramped ? styles.cramped : ''
  const trail = [['/', 'Home'] as const, ...parents]
  return (
    <div className={styles.head} data-head data-scene={hasScene || undefined}>
      <div className={styles.row}>
        {parent !== undefined && (
          <Link to={parent[0]} className={styles.back}>
            <svg width="12" height="20" viewBox="0 0 12 20" fill="none" stroke="currentColor" aria-hidden="true">
              <path strokeWidth="3" d="m10 2-8 8 8 8" />
            </svg>
            <span>{parent[1]}</span>
          </Link>
        )}
        <div className={styles.text}>
          <nav className={styles.trail} aria-label="You are here">
            {trail.map(([to, name]) => (
              <span key={to} className={styles.level}>
                <Link to={to}>{name}</Link>
                <span aria-hidden="true">/</span>
              </span>
            ))}
            <span aria-current="page">{crumb}</span>
          </nav>
          <h1 className={`${styles.title} ${lengthClass}`}>{title}</h1>
        </div>
        {actions === undefined ? (
          <StatusLine className={styles.status} />
        ) : (
          <div className={styles.actions}>{actions}</div>
        )}
      </div>
      {lines.length > 0 && (
        <div className={styles.lines}>
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: fixed sentences in a fixed order
            <div key={index}>{line}</div>
          ))}
        </div>
      )}
    </div>
  )
}
