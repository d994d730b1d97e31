import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'
import { CURRENCY_NAMES } from '#contract/currencies.ts'
import { QUICK_BUTTON_MS } from '#contract/limits.ts'
import { CALL_TEXTS, NO_CONNECTION_TEXTS } from '#contract/messages.ts'
import type { Notice } from '#contract/site.ts'
import { isOffline } from '#web/api/connection.ts'
import { getFirstSegment, type Section, useRenderedAt } from '#web/api/page.ts'
import { usePageQuery } from '#web/api/queries.ts'
import { useSessionMaintenance } from '#web/api/session-actions.ts'
import { ArtSprite } from '#web/art/symbols.tsx'
import { CurrencyNamesProvider } from '#web/ui/currency-names.ts'
import { PageChanges } from '#web/ui/page-changes.tsx'
import { ThemeArt } from '#web/ui/theme-art.ts'
import { BottomBar, LazyDrawer } from './bottom-bar.tsx'
import { focusOn, useFocusRestore } from './focus-restore.ts'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { Hero } from './hero.tsx'
import { createNoticeId, formatMaintenanceTime } from './notice-time.ts'
import { PageBoards } from './page-boards.tsx'
import { SearchBox } from './search-box.tsx'
import styles from './shell.module.css'
import { getSiteQuery, useShellData } from './shell-data.ts'
import { SidePanel } from './side-panel.tsx'

/**
 * The frame of every page (SHELL-1). The page's elements are cells of its grid. An element with `data-head` spans the
 * whole width at the top; others go into the content column, or span the whole width with `data-wide`.
 */
export function Shell({ section, children }: { section: Section; children: ReactNode }) {
  useSessionMaintenance()
  useFocusOnNewContent()
  useFocusRestore()
  const isHome = getFirstSegment(useLocation().pathname) === ''
  const { data: site } = usePageQuery(getSiteQuery())
  return (
    <CurrencyNamesProvider value={site?.currencies ?? CURRENCY_NAMES}>
      <ThemeArt value={useShellData()?.theme?.art ?? NO_PICTURES}>
        <Sprite />
        <a href="#content" className={styles.skip} data-skip-link>
          Skip to content
        </a>
        <PageChanges />
        <Notices />
        <OfflineNotice />
        <Header section={section} />
        <div className={styles.page} data-home={isHome || undefined}>
          <main className={styles.main}>
            {/* The main element has no box, so links to the content need this target. */}
            <span className={styles.start} id="content" tabIndex={-1} data-head />
            {isHome && <Hero />}
            {children}
          </main>
          <SidePanel section={section} />
        </div>
        {!isHome && <PageBoards section={section} />}
        <Footer section={section} />
        <QuickButton />
        <BottomBar section={section} />
        <LazyDrawer />
        <SearchBox />
      </ThemeArt>
    </CurrencyNamesProvider>
  )
}

/** The pictures of the default theme, which replaces no drawing. */
const NO_PICTURES = {}

/**
 * The notice at the top of a page that is displayed offline (OFFLINE-2). If the network fails later, the page's calls
 * report it (FAIL-3).
 */
function OfflineNotice() {
  const { key } = useLocation()
  const [isShown, setIsShown] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: updates the notice after each change of page
  useEffect(() => {
    const updateNotice = () => setIsShown(isOffline())
    updateNotice()
    window.addEventListener('online', updateNotice)
    return () => window.removeEventListener('online', updateNotice)
  }, [key])
  if (!isShown) return null
  return (
    <p className={styles.offline} role="alert">
      {CALL_TEXTS.network}
      <button type="button" onClick={() => location.reload()}>
        {NO_CONNECTION_TEXTS.tryAgain}
      </button>
    </p>
  )
}

const NOTICES_ID = 'notices'
const renderedNotices = import.meta.env.SSR ? '' : (document.getElementById(NOTICES_ID)?.innerHTML ?? '')

/**
 * The notices of maintenance and announcements. The browser reuses the markup of the HTML, and downloads the script
 * that updates them only if there is a notice.
 */
