import type { KeyboardEvent } from 'react'
import { Link } from '#web/ui/link.tsx'
import { moveFocusByArrows } from '#web/ui/tabs.tsx'
import { ClassEmblem } from './class-emblem.tsx'
import styles from './class-tabs.module.css'
import { classPath, TABBED_CLASSES } from './classes/class-guides.ts'
import type { GuideClass } from './classes/class-types.ts'
import { useScripted } from './use-scripted.ts'

type ClassTabsProps = { shown: GuideClass; panelId: string }

/** The arrow keys move to a tab and open it at once, as a list of tabs does. */
function openByArrows(event: KeyboardEvent<HTMLElement>): void {
  moveFocusByArrows(event)
  if (event.defaultPrevented && document.activeElement instanceof HTMLElement) document.activeElement.click()
}

/**
 * The seven tabs of the class guide. In the document they are links with addresses; with scripts they are a list of tabs
 * with one stop for the Tab key. A class without a tab leaves all of them off.
 */
export function ClassTabs({ shown, panelId }: ClassTabsProps) {
  const scripted = useScripted()
  const stop = TABBED_CLASSES.find(({ key }) => key === shown) ?? TABBED_CLASSES[0]
  const list = scripted ? { role: 'tablist', 'aria-label': 'Classes', onKeyDown: openByArrows } : {}
  return (
    <nav aria-label="Classes">
      <div className={styles.tabs} {...list}>
        {TABBED_CLASSES.map(({ key, name }) => {
          const isShown = key === shown
          const tab = scripted
            ? { role: 'tab', 'aria-selected': isShown, 'aria-controls': panelId, tabIndex: key === stop?.key ? 0 : -1 }
            : { 'aria-current': isShown ? ('page' as const) : undefined }
          return (
            <Link
              key={key}
              id={`class-tab-${key}`}
              to={classPath(key)}
              className={isShown ? styles.current : styles.tab}
              preventScrollReset
              {...tab}
            >
              <ClassEmblem name={key} size={48} on={isShown} />
              <span>{name}</span>
            </Link>
          )
        })}
      </div>
    </nav>
  )
}
