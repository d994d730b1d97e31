import { useLocation } from 'react-router'
import { sectionOf } from '#web/pages.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Link } from '#web/ui/link.tsx'
import styles from './bottom-bar.module.css'
import { MenuOpener } from './menu-opener.tsx'
import { SearchLink } from './search-link.tsx'

/** The thumb's bar on phones. */
export function BottomBar() {
  const section = sectionOf(useLocation().pathname)
  const here = (own: string) => (section === own ? 'page' : undefined)
  return (
    <nav className={styles.bar} aria-label="Quick links">
      <Link to="/" className={styles.item} aria-current={here('home')}>
        <Icon name="home" size={24} /> Home
      </Link>
      <Link to="/rankings" className={styles.item} aria-current={here('rankings')}>
        <Icon name="bars" size={24} /> Rankings
      </Link>
      <Link to="/itemshop" className={styles.item} aria-current={here('shop')}>
        <Icon name="store" size={24} /> Shop
      </Link>
      <Link to="/login" className={styles.item} aria-current={here('account')} data-for="guest">
        <Icon name="person" size={24} /> Account
      </Link>
      <Link to="/user" className={styles.item} aria-current={here('account')} data-for="player">
        <Icon name="person" size={24} /> Account
      </Link>
      <SearchLink className={styles.item} size={24} />
      <MenuOpener className={styles.item}>
        <Icon name="menu" size={24} /> Menu
      </MenuOpener>
    </nav>
  )
}
