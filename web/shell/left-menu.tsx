import { useLocation } from 'react-router'
import type { Section } from '#web/api/page.ts'
import { leftMenuOf } from '#web/menus.ts'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import styles from './left-menu.module.css'

/** The section's own menu (SPEC §2.3); nothing where the section has none. */
export function LeftMenuPanel({ section, className }: { section: Section; className?: string | undefined }) {
  const here = useLocation().pathname.toLowerCase()
  const menu = leftMenuOf(section)
  if (menu === undefined) return null
  return (
    <Panel title={menu.title} className={className}>
      <nav aria-label={menu.title}>
        <ul className={styles.links}>
          {menu.links.map((link) => (
            <li key={link.label} data-for={link.for}>
              <Link to={link.to} aria-current={here.startsWith(link.to) ? 'page' : undefined}>
                {link.label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </Panel>
  )
}
