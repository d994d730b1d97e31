import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  Suspense,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { LOGIN_TEXTS, RANKING_TEXTS } from '#contract/messages.ts'
import { formatMoney } from '#contract/numbers.ts'
import type { Section } from '#web/api/page.ts'
import { useSession } from '#web/api/session.ts'
import { CoinMark, MilleageMark } from '#web/art/marks.tsx'
import { Pinstripe } from '#web/art/pinstripe.tsx'
import type { MenuEntry } from '#web/menus.ts'
import { useCurrencyNames } from '#web/ui/currency-names.ts'
import { lazyPart } from '#web/ui/lazy-part.ts'
import { Link } from '#web/ui/link.tsx'
import { useArt } from '#web/ui/theme-art.ts'
import { MenuOpener } from './bottom-bar.tsx'
import styles from './header.module.css'
import { Clock, LogoLink, LogoutButton, SubMenu, useMenuEntries } from './header-parts.tsx'
import { SearchLink } from './search-box.tsx'
import { StatusLine } from './status-line.tsx'

const Signpost = lazyPart(async () => (await import('./menu-shortcuts.tsx')).Signpost)
const AlsoOpen = lazyPart(async () => (await import('./menu-shortcuts.tsx')).AlsoOpen)

/**
 * The header: 56 px high on a phone, 64 px on a tablet, 142 px on a desktop screen (SHELL-1). The strip has the clock,
 * the search and the account. On small screens it is inside the bar, to the right of the logo.
 */
export function Header({ section }: { section: Section }) {
  return (
    <header className={styles.header} id="top">
      <div className={styles.strip}>
        <Clock />
        <StatusLine className={styles.status} />
        <SearchLink className={styles.search} size={22} />
        <AccountStrip />
      </div>
      <MainMenu section={section} />
    </header>
  )
}

/**
 * Links to log in, or the player's balances and account. The HTML contains both; an attribute of the root element, set
 * when a session is stored, selects one.
 */
function AccountStrip() {
  const names = useCurrencyNames()
  const user = useSession()?.user
  return (
    <div>
      <span className={styles.state} data-for="guest">
        <Link to="/login" className={styles.login}>
          Login
        </Link>
        <Link to="/register" className={styles.wide}>
          {LOGIN_TEXTS.signUp}
        </Link>
      </span>
      <span className={styles.state} data-for="player">
        <Link to="/topup" className={styles.purse}>
          <Balance mark={<CoinMark size={16} />} name={names.rCoin} amount={user?.UserPoint} />
          <Balance mark={<MilleageMark size={16} />} name={names.milleage} amount={user?.UserPoint2} />
        </Link>
        <Link to="/user" className={styles.wide}>
          My Account
        </Link>
        <LogoutButton className={styles.wide} />
      </span>
    </div>
  )
}

type BalanceProps = { mark: ReactNode; name: string; amount: number | undefined }

/**
 * A balance in the header (SHELL-13). The HTML reserves its space, so the header does not shift when the amount loads.
 */
function Balance({ mark, name, amount }: BalanceProps) {
  return (
    <span className={styles.balance}>
      {mark} <span className="visually-hidden">{name} </span>
      {amount === undefined ? null : formatMoney(amount)}
    </span>
  )
}

/**
 * `auto` opens the menu on hover and keyboard focus in CSS, so it works without scripts. `shut` closes it after Escape
 * or a chosen link, until the pointer and the focus leave. A first tap on an entry opens the menu with `open`.
 */
type MenuState = 'auto' | 'shut' | 'open'

