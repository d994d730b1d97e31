import type { CSSProperties, KeyboardEvent, ReactNode } from 'react'
import layout from './layout.module.css'
import { Link } from './link.tsx'
import styles from './tabs.module.css'

type TabLinksProps = {
  label: string
  tabs: readonly { key: string; label: string; to: string }[]
  /** The key of the open tab. */
  current: string
  /** The id of the list that the tabs change. Without it, the page keeps its scroll position. */
  list?: string
}

/** Tabs as links: each has an address and works without scripts. Arrow keys move between them. */
export function TabLinks({ label, tabs, current, list }: TabLinksProps) {
  return (
    <nav
      className={`${styles.tabs} ${layout.fading}`}
      aria-label={label}
      onKeyDown={moveFocusByArrows}
      ref={scrollToCurrent}
    >
      {tabs.map((tab) => (
        <Link
          key={tab.key}
          to={tab.to}
          className={tab.key === current ? styles.current : styles.tab}
          aria-current={tab.key === current ? 'page' : undefined}
          list={list}
          preventScrollReset
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}

/** A row of links to pages, periods or sort orders, one of which is current. Arrow keys move between them. */
export function SegmentLinks({ label, tabs, current, list }: TabLinksProps) {
  return (
    <nav
      className={`${styles.segments} ${layout.fading}`}
      aria-label={label}
      onKeyDown={moveFocusByArrows}
      ref={scrollToCurrent}
    >
      {tabs.map(({ key, to, label: text }) => (
        <Link
          key={key}
          to={to}
          className={styles.segment}
          aria-current={key === current ? 'true' : undefined}
          list={list}
          preventScrollReset
        >
          {text}
        </Link>
      ))}
    </nav>
  )
}

type SegmentAnchorsProps = {
  label: string
  entries: readonly { id: string; title: string }[]
  className?: string | undefined
}

/** A row of links to the parts of a page. */
export function SegmentAnchors({ label, entries, className = '' }: SegmentAnchorsProps) {
  return (
    <nav
      className={`${styles.segments} ${layout.fading} ${className}`}
      aria-label={label}
      onKeyDown={moveFocusByArrows}
    >
      {entries.map(({ id, title }) => (
        <a key={id} href={`#${id}`} className={styles.segment}>
          {title}
        </a>
      ))}
    </nav>
  )
}

/** Scrolls a row that is wider than the screen until its current link is in the middle. */
function scrollToCurrent(row: HTMLElement | null): void {
  const current = row?.querySelector<HTMLElement>('[aria-current]')
  if (row && current) row.scrollLeft = current.offsetLeft - (row.clientWidth - current.offsetWidth) / 2
}

type FilterLinksProps = {
  label: string
  options: readonly {
    key: string
    label: string
    to: string
    icon?: ReactNode
    /** Shows the label next to the icon. By default only screen readers read it. */
    showLabel?: boolean
  }[]
  /** The key of the chosen option. */
  current: string
  /** The id of the list that the options change. Without it, the page keeps its scroll position. */
  list?: string
}

/**
 * The maximum number of cells in one row on a phone. More cells take two rows, because a cell must be at least 44 px
 * wide, or wide enough for the label below its icon.
 */
const ROW_MAX = { plain: 7, labeled: 4 } as const

/** A row of equal cells, each a link, one of them chosen. The yellow underline slides to the chosen one. */
export function FilterLinks({ label, options, current, list }: FilterLinksProps) {
  const currentIndex = Math.max(
    0,
    options.findIndex((option) => option.key === current),
  )
  const isLabeled = options.some(({ icon, showLabel }) => icon !== undefined && showLabel)
  const narrowCount =
    options.length > ROW_MAX[isLabeled ? 'labeled' : 'plain'] ? Math.ceil(options.length / 2) : options.length
  const position = {
    '--n': options.length,
    '--at': currentIndex,
    '--narrow-n': narrowCount,
    '--narrow-at': currentIndex % narrowCount,
    '--narrow-row': Math.floor(currentIndex / narrowCount),
  } as CSSProperties
  return (
    <nav className={styles.filter} style={position} aria-label={label} onKeyDown={moveFocusByArrows}>
      {options.map((option) => (
        <Link
          key={option.key}
          to={option.to}
          className={option.key === current ? styles.chosen : styles.cell}
          aria-current={option.key === current ? 'true' : undefined}
          title={option.icon !== undefined ? option.label : undefined}
          list={list}
          preventScrollReset
        >
          {option.icon}
          <span className={option.icon !== undefined && !option.showLabel ? 'visually-hidden' : styles.label}>
            {option.label}
          </span>
        </Link>
      ))}
      <span className={styles.foot} aria-hidden="true" />
    </nav>
  )
}

const ARROW_STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 }

/** Moves the focus among the links of a row with the arrow keys, Home and End. */
export function moveFocusByArrows(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll<HTMLAnchorElement>('a[href]')]
  const focused = links.indexOf(document.activeElement as HTMLAnchorElement)
  const step = ARROW_STEPS[event.key]
  const target =
    step !== undefined ? focused + step : event.key === 'Home' ? 0 : event.key === 'End' ? links.length - 1 : null
  if (focused < 0 || target === null) return
  event.preventDefault()
  links[(target + links.length) % links.length]?.focus()
}
