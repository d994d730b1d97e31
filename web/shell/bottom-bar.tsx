import { type MouseEvent, type ReactNode, Suspense, useSyncExternalStore } from 'react'
import type { Section } from '#web/api/page.ts'
import { useSession } from '#web/api/session.ts'
import { Icon } from '#web/ui/icon.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'
import { Link } from '#web/ui/link.tsx'
import styles from './bottom-bar.module.css'
import { SearchLink } from './search-box.tsx'

const LetterCount = lazyPart(async () => (await import('./letter-count.tsx')).LetterCount)
const CartCount = lazyPart(async () => (await import('./cart-count.tsx')).CartCount)

/** The navigation bar at the bottom of a phone's screen. */
export function BottomBar({ section }: { section: Section }) {
  const isPlayersPhone = useSession() !== null && matchMedia('(max-width: 639px)').matches
  const getAriaCurrent = (target: string) => (section === target ? 'page' : undefined)
  return (
    <nav className={styles.bar} aria-label="Quick links">
      <Link to="/" className={styles.item} aria-current={getAriaCurrent('home')}>
        <Icon name="home" size={22} /> Home
      </Link>
      <Link to="/rankings" className={styles.item} aria-current={getAriaCurrent('rankings')}>
        <Icon name="bars" size={22} /> Rankings
      </Link>
      <Link to="/itemshop" className={styles.item} aria-current={getAriaCurrent('shop')}>
        <Icon name="store" size={22} /> Shop
        {isPlayersPhone && (
          <Suspense>
            <CartCount />
          </Suspense>
        )}
      </Link>
      <Link to="/login" className={styles.item} aria-current={getAriaCurrent('account')} data-for="guest">
        <Icon name="person" size={22} /> Account
      </Link>
      <Link to="/user" className={styles.item} aria-current={getAriaCurrent('account')} data-for="player">
        <Icon name="person" size={22} /> Account
        {isPlayersPhone && (
          <Suspense>
            <LetterCount className={styles.count} />
          </Suspense>
        )}
      </Link>
      <SearchLink className={styles.item} size={22} />
      <MenuOpener className={styles.item}>
        <Icon name="menu" size={22} /> Menu
      </MenuOpener>
    </nav>
  )
}

const fetchDrawer = () => import('./drawer.tsx')
const Drawer = lazyPart(async () => (await fetchDrawer()).Drawer)

let openingCount = 0
const listeners = new Set<() => void>()

/** Opens the drawer. Without scripts it jumps to the links in the footer. */
export function MenuOpener({ className, children }: { className?: string | undefined; children: ReactNode }) {
  // Downloads the drawer when the pointer or the focus reaches its button.
  const prepare = () => void fetchDrawer()
  const open = (event: MouseEvent) => {
    event.preventDefault()
    openingCount++
    for (const listener of listeners) listener()
  }
  return (
    // biome-ignore lint/a11y/useValidAnchor: a link to the footer's links that opens the drawer where scripts run
    <a
      href="#site-links"
      className={className}
      aria-haspopup="dialog"
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={open}
    >
      {children}
    </a>
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The drawer, rendered only after its first opening, because most visits never need its code. */
export function LazyDrawer() {
  const opening = useSyncExternalStore(
    subscribe,
    () => openingCount,
    () => 0,
  )
  return opening > 0 ? (
    <Suspense>
      <Drawer opening={opening} />
    </Suspense>
  ) : null
}