/** The menu bar, which grows from 90 px to 360 px in 300 ms (MENU-1) while its columns stay in position. */
function MainMenu({ section }: { section: Section }) {
  const entries = useMenuEntries()
  const [state, setState] = useState<MenuState>('auto')
  const [hasInteracted, setHasInteracted] = useState(false)
  const pointerType = useRef('')

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // Closed sub-menus cannot be focused, so the menu opens before the focus moves.
    const target = findMenuTarget(event, (next) => flushSync(() => setState(next)))
    if (target === undefined) return
    event.preventDefault()
    target.focus()
  }
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link === null) return
    const isFirstTap = pointerType.current === 'touch' && state !== 'open' && link.dataset.entry === 'group'
    if (isFirstTap) event.preventDefault()
    setState(isFirstTap ? 'open' : 'shut')
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only tracks the pointer and the focus; every action is a link
    <div
      className={styles.menuArea}
      data-state={state}
      onPointerEnter={() => setHasInteracted(true)}
      onFocus={() => setHasInteracted(true)}
      onMouseLeave={() => setState('auto')}
    >
      <div className={styles.bar}>
        <div className={styles.logo}>
          <LogoLink />
          {hasInteracted && (
            <Suspense>
              <Signpost onChoose={() => setState('shut')} />
            </Suspense>
          )}
        </div>
        <nav
          className={styles.menu}
          aria-label="Main menu"
          onKeyDown={onKeyDown}
          onClickCapture={onClick}
          onPointerDown={(event: PointerEvent) => {
            pointerType.current = event.pointerType
          }}
          onBlur={(event) => {
            if (!event.currentTarget.contains(event.relatedTarget)) setState('auto')
          }}
        >
          <ul className={styles.columns}>
            {entries.map((entry, index) => (
              <MenuColumn
                key={entry.label}
                entry={entry}
                index={index + 1}
                current={entry.sections.includes(section)}
              />
            ))}
          </ul>
        </nav>
        {hasInteracted && (
          <Suspense>
            <AlsoOpen onChoose={() => setState('shut')} />
          </Suspense>
        )}
        <MenuOpener className={styles.opener}>
          <span>Menu</span>
          <svg width="24" height="20" viewBox="0 0 24 20" fill="currentColor" aria-hidden="true">
            <path d="M0 1h24v3H0ZM0 8.5h24v3H0ZM0 16h24v3H0Z" />
          </svg>
        </MenuOpener>
      </div>
      <Pinstripe isSlim />
      <div className={styles.shade} onPointerDown={() => setState('auto')} />
    </div>
  )
}

type MenuColumnProps = { entry: MenuEntry; index: number; current: boolean }

/** One entry with its sub-menu. The entry is also a link, for visitors whose sub-menus do not open. */
function MenuColumn({ entry, index, current }: MenuColumnProps) {
  return (
    <li className={styles.column} data-column>
      <Link
        to={entry.to}
        className={styles.entry}
        data-entry={entry.links.length > 0 ? 'group' : undefined}
        aria-current={current ? 'true' : undefined}
      >
        <span className={styles.index} aria-hidden="true">
          0{index}
        </span>
        <span className={styles.label}>{entry.label}</span>
      </Link>
      {entry.links.length > 0 ? (
        <SubMenu entry={entry} className={styles.subMenu} link={styles.link} />
      ) : (
        <MenuExtra entry={entry} />
      )}
    </li>
  )
}

/** The content below the two entries without a sub-menu: a picture for the gallery, a sentence about the rankings. */
function MenuExtra({ entry }: { entry: MenuEntry }) {
  const gallery = useArt('/art/gallery-thumb.svg')
  if (entry.sections.includes('gallery')) {
    return (
      <div className={styles.extra}>
        <img src={gallery} alt="" width="120" height="100" loading="lazy" />
      </div>
    )
  }
  return (
    <div className={styles.extra}>
      <span className={styles.topRank} aria-hidden="true">
        1
      </span>
      <p>{RANKING_TEXTS.noteTop}</p>
    </div>
  )
}

/**
 * Returns the link to focus after a key press in the main menu, or undefined for other keys. Down opens a column, the
 * arrow keys move between links, and Escape closes the menu and returns to the column's entry.
 */
function findMenuTarget(
  event: KeyboardEvent<HTMLElement>,
  setState: (state: 'auto' | 'shut') => void,
): HTMLElement | undefined {
  const columns = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-column]')]
  const column = columns.find((candidate) => candidate.contains(document.activeElement))
  if (column === undefined) return undefined
  const findLinks = (element: HTMLElement) =>
    [...element.querySelectorAll<HTMLElement>('a')].filter((link) => link.getClientRects().length > 0)
  const findColumn = (step: number) => columns.at((columns.indexOf(column) + step) % columns.length)
  const links = findLinks(column)
  const focused = links.indexOf(document.activeElement as HTMLElement)

  switch (event.key) {
    case 'Escape':
      setState('shut')
      return links[0]
    case 'ArrowDown':
      setState('auto')
      return links[Math.min(focused + 1, links.length - 1)]
    case 'ArrowUp':
      return links[Math.max(focused - 1, 0)]
    case 'ArrowRight':
      return findLinks(findColumn(1) ?? column)[0]
    case 'ArrowLeft':
      return findLinks(findColumn(-1) ?? column)[0]
    default:
      return undefined
  }
}