function Notices() {
  useEffect(() => {
    if (renderedNotices !== '')
      void import('./notice-clock.ts').then(({ startNoticeUpdates }) => startNoticeUpdates(NOTICES_ID))
  }, [])
  if (import.meta.env.SSR) {
    return (
      <div id={NOTICES_ID}>
        <NoticeBars />
      </div>
    )
  }
  return <div id={NOTICES_ID} dangerouslySetInnerHTML={{ __html: renderedNotices }} suppressHydrationWarning />
}

/** The sprite with the pictures of the operators' theme. */
function ThemeSprite() {
  return <ArtSprite pictures={useShellData()?.theme?.pictures} />
}

const SPRITE_ID = 'art-sprite'

/** The server's markup, read before React hydrates the page. */
const renderedSprite = import.meta.env.SSR ? '' : (document.getElementById(SPRITE_ID)?.innerHTML ?? '')

/**
 * The crests, emblems and marks that pictures refer to. They never change, so the browser reuses the markup of the HTML
 * instead of downloading them in a script.
 */
function Sprite() {
  if (import.meta.env.SSR) {
    return (
      <div id={SPRITE_ID}>
        <ThemeSprite />
      </div>
    )
  }
  return <div id={SPRITE_ID} dangerouslySetInnerHTML={{ __html: renderedSprite }} suppressHydrationWarning />
}

/** The button to the top of the page (SHELL-3). It appears after scrolling; its ring shows the scroll position. */
function QuickButton() {
  const topMark = useRef<HTMLSpanElement>(null)
  const [isScrolled, setIsScrolled] = useState(false)
  const isScrollingUp = useIsScrollingUp()

  useEffect(() => {
    if (topMark.current === null) return
    // The observer may deliver several entries at once; only the last one is current.
    const observer = new IntersectionObserver((entries) => setIsScrolled(entries.at(-1)?.isIntersecting === false))
    observer.observe(topMark.current)
    return () => observer.disconnect()
  }, [])

  const onClick = (event: MouseEvent) => {
    event.preventDefault()
    scrollToTop(QUICK_BUTTON_MS)
  }

  return (
    <>
      <span className={styles.topMark} ref={topMark} aria-hidden="true" />
      {/* biome-ignore lint/a11y: a link to the top, named by its label, that scrolls smoothly where scripts run */}
      <a
        href="#top"
        aria-label="Back to the top"
        className={styles.quick}
        data-scrolled={isScrolled || undefined}
        data-scrolling-up={isScrollingUp || undefined}
        onClick={onClick}
      >
        <svg viewBox="0 0 48 48" fill="none" aria-hidden="true">
          <path className={styles.track} d="M2 2H46V36L36 46H2Z" />
          <path className={styles.ring} d="M2 2H46V36L36 46H2Z" pathLength="1" />
          <path className={styles.arrow} d="M14 27 24 16 34 27" />
        </svg>
      </a>
    </>
  )
}

/** The time that the button stays visible on a phone after the last upward scroll, in ms. */
const BUTTON_VISIBLE_MS = 2000

/** Returns whether the visitor has just scrolled up. On a phone, the button is hidden at other times. */
function useIsScrollingUp(): boolean {
  const [isScrollingUp, setIsScrollingUp] = useState(false)
  useEffect(() => {
    let lastScrollY = scrollY
    let hideTimer: ReturnType<typeof setTimeout> | undefined
    const onScroll = () => {
      setIsScrollingUp(scrollY < lastScrollY)
      lastScrollY = scrollY
      clearTimeout(hideTimer)
      hideTimer = setTimeout(setIsScrollingUp, BUTTON_VISIBLE_MS, false)
    }
    addEventListener('scroll', onScroll, { passive: true })
    return () => {
      removeEventListener('scroll', onScroll)
      clearTimeout(hideTimer)
    }
  }, [])
  return isScrollingUp
}

/** Scrolls to the top of the page in `durationMs`, or at once under reduced motion. A wheel or touch event stops it. */
function scrollToTop(durationMs: number): void {
  document.querySelector<HTMLElement>('[data-skip-link]')?.focus({ preventScroll: true })
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
    window.scrollTo({ top: 0, behavior: 'instant' })
    return
  }
  const from = window.scrollY
  const startedAt = performance.now()
  let isInterrupted = false
  const interrupt = () => {
    isInterrupted = true
  }
  window.addEventListener('wheel', interrupt, { once: true, passive: true })
  window.addEventListener('touchstart', interrupt, { once: true, passive: true })

  const step = (now: number) => {
    const progress = Math.min(1, (now - startedAt) / durationMs)
    if (isInterrupted) return
    window.scrollTo({ top: from * (1 - progress) ** 3, behavior: 'instant' })
    if (progress < 1) requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
}

