import { useLocation } from 'react-router'
import type { Section } from '#web/api/page.ts'
import { sectionOf } from '#web/pages.ts'
import { OwnOrForeignLink } from '#web/ui/own-or-foreign-link.tsx'
import styles from './footer.module.css'

type Stop = { label: string; line: string; to: string; section: Section }

function stops(agentUrl: string | null): Stop[] {
  return [
    { label: 'Home', line: 'Rankings and club areas', to: '/', section: 'home' },
    { label: 'News', line: 'Boards and notices', to: '/news', section: 'news' },
    { label: 'Game Guides', line: 'Classes, story', to: '/instructions', section: 'guide' },
    { label: 'Item Shop', line: 'R-Coin, Milleage', to: '/itemshop', section: 'shop' },
    { label: 'Recharge', line: 'Redeem a code', to: '/topup', section: 'recharge' },
    { label: 'Download', line: 'Full client', to: '/downloads', section: 'download' },
    {
      label: 'Support',
      line: agentUrl === null ? 'Submit a ticket' : 'Talk to an agent',
      to: agentUrl ?? '/ticket',
      section: 'support',
    },
  ]
}

/** The footer's links of SPEC §2.2 in their order; the stop of this page is filled. */
export function RouteLine({ agentUrl }: { agentUrl: string | null }) {
  const here = sectionOf(useLocation().pathname)
  return (
    <nav aria-label="Site">
      <ul className={styles.route}>
        {stops(agentUrl).map((stop) => (
          <li key={stop.label} className={styles.stop} data-here={stop.section === here || undefined}>
            <OwnOrForeignLink to={stop.to} className={styles.link}>
              <span className={styles.label}>{stop.label}</span>
              <span className={styles.line}>{stop.line}</span>
            </OwnOrForeignLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
