import { useLocation, useSearchParams } from 'react-router'
import { Link } from '#web/ui/link.tsx'
import { ClassEmblem } from './class-emblem.tsx'
import styles from './class-guide.module.css'
import { ClassPanel } from './class-panel.tsx'
import { ClassTabs } from './class-tabs.tsx'
import { classPath, GUIDE_ID, shownClass, TABBED_CLASSES, UNTABBED_CLASSES } from './classes/class-guides.ts'
import { useScripted } from './use-scripted.ts'

const PANEL_ID = 'class-panel'

/** The class guide of SPEC §2.10: seven tabs, one panel at a time, three more panels by their address. */
export function ClassGuideSection() {
  const [query] = useSearchParams()
  const isFirstPage = useLocation().key === 'default'
  const scripted = useScripted()
  const shown = shownClass(query)
  const hasTab = TABBED_CLASSES.includes(shown)
  const name = hasTab && scripted ? { 'aria-labelledby': `class-tab-${shown.key}` } : { 'aria-label': shown.name }
  return (
    <section id={GUIDE_ID} aria-labelledby="class-guide-title">
      <h2 id="class-guide-title" className={styles.title}>
        Class guide
      </h2>
      <ClassTabs shown={shown.key} panelId={PANEL_ID} />
      <div id={PANEL_ID} role={scripted ? 'tabpanel' : 'group'} {...name}>
        <div key={shown.key} className={isFirstPage ? undefined : styles.fade}>
          <ClassPanel guide={shown} />
        </div>
      </div>
      <nav className={styles.more} aria-label="Classes without a tab">
        <p className={styles.moreWords}>Also on campus</p>
        {UNTABBED_CLASSES.map((guide) => (
          <Link
            key={guide.key}
            to={`${classPath(guide.key)}#${GUIDE_ID}`}
            className={styles.other}
            aria-current={guide === shown ? 'page' : undefined}
          >
            <ClassEmblem name={guide.key} size={30} on={guide === shown} />
            {guide.name}
            {guide.key === 'conductor' && <small className={styles.tag}>announced</small>}
          </Link>
        ))}
      </nav>
    </section>
  )
}
