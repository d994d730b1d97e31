import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { Pinstripe } from '#web/art/pinstripe.tsx'
import { Clock } from './clock.tsx'
import styles from './drawer.module.css'
import { DrawerAccount } from './drawer-account.tsx'
import { DrawerEntry } from './drawer-entry.tsx'
import { DRAWER_ID } from './drawer-id.ts'
import { LogoLink } from './logo-link.tsx'
import { LogoutButton } from './logout-button.tsx'
import { useMenuEntries } from './use-menu-entries.ts'

/** The main menu of phones and tablets: a modal window from the right, which holds the focus and closes with Escape. */
export function Drawer() {
  const box = useRef<HTMLDialogElement>(null)
  const { key } = useLocation()
  const entries = useMenuEntries()

  // It is fetched because somebody asked for it.
  useEffect(() => box.current?.showModal(), [])

  const opened = useRef(key)
  useEffect(() => {
    if (opened.current !== key) box.current?.close()
    opened.current = key
  }, [key])

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes it with Escape, by the browser
    <dialog
      className={styles.drawer}
      id={DRAWER_ID}
      ref={box}
      aria-label="Menu"
      onClick={(event) => {
        // Only the dimmed page around the drawer is the dialog itself.
        if (event.target === event.currentTarget) event.currentTarget.close()
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
