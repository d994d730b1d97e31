import { TabLinks } from '#web/ui/tabs.tsx'
import styles from './rankings.module.css'

const TABS = [
  { key: 'characters', label: 'Characters', to: '/admin/rankings' },
  { key: 'months', label: 'Months', to: '/admin/rankings/months' },
  { key: 'seasons', label: 'Seasons', to: '/admin/rankings/seasons' },
  { key: 'corrections', label: 'Corrections', to: '/admin/rankings/corrections' },
] as const

/** The four parts of the screen. */
export function RankingTabs({ current }: { current: (typeof TABS)[number]['key'] }) {
  return (
    <div className={styles.tabs}>
      <TabLinks label="Parts of Rankings" tabs={TABS} current={current} />
    </div>
  )
}
