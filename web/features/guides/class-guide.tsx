import { type KeyboardEvent, useState } from 'react'
import type { DocumentContent } from '#contract/documents.ts'
import { useHydrated, usePageSearch } from '#web/api/page.ts'
import emblem from '#web/art/emblem.module.css'
import { Emblem } from '#web/art/emblem.tsx'
import { Link } from '#web/ui/link.tsx'
import { moveFocusByArrows } from '#web/ui/tabs.tsx'
import styles from './class-guide.module.css'
import { ClassPanel } from './class-panel.tsx'
import {
  type GuideClass,
  getClassName,
  getClassPath,
  readShownClass,
  TABBED_CLASSES,
  UNTABBED_CLASSES,
} from './classes.ts'

/** The anchor of the class guide on the page. */
export const GUIDE_ID = 'class-guide'
const PANEL_ID = 'class-panel'

const SHOWN_CLASS_SEARCH = { names: ['class'], read: readShownClass }

/**
 * The class guide (GUIDE-1, GUIDE-2): seven tabs with one panel at a time, and three further panels with their own
 * addresses.
 */
export function ClassGuideSection({ guide }: { guide: DocumentContent<'classes'> }) {
  const { classes, eighth_name } = guide
  const requestedClass = usePageSearch(SHOWN_CLASS_SEARCH)
  // The eighth class is shown only if the operators have named it.
  const shownClass = getClassName(requestedClass, eighth_name) === '' ? 'brawler' : requestedClass
  const [selection, setSelection] = useState({ name: shownClass, hasChanged: false })
  if (selection.name !== shownClass) setSelection({ name: shownClass, hasChanged: true })
  const isHydrated = useHydrated()
  const hasTab = TABBED_CLASSES.includes(shownClass)
  const panelLabel =
    hasTab && isHydrated
      ? { 'aria-labelledby': `class-tab-${shownClass}` }
      : { 'aria-label': getClassName(shownClass, eighth_name) }
  return (
    <section id={GUIDE_ID} aria-labelledby="class-guide-title">
      <h2 id="class-guide-title" className={styles.title}>
        Class guide
      </h2>
      <ClassTabs shownClass={shownClass} />
      <div id={PANEL_ID} role={isHydrated ? 'tabpanel' : 'group'} {...panelLabel}>
        <div key={shownClass} className={selection.hasChanged ? styles.fade : undefined}>
          <ClassPanel
            name={shownClass}
            title={getClassName(shownClass, eighth_name)}
            guide={classes[shownClass]}
            emblem={<ClassEmblem name={shownClass} size={64} isOn />}
          />
        </div>
      </div>
      <nav className={styles.more} aria-label="Classes without a tab">
        <p className={styles.moreText}>Also in the game</p>
        {UNTABBED_CLASSES.filter((key) => getClassName(key, eighth_name) !== '').map((key) => (
          <Link
            key={key}
            to={`${getClassPath(key)}#${GUIDE_ID}`}
            className={styles.otherClass}
            aria-current={key === shownClass ? 'page' : undefined}
          >
            <ClassEmblem name={key} size={30} isOn={key === shownClass} />
            {getClassName(key, eighth_name)}
            {key === 'conductor' && <small className={styles.tag}>announced</small>}
          </Link>
        ))}
      </nav>
    </section>
  )
}

/** Moves to a tab with an arrow key and opens it, as the tabs pattern of WAI-ARIA requires. */
function openByArrows(event: KeyboardEvent<HTMLElement>): void {
  moveFocusByArrows(event)
  if (event.defaultPrevented && document.activeElement instanceof HTMLElement) document.activeElement.click()
}

/**
 * The seven tabs. Without scripts they are links. After hydration they are a tab list with one tab stop. A class
 * without a tab selects no tab.
 */
function ClassTabs({ shownClass }: { shownClass: GuideClass }) {
  const isHydrated = useHydrated()
  const tabStop = TABBED_CLASSES.find((key) => key === shownClass) ?? TABBED_CLASSES[0]
  const listProps = isHydrated ? { role: 'tablist', 'aria-label': 'Classes', onKeyDown: openByArrows } : {}
  return (
    <nav aria-label="Classes">
      <div className={styles.tabs} {...listProps}>
        {TABBED_CLASSES.map((key) => {
          const isShown = key === shownClass
          const tabProps = isHydrated
            ? { role: 'tab', 'aria-selected': isShown, 'aria-controls': PANEL_ID, tabIndex: key === tabStop ? 0 : -1 }
            : { 'aria-current': isShown ? ('page' as const) : undefined }
          return (
            <Link
              key={key}
              id={`class-tab-${key}`}
              to={getClassPath(key)}
              className={isShown ? styles.currentTab : styles.tab}
              preventScrollReset
              {...tabProps}
            >
              <ClassEmblem name={key} size={48} isOn={isShown} />
              <span>{getClassName(key, '')}</span>
            </Link>
          )
        })}
      </div>
    </nav>
  )
}

type ClassEmblemProps = { name: GuideClass; size: number; isOn?: boolean }

/**
 * A class's emblem. The conductor's is drawn inline instead of in every page's sprite, because only this page shows it.
 */
function ClassEmblem({ name, size, isOn = false }: ClassEmblemProps) {
  if (name !== 'conductor') return <Emblem name={name} size={size} isOn={isOn} />
  return (
    <svg
      className={isOn ? emblem.on : emblem.off}
      width={size}
      height={size}
      viewBox="0 0 48 48"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.6"
      strokeMiterlimit="6"
      aria-hidden="true"
      focusable="false"
    >
      <path d="M11 19H37V27a3.5 3.5 0 0 0 0 7V42H11V34a3.5 3.5 0 0 0 0-7Z" style={{ fill: 'var(--emblem-fill)' }} />
      <path d="M5 8H43M24 8V19M17 8 21 19M31 8 27 19M18 30.5H30" />
    </svg>
  )
}
