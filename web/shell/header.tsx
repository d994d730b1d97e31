import { AccountStrip } from './account-strip.tsx'
import { Clock } from './clock.tsx'
import styles from './header.module.css'
import { MainMenu } from './main-menu.tsx'
import { SearchLink } from './search-link.tsx'

/** Clock and account on a thin strip, logo and main menu below it, the jeepney's stripe under both. */
export function Header() {
  return (
    <header className={styles.header} id="top">
      <div className={styles.strip}>
        <Clock />
        <SearchLink className={styles.search} size={22} />
        <AccountStrip />
      </div>
      <MainMenu />
    </header>
  )
}