/**
 * After a visitor follows a link, focuses the heading of the changed page or list, and scrolls to the top of the list
 * (SHELL-12). The browser and the router handle steps through the history and jumps within a page.
 */
function useFocusOnNewContent(): void {
  const { key, pathname, hash, state } = useLocation()
  const navigationType = useNavigationType()
  const previousPath = useRef(pathname)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each history entry
  useEffect(() => {
    const isOtherPage = previousPath.current !== pathname
    previousPath.current = pathname
    const id = (state as { list?: string } | null)?.list
    if (navigationType === NavigationType.Pop) return
    if (hash !== '') {
      const target = document.getElementById(hash.slice(1))
      // Moves the focus only if the page has removed the pressed element, for example the form of a reply. A link
      // that is still on the page keeps the focus.
      const hasLostFocus = document.activeElement instanceof HTMLElement && document.activeElement.tabIndex < 0
      if (target !== null && hasLostFocus) focusOn(target)
      return
    }
    if (!(isOtherPage || id)) return
    // The page may already have focused one of its parts.
    if (id === undefined && document.activeElement?.closest('main')) return
    const list = id === undefined ? null : document.getElementById(id)
    const heading = (list ?? document).querySelector<HTMLElement>('h1, h2, h3')
    if (heading === null) return
    focusOn(heading)
    if (id === undefined) return
    const { top = -1 } = list?.getBoundingClientRect() ?? {}
    if (top < 0 || top > innerHeight / 2) (list ?? document.body).scrollIntoView({ behavior: 'instant' })
  }, [key])
}

/**
 * The notices above the header: maintenance with its countdown, and the operators' announcement, each 32 px high
 * (SHELL-1). Only the server renders them, with their styles, because there are none on most days.
 */
function NoticeBars() {
  const { data: site } = usePageQuery(getSiteQuery())
  const renderedAt = useRenderedAt()
  if (site === undefined || site.notices.length === 0) return null
  return (
    <>
      <style>{NOTICE_STYLES}</style>
      <section aria-label="Announcements" data-now={renderedAt}>
        {site.notices.map((notice) => (
          <NoticeBar key={notice.kind} notice={notice} now={renderedAt} />
        ))}
      </section>
    </>
  )
}

/**
 * One notice in a single line. A click follows its link; without a link, it unfolds a text that is longer than the line.
 * The close button hides the notice until its content changes.
 */
function NoticeBar({ notice, now }: { notice: Notice; now: number }) {
  const { kind, text, until } = notice
  const id = createNoticeId(notice)
  return (
    <div data-id={id} data-kind={kind} data-from={kind === 'maintenance' ? notice.from : undefined} data-until={until}>
      {/* No quotation marks, because React would escape them. */}
      <style>{`:root[data-closed~=${id}] #notices [data-id=${id}]{display:none}`}</style>
      {kind === 'maintenance' ? (
        <details>
          <summary>
            <strong>{formatMaintenanceTime(notice, now)}.</strong> {text}
          </summary>
        </details>
      ) : notice.link === '' ? (
        <details>
          <summary>{text}</summary>
        </details>
      ) : (
        <a href={notice.link}>{text}</a>
      )}
      <button type="button" className="needs-script" aria-label="Close the notice">
        ×
      </button>
    </div>
  )
}

const NOTICE_STYLES =
  '#notices [data-id]{display:flex;align-items:start;padding:0 max(16px,calc(50vw - 660px));background:var(--second);color:var(--on-second);line-height:32px}' +
  '#notices :is(details,a){flex:1;min-width:0}#notices :is(summary,a){overflow:hidden;text-overflow:ellipsis;white-space:nowrap}' +
  '#notices details[open] summary{white-space:normal;line-height:1.5}#notices a{text-decoration:underline}' +
  '#notices button{flex:none;width:44px;height:44px;margin:-6px -12px -6px 0;font-size:24px}' +
  '#notices [data-kind=maintenance]{background:#a31f0c;color:#fff}'
