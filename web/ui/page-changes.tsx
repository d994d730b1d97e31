import { useEffect, useState } from 'react'
import { useLocation, useNavigation } from 'react-router'
import styles from './page-changes.module.css'

/** Shows a line at the top of the window while a page loads, then announces the page's title to screen readers. */
export function PageChanges() {
  const isComing = useNavigation().state !== 'idle'
  const { pathname } = useLocation()
  const [shownPath, setShownPath] = useState(pathname)
  const [title, setTitle] = useState('')

  useEffect(() => {
    // Screen readers announce the first page themselves.
    if (pathname === shownPath) return
    setShownPath(pathname)
    setTitle(document.title)
  }, [pathname, shownPath])

  return (
    <>
      <div className={styles.line} data-coming={isComing || undefined} aria-hidden="true" />
      <p className="visually-hidden" role="status">
        {title}
      </p>
    </>
  )
}
