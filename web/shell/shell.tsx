import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { firstSegment } from '#web/api/page.ts'
import { useSessionKeeping } from '#web/api/use-session-keeping.ts'
import { BottomBar } from './bottom-bar.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { Hero } from './hero.tsx'
import { LazyDrawer } from './lazy-drawer.tsx'
import { PageChanges } from './page-changes.tsx'
import { QuickButton } from './quick-button.tsx'
import { SearchBox } from './search-box.tsx'
import styles from './shell.module.css'
import { SidePanel } from './side-panel.tsx'
import { Sprite } from './sprite.tsx'

/**
 * The frame of every page (SPEC §1). A page's own elements become cells of its grid: what bears `data-head`
 * spans everything at the top, the rest stands in the content column, or across everything with `data-wide`.
 */
export function Shell({ children }: { children: ReactNode }) {
  useSessionKeeping()
  const isHome = firstSegment(useLocation().pathname) === ''
  return (
    <>
      <Sprite />
      <a href="#content" className={styles.skip} data-skip-link>
        Skip to the content
      </a>
      <PageChanges />
      <Header />
      <div className={styles.page} data-home={isHome || undefined}>
        <main className={styles.main}>
          {/* The main element has no box of its own to jump to. */}
          <span className={styles.start} id="content" tabIndex={-1} data-head />
          {isHome && <Hero />}
          {children}
        </main>
        <SidePanel />
      </div>
      <Footer />
      <QuickButton />
      <BottomBar />
      <LazyDrawer />
      <SearchBox />
    </>
  )
}
