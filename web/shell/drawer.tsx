import { Suspense, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { LOGIN_TEXTS } from '#contract/messages.ts'
import { formatMoney } from '#contract/numbers.ts'
import { useSession } from '#web/api/session.ts'
import { CoinMark, MilleageMark } from '#web/art/marks.tsx'
import { Pinstripe } from '#web/art/pinstripe.tsx'
import type { MenuEntry } from '#web/menus.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { useLayer } from '#web/ui/layers.ts'
import { lazyPart } from '#web/ui/lazy-part.ts'
import { Link } from '#web/ui/link.tsx'
import { Value } from '#web/ui/value.tsx'
import styles from './drawer.module.css'
import { Clock, LogoLink, LogoutButton, SubMenu, useMenuEntries } from './header-parts.tsx'
import { StatusLine } from './status-line.tsx'

const LetterCount = lazyPart(async () => (await import('./letter-count.tsx')).LetterCount)

/**
 * The main menu of phones and tablets: a modal window at the right that traps the focus and closes with Escape.
 *
 * @param opening counts the presses of the menu button; each increase opens the drawer
 */
export function Drawer({ opening }: { opening: number }) {
  const dialogRef = useRef<HTMLDialogElement>(null)
  const [lastClosed, setLastClosed] = useState(0)
  const isOpen = lastClosed < opening
  const { key } = useLocation()
  const entries = useMenuEntries()
  const isPlayer = useSession() !== null
  const close = () => dialogRef.current?.close()
  useLayer(isOpen, close)

  useEffect(() => {
    if (isOpen) dialogRef.current?.showModal()
  }, [isOpen])

  const previousKey = useRef(key)
  useEffect(() => {
    if (previousKey.current !== key) dialogRef.current?.close()
    previousKey.current = key
  }, [key])

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes it with Escape, by the browser
    <dialog
      className={styles.drawer}
      ref={dialogRef}
      aria-label="Menu"
      onClose={() => setLastClosed(opening)}
      onClick={(event) => {
        // Only a click on the dimmed backdrop has the dialog itself as its target.
        if (event.target === event.currentTarget) close()
      }}
    >
      <div className={styles.inner}>
        <div className={styles.head}>
          <LogoLink />
          <form method="dialog">
            <button type="submit" className={styles.close} aria-label="Close the menu">
              <svg width="22" height="22" viewBox="0 0 22 22" stroke="currentColor" strokeWidth="3" aria-hidden="true">
                <path d="M2 2 20 20M20 2 2 20" />
              </svg>
            </button>
          </form>
        </div>
        <Pinstripe />
        <DrawerAccount />
        <StatusLine className={styles.status} />
        <nav className={styles.shortcuts} aria-label="Forum and letters">
          <Link to="/forum">Forum</Link>
          <Link to="/mailbox" data-for="player">
            Mail box
            {isPlayer && (
              <Suspense>
                <LetterCount className={styles.count} />
              </Suspense>
            )}
          </Link>
        </nav>
        <nav className={`${styles.groups} quiet-scroll`} aria-label="Main menu">
          {entries.map((entry, index) => (
            <DrawerEntry key={entry.label} entry={entry} index={index + 1} />
          ))}
        </nav>
        <div className={styles.foot}>
          <Clock layout="one-line" />
          <span className={styles.logout} data-for="player">
            <LogoutButton />
          </span>
        </div>
      </div>
    </dialog>
  )
}

/** The head of the drawer on paper: links to log in, or the player's name and both balances. */
function DrawerAccount() {
  const session = useSession()
  return (
    <div className={styles.account} data-surface="paper">
      <div className={styles.guest} data-for="guest">
        <ButtonLink to="/login" tone="paper">
          Login
        </ButtonLink>
        <ButtonLink to="/register" tone="secondary">
          {LOGIN_TEXTS.signUp}
        </ButtonLink>
      </div>
      <div data-for="player">
        {session !== null && (
          <Link to="/user" className={styles.player}>
            <span className={styles.userId}>{session.user.UserID}</span>
            <span className={styles.balances}>
              <CoinMark size={18} /> <Value>{formatMoney(session.user.UserPoint)}</Value>
              <MilleageMark size={18} /> <Value>{formatMoney(session.user.UserPoint2)}</Value>
            </span>
          </Link>
        )}
      </div>
    </div>
  )
}

/**
 * A row of the drawer: a link, or a group that unfolds. The groups share a name, so the browser opens only one at a
 * time.
 */
function DrawerEntry({ entry, index }: { entry: MenuEntry; index: number }) {
  const label = (
    <>
      <span className={styles.index} aria-hidden="true">
        0{index}
      </span>
      {entry.label}
    </>
  )
  if (entry.links.length === 0) {
    return (
      <Link to={entry.to} className={`${styles.row} ${styles.withoutGroup}`}>
        {label}
      </Link>
    )
  }
  return (
    <details className={styles.group} name="drawer">
      <summary className={`${styles.row} ${styles.opener}`}>{label}</summary>
      <SubMenu entry={entry} link={styles.link} />
    </details>
  )
}
