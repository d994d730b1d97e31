import type { MenuEntry } from '#web/menus.ts'
import { Link } from '#web/ui/link.tsx'
import { OwnOrForeignLink } from '#web/ui/own-or-foreign-link.tsx'
import styles from './main-menu.module.css'
import { MenuExtra } from './menu-extra.tsx'

type MenuColumnProps = { entry: MenuEntry; index: number; current: boolean }

/** One entry with its sub-menu. Its link leads somewhere by itself, so it works as a plain link too. */
export function MenuColumn({ entry, index, current }: MenuColumnProps) {
  return (
    <li className={styles.column} data-column>
      <Link
        to={entry.to}
        className={styles.entry}
        data-entry={entry.links.length > 0 ? 'group' : undefined}
        aria-current={current ? 'true' : undefined}
        prefetch="intent"
      >
        <span className={styles.index} aria-hidden="true">
          0{index}
        </span>
        <span className={styles.word}>{entry.label}</span>
      </Link>
      {entry.links.length > 0 ? (
        <ul className={styles.sub}>
          {entry.links.map((link) => (
            <li key={link.label} data-for={link.for}>
              <OwnOrForeignLink to={link.to} className={styles.link}>
                {link.label}
              </OwnOrForeignLink>
            </li>
          ))}
        </ul>
      ) : (
        <MenuExtra entry={entry} />
      )}
    </li>
  )
}
