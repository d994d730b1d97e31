import { RANKINGS } from '#contract/messages.ts'
import type { MenuEntry } from '#web/menus.ts'
import styles from './main-menu.module.css'

/** What stands under the two entries without links: a picture, and a true sentence about the board. */
export function MenuExtra({ entry }: { entry: MenuEntry }) {
  if (entry.sections.includes('gallery')) {
    return (
      <div className={styles.extra}>
        <img src="/art/gallery-thumb.svg" alt="" width="120" height="100" loading="lazy" />
      </div>
    )
  }
  return (
    <div className={styles.extra}>
      <span className={styles.first} aria-hidden="true">
        1
      </span>
      <p>{RANKINGS.noteTop}</p>
    </div>
  )
}
