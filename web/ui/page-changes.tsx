import { useEffect, useState } from 'react'
import { useLocation, useNavigation } from 'react-router'
import styles from './page-changes.module.css'

/** Shows a line at the top of the window while a page loads, then announces the page's title to screen readers. */
export function PageChanges() {
  const isLoading = useNavigation().state !== 'idle'
  const { pathname } = useLocation()
  const [announcedPath, setAnnouncedPath] = useState(pathname)
  const [title, setTitle] = useState('')

  useEffect(() => {
    // Screen readers announce the first page themselves.
    if (pathname === announcedPath) return
    setAnnouncedPath(pathname)
    setTitle(document.title)
  }, [pathname, announcedPath])

  return (
    <>
      <div className={styles.line} data-loading={isLoading || undefined} aria-hidden="true" />
      <p className="visually-hidden" role="status">
        {title}
      </p>
    </>
  )
}
