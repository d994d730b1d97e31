import type { CSSProperties, ReactNode } from 'react'
import { moveFocusByArrows } from './arrow-keys.ts'
import styles from './filter.module.css'
import { Link } from './link.tsx'

type FilterLinksProps = {
  label: string
  options: readonly {
    key: string
    label: string
    to: string
    icon?: ReactNode
    /** With an icon the word is for screen readers only, unless this is set. */
    showLabel?: boolean
  }[]
  /** The key of the chosen option. */
  current: string
}

/** More cells than this stand in two rows on a phone, so that each keeps 44 px. */
const ONE_ROW = 7

/** A row of equal cells, one of them chosen; the yellow foot slides under it. Each cell is a link. */
export function FilterLinks({ label, options, current }: FilterLinksProps) {
  const chosen = Math.max(
    0,
    options.findIndex((option) => option.key === current),
  )
  const narrow = options.length > ONE_ROW ? Math.ceil(options.length / 2) : options.length
  const place = {
    '--n': options.length,
    '--at': chosen,
    '--narrow-n': narrow,
    '--narrow-at': chosen % narrow,
    '--narrow-row': Math.floor(chosen / narrow),
  } as CSSProperties
  return (
    <nav className={styles.filter} style={place} aria-label={label} onKeyDown={moveFocusByArrows}>
      {options.map((option) => (
        <Link
          key={option.key}
          to={option.to}
          className={option.key === current ? styles.current : styles.cell}
          aria-current={option.key === current ? 'true' : undefined}
          title={option.icon !== undefined && !option.showLabel ? option.label : undefined}
          replace
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
