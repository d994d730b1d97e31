import { ChartNoAxesColumn, House, Menu, Store, UserRound } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import styles from './bottom-bar.module.css'
import { MenuOpener } from './menu-opener.tsx'
import { sectionOf } from './sections.ts'

/** The thumb's bar on phones. */
export function BottomBar() {
  const section = sectionOf(useLocation().pathname)
  const here = (own: string) => (section === own ? 'page' : undefined)
  return (
    <nav className={styles.bar} aria-label="Quick links">
      <Link to="/" className={styles.item} aria-current={here('home')}>
        <House aria-hidden="true" /> Home
      </Link>
      <Link to="/rankings" className={styles.item} aria-current={here('rankings')}>
        <ChartNoAxesColumn aria-hidden="true" /> Rankings
      </Link>
      <Link to="/itemshop" className={styles.item} aria-current={here('shop')}>
        <Store aria-hidden="true" /> Shop
      </Link>
      <Link to="/login" className={styles.item} aria-current={here('account')} data-for="guest">
        <UserRound aria-hidden="true" /> Account
      </Link>
      <Link to="/user" className={styles.item} aria-current={here('account')} data-for="player">
        <UserRound aria-hidden="true" /> Account
      </Link>
      <MenuOpener className={styles.item}>
        <Menu aria-hidden="true" /> Menu
      </MenuOpener>
    </nav>
  )
}
