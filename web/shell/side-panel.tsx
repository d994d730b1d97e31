import { type ComponentProps, Suspense, useRef } from 'react'
import { useLocation } from 'react-router'
import { useDocument } from '#web/api/documents.ts'
import { getFirstSegment, type Section } from '#web/api/page.ts'
import { usePageQuery } from '#web/api/queries.ts'
import { useSession } from '#web/api/session.ts'
import { findLeftMenu } from '#web/menus.ts'
import { CurrencyText } from '#web/ui/currency-names.ts'
import { lazyPart } from '#web/ui/lazy-part.ts'
import { Link } from '#web/ui/link.tsx'
import { useNearScreen } from '#web/ui/near-screen.ts'
import { Panel } from '#web/ui/panel.tsx'
import { MemberCard } from './member-card.tsx'
import { ResetCard } from './reset-card.tsx'
import { getSiteQuery } from './shell-data.ts'
import styles from './side-panel.module.css'
import { CapsuleBanner, RedeemBanner } from './signboards.tsx'

const CartSummary = lazyPart(async () => (await import('#web/features/cart/cart-receipt.tsx')).CartSummary)
const ItemScroller = lazyPart(async () => (await import('#web/features/shop/item-parts.tsx')).ItemScroller)

/** Pages without the member card, because a second login form would confuse password managers. */
const WITHOUT_MEMBER_CARD = new Set(['login', 'register', 'findaccount', 'resetpassword'])

/** Sections without the item scroller. The shop already shows items. */
const WITHOUT_SCROLLER = new Set<Section>(['shop', 'account', 'support', 'other'])

/**
 * Pages that are often shorter than the side panel. On these pages it shows only the parts of their section
 * (SHELL-14).
 */
const SHORT_PAGES = new Set([
  ...['itemshop', 'capsuleshop', 'shoppingcart', 'wishlist', 'shoppurchases', 'topup', 'topuphistory', 'mailbox'],
  ...['checkticket', 'events', 'daily', 'vote', 'invite'],
])

/**
 * The column at the left, or below the content on small screens. On the home page, the hero contains the member card
 * and the boards instead. On a phone, only the home page has advertisements.
 */
export function SidePanel({ section }: { section: Section }) {
  const { pathname } = useLocation()
  const segment = getFirstSegment(pathname)
  const isShortPage = section === 'forum' || SHORT_PAGES.has(segment) || /^\/rankings\/tournament(\/|$)/i.test(pathname)
  if (section === 'home') {
    return (
      <aside className={`${styles.side} ${styles.home}`} aria-label="Side panel">
        <RedeemBanner />
        <CapsuleBanner />
        <div className={styles.desktop} data-for="guest">
          <NewcomerPanel />
        </div>
        {/* The scroller fills the remaining height. */}
        <ScrollerSlot className={styles.desktop} panelStyle={styles.fillsHeight} />
      </aside>
    )
  }
  return (
    <aside className={styles.side} aria-label="Side panel">
      {!WITHOUT_MEMBER_CARD.has(segment) && (
        <div className={styles.desktop}>
          {/* The login box of a guest (SHELL-5), or the card of a player (SHELL-6). */}
          <MemberCard />
        </div>
      )}
      <LeftMenu section={section} className={styles.fullWidth} />
      {(section === 'shop' || section === 'recharge') && segment !== 'shoppingcart' && (
        <div className={styles.fullWidth} data-for="player">
          <CartSlot />
        </div>
      )}
      {(section === 'rankings' || (section === 'news' && !isShortPage)) && <MonthEndSlot />}
      {!isShortPage && !WITHOUT_SCROLLER.has(section) && (
        <ScrollerSlot className={`${styles.fullWidth} ${styles.scroller} ${styles.advert}`} />
      )}
    </aside>
  )
}

const MonthEndSlot = () => (
  <div className={styles.fullWidth}>
    <ResetCard tone="ink" />
  </div>
)

/** The menu of the section (SHELL-7). Renders nothing if the section has none. */
function LeftMenu({ section, className }: { section: Section; className?: string | undefined }) {
  const pathname = useLocation().pathname.toLowerCase()
  const menu = findLeftMenu(section, usePageQuery(getSiteQuery()).data)
  if (menu === undefined) return null
  // Of two matching links, such as /rankings and /rankings/tournament, mark the longer one.
  const current = menu.links.filter(({ to }) => pathname.startsWith(to)).sort((a, b) => b.to.length - a.to.length)[0]
  return (
    <Panel title={menu.title} className={className}>
      <nav aria-label={menu.title}>
        <ul className={styles.menu}>
          {menu.links.map((link) => (
            <li key={link.label} data-for={link.for}>
              <Link to={link.to} aria-current={link === current ? 'page' : undefined}>
                <CurrencyText>{link.label}</CurrencyText>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </Panel>
  )
}

const NEWCOMER_STEPS = [
  { key: 'download', to: '/downloads', label: 'Download the game' },
  { key: 'register', to: '/register', label: 'Sign up' },
  { key: 'class', to: '/characters', label: 'Pick a class' },
] as const

/** Three steps for newcomers. */
function NewcomerPanel() {
  const frame = useDocument('frame')
  const preparing = usePageQuery(getSiteQuery()).data?.preparing ?? []
  return (
    <Panel title="First time here?" className={styles.newcomer}>
      <ol className={styles.steps}>
        {NEWCOMER_STEPS.filter(({ to }) => !preparing.includes(to)).map((step, index) => (
          <li key={step.to}>
            <Link to={step.to} className={styles.step}>
              <span className={styles.numeral} aria-hidden="true">
                {index + 1}
              </span>
              <span>
                <span className={styles.label}>{step.label}</span>
                <span className={styles.line}>{frame?.steps[step.key].line}</span>
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

/** The cart summary in the side panel. Only logged-in players download its code. */
function CartSlot() {
  const isPlayer = useSession() !== null
  return (
    <div className={styles.cart}>
      {isPlayer && (
        <Suspense>
          <CartSummary />
        </Suspense>
      )}
    </div>
  )
}

/** The item scroller. Its code and items load when it comes near the screen, and never while it is hidden. */
function ScrollerSlot({ panelStyle, ...attributes }: ComponentProps<'div'> & { panelStyle?: string | undefined }) {
  const slotRef = useRef<HTMLDivElement>(null)
  const isNear = useNearScreen(slotRef)
  return (
    <div {...attributes} ref={slotRef}>
      {isNear && (
        <Suspense>
          <ItemScroller className={panelStyle} />
        </Suspense>
      )}
    </div>
  )
}
