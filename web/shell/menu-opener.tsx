import type { MouseEvent, ReactNode } from 'react'
import styles from './menu-opener.module.css'

export const DRAWER_ID = 'menu-drawer'

/** Opens the drawer; without scripts it leads to the links in the footer. */
export function MenuOpener({ className, children }: { className?: string | undefined; children?: ReactNode }) {
  const open = (event: MouseEvent) => {
    const drawer = document.getElementById(DRAWER_ID)
    if (!(drawer instanceof HTMLDialogElement)) return
    event.preventDefault()
    drawer.showModal()
  }
  return (
    // biome-ignore lint/a11y/useValidAnchor: a link to the footer's links that opens the drawer where scripts run
    <a href="#site-links" className={className} aria-haspopup="dialog" onClick={open}>
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
