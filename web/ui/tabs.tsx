import { moveFocusByArrows } from './arrow-keys.ts'
import { Link } from './link.tsx'
import styles from './tabs.module.css'

type TabLinksProps = {
  label: string
  tabs: readonly { key: string; label: string; to: string }[]
  /** The key of the open tab. */
  current: string
  /** The id of what the tabs change. */
  panelId?: string
}

/** Tabs that are links: each has an address and works without scripts. Arrow keys move between them. */
export function TabLinks({ label, tabs, current, panelId }: TabLinksProps) {
  return (
    <nav className={styles.tabs} aria-label={label} onKeyDown={moveFocusByArrows}>
      {tabs.map((tab) => (
        <Link
          key={tab.key}
          to={tab.to}
          className={tab.key === current ? styles.current : styles.tab}
          aria-current={tab.key === current ? 'page' : undefined}
          aria-controls={panelId}
          preventScrollReset
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}
