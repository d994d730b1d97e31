import { useEffect, useState } from 'react'
import { useLocation, useNavigation } from 'react-router'
import styles from './page-changes.module.css'

/** A page that is on its way shows a line at the top of the window; one that has come is read out by its title. */
export function PageChanges() {
  const isComing = useNavigation().state !== 'idle'
  const { pathname } = useLocation()
  const [shownPath, setShownPath] = useState(pathname)
  const [title, setTitle] = useState('')

  useEffect(() => {
    // The first page is read by the screen reader itself.
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
