import type { ReactNode } from 'react'
import { preload } from 'react-dom'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import styles from './page-head.module.css'
import { Rotator } from './rotator.tsx'

/** A page that is above another in its breadcrumbs. */
type Level = readonly [to: string, name: string]

/** The pages that have others below them. */
export const ABOVE = {
  account: ['/user', 'My Account'],
  capsules: ['/capsuleshop', 'Capsule Shop'],
  events: ['/events', 'Events'],
  forum: ['/forum', 'Forum'],
  news: ['/news', 'News'],
  rankings: ['/rankings', 'Overall rankings'],
  shop: ['/itemshop', 'Item Shop'],
  tournaments: ['/rankings/tournament', 'Tournaments'],
} as const satisfies Record<string, Level>

type PageHeadProps = {
  /** The levels between Home and the page. */
  above?: readonly Level[]
  /** The page's name in the breadcrumbs and in the document's title. */
  crumb: string
  /** The page's heading. */
  title: string
  /** Short lines under the heading. */
  lines?: readonly ReactNode[]
  actions?: ReactNode
}

/** Headings with more letters than these are set smaller. */
const LONG = 16
const VERY_LONG = 34

/**
 * The top of an inner page: breadcrumbs, a giant heading on the halftone, and the rotator at its right on desktop screens.
 * A page renders it first and its content after it: the shell's grid puts the head across the whole width and
 * what follows into the content column, or across the whole width with `data-wide`.
 */
export function PageHead({ above = [], crumb, title, lines, actions }: PageHeadProps) {
  preload('/art/stage-inner.svg', { as: 'image', fetchPriority: 'high' })
  const size = title.length > VERY_LONG ? styles.small : title.length > LONG ? styles.middle : styles.giant
  return (
    <div className={styles.head} data-head>
      <div className={styles.words}>
        <nav className={styles.trail} aria-label="You are here">
          {[['/', 'Home'] as const, ...above].map(([to, name]) => (
            <span key={to} className={styles.level}>
              <Link to={to}>{name}</Link>
              <span aria-hidden="true">/</span>
            </span>
          ))}
          <span aria-current="page">{crumb}</span>
        </nav>
        <h1 className={`${styles.title} ${size}`}>{title}</h1>
        {lines !== undefined && (
          <div className={styles.lines}>
            {lines.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: fixed sentences in a fixed order
              <p key={index}>{line}</p>
            ))}
          </div>
        )}
        {actions !== undefined && <div className={`${layout.buttons} ${styles.actions}`}>{actions}</div>}
      </div>
      <div className={styles.rotator}>
        <Rotator on="desktop" />
      </div>
    </div>
  )
}
