import type { MenuEntry } from '#web/menus.ts'
import { Link } from '#web/ui/link.tsx'
import { OwnOrForeignLink } from '#web/ui/own-or-foreign-link.tsx'
import styles from './drawer.module.css'

/** A row of the drawer: a group that opens (the browser keeps one open at a time, by their shared name), or a link. */
export function DrawerEntry({ entry, index }: { entry: MenuEntry; index: number }) {
  const words = (
    <>
      <span className={styles.index} aria-hidden="true">
        0{index}
      </span>
      {entry.label}
    </>
  )
  if (entry.links.length === 0) {
    return (
      <Link to={entry.to} className={`${styles.row} ${styles.plain}`}>
        {words}
      </Link>
    )
  }
  return (
    <details className={styles.group} name="drawer">
      <summary className={`${styles.row} ${styles.opener}`}>{words}</summary>
      <ul>
        {entry.links.map((link) => (
          <li key={link.label} data-for={link.for}>
            <OwnOrForeignLink to={link.to} className={styles.link}>
              {link.label}
            </OwnOrForeignLink>
          </li>
        ))}
      </ul>
    </details>
  )
}
