import { useLocation } from 'react-router'
import { getFirstSegment, type Section } from '#web/api/page.ts'
import styles from './page-boards.module.css'
import { Rotator } from './rotator.tsx'
import { CapsuleBanner, DownloadBoard, InstructionsBoard, RedeemBanner } from './signboards.tsx'

/** Pages with an account form or an error, on which the shop does not advertise. */
const PAGES_WITHOUT_ADVERTS = new Set(['login', 'register', 'findaccount', 'resetpassword', 'changepassword', 'error'])

/**
 * The boards at the end of inner pages (SHELL-1): the rotator, the download, the instructions, and on wide screens the
 * shop's two banners.
 */
export function PageBoards({ section }: { section: Section }) {
  const { pathname } = useLocation()
  const isWithoutAdverts = section === 'other' || PAGES_WITHOUT_ADVERTS.has(getFirstSegment(pathname))
  return (
    <section className={styles.boards} aria-label="More of the site">
      <div className={styles.rotator}>
        <Rotator />
      </div>
      <DownloadBoard />
      <InstructionsBoard />
      {!isWithoutAdverts && (
        <>
          <RedeemBanner className={styles.advert} />
          <CapsuleBanner className={styles.advert} />
        </>
      )}
    </section>
  )
}
