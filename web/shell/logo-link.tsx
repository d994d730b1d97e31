import { LogoMark } from '#web/art/logo.tsx'
import { Link } from '#web/ui/link.tsx'
import styles from './logo-link.module.css'
import { useShellData } from './shell-data.ts'

/** The waiting shed and the site's name, home from everywhere. The last word of a longer name stands small below. */
export function LogoLink() {
  const appName = useShellData()?.appName ?? 'Tambayan Online'
  const cut = appName.lastIndexOf(' ')
  const [main, rest] = cut < 0 ? [appName, ''] : [appName.slice(0, cut), appName.slice(cut + 1)]
  return (
    <Link to="/" className={styles.logo}>
      <LogoMark size={44} />
      <span className={styles.name}>
        <span className={styles.main}>{main}</span> <span className={styles.rest}>{rest}</span>
      </span>
    </Link>
  )
}
