import type { MouseEvent, ReactNode } from 'react'
import { DRAWER_ID } from './drawer-id.ts'
import { bringDrawer, prepareDrawer } from './lazy-drawer.tsx'
import styles from './menu-opener.module.css'

/** Opens the drawer; without scripts it leads to the links in the footer. */
export function MenuOpener({ className, children }: { className?: string | undefined; children?: ReactNode }) {
  const open = (event: MouseEvent) => {
    event.preventDefault()
    const drawer = document.getElementById(DRAWER_ID)
    if (drawer instanceof HTMLDialogElement) drawer.showModal()
    else bringDrawer()
  }
  return (
    // biome-ignore lint/a11y/useValidAnchor: a link to the footer's links that opens the drawer where scripts run
    <a
      href="#site-links"
      className={className}
      aria-haspopup="dialog"
      onPointerEnter={prepareDrawer}
      onFocus={prepareDrawer}
      onClick={open}
    >
      {children ?? (
        <span className={styles.opener}>
          <span className={styles.word}>Menu</span>
          <svg
            className={styles.lines}
            width="24"
            height="20"
            viewBox="0 0 24 20"
            fill="currentColor"
            aria-hidden="true"
          >
            <path d="M0 1h24v3H0ZM0 8.5h24v3H0ZM0 16h24v3H0Z" />
          </svg>
        </span>
      )}
    </a>
  )
}
