import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Outlet, ScrollRestoration, useLocation, useNavigate } from 'react-router'
import { getClockParts } from '#contract/manila.ts'
import { CALL_TEXTS } from '#contract/messages.ts'
import { BUILT_IN_ROLES } from '#contract/permissions.ts'
import { getDeskUser } from '#contract/staff.ts'
import { CallError, onCallEvent } from '#web/api/call.ts'
import { getLoginPath, leavePage } from '#web/api/guard.ts'
import { toQueryKey } from '#web/api/queries.ts'
import { clearSession, useAccessToken } from '#web/api/session.ts'
import { useLogout } from '#web/api/session-actions.ts'
import { LogoMark } from '#web/art/marks.tsx'
import { Pinstripe } from '#web/art/pinstripe.tsx'
import { ArtSprite } from '#web/art/symbols.tsx'
import { CurrencyNamesProvider } from '#web/ui/currency-names.ts'
import { Link } from '#web/ui/link.tsx'
import { PageChanges } from '#web/ui/page-changes.tsx'
import { Skeleton } from '#web/ui/states.tsx'
import { showToast } from '#web/ui/toast.ts'
import styles from './desk.module.css'
import { IdentityDialog } from './identity-dialog.tsx'
import { useDeskKeys } from './keys.tsx'
import { deskCall } from './kit/call.ts'
import { getServerNow } from './kit/clock.ts'
import { DeskIcon } from './kit/icons.tsx'
import { LeaveGuard } from './kit/leave-guard.tsx'
import { isAllowed, type Me, MeProvider } from './me.ts'
import { EntryRefused } from './notices.tsx'
import { Palette } from './palette.tsx'
import { RoleOfferDialog, RoleOfferNotice } from './role-offer.tsx'
import { type SchemeChoice, useScheme } from './scheme.ts'
import { GROUPS, getScreenPath, SCREENS, type Screen } from './screens.ts'

/** The interval at which the desk reloads the counts of waiting work, in ms. */
const ME_FRESH_MS = 60_000

/** The frame around every screen: operator, navigation, search. It shows no screen until the operator has loaded. */
export function Desk() {
  const token = useAccessToken()
  useEffect(() => {
    if (token === null) goToLogin()
  }, [token])
  useEffect(() => onCallEvent(({ kind }) => void (kind === 'expired' && leaveAfterExpiry())), [])
  const {
    data: me,
    error,
    refetch,
  } = useQuery({
    queryKey: toQueryKey(getDeskUser, {}),
    queryFn: ({ signal }) => deskCall(getDeskUser, {}, { signal }),
    enabled: token !== null,
    staleTime: ME_FRESH_MS,
    // A refetch before the desk has loaded would replace the notice with its login form and lose the typed text.
    refetchInterval: ({ state }) => state.data !== undefined && ME_FRESH_MS,
    refetchOnReconnect: ({ state }) => state.data !== undefined,
  })
  if (me === undefined && error instanceof CallError && error.reason === 'offer')
    return <RoleOfferNotice onAnswered={() => void refetch()} />
  if (me === undefined && error !== null) return <EntryRefused error={error} onRetry={() => void refetch()} />
  return me === undefined ? (
    <FrameSkeleton />
  ) : (
    <MeProvider value={me}>
      <CurrencyNamesProvider value={me.currencies}>
        <DeskFrame me={me} />
        {me.offers.length > 0 && <RoleOfferDialog key={me.offers[0]} onAnswered={() => void refetch()} />}
      </CurrencyNamesProvider>
    </MeProvider>
  )
}

/** Opens the login page with a full page load, because the site and the desk are separate bundles. */
function goToLogin(): void {
  location.replace(getLoginPath(location.pathname + location.search))
}

async function leaveAfterExpiry(): Promise<void> {
  await leavePage(async () => {
    await showToast('error', CALL_TEXTS.sessionExpired)
    clearSession()
  })
}

/** Returns the screens that the operator may open. */
const listScreens = (me: Me): Screen[] => SCREENS.filter(({ permission }) => isAllowed(me, permission))

function DeskFrame({ me }: { me: Me }) {
  const [dialog, setDialog] = useState<'palette' | 'menu' | null>(null)
  const screens = listScreens(me)
  const navigate = useNavigate()
  const keyHelp = useDeskKeys({ screens, openPalette: () => setDialog('palette'), navigate })
  const close = () => setDialog(null)
  const { key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of screen closes the open dialog
  useEffect(close, [key])

  return (
    <>
      <ArtSprite pictures={me.logo === null ? {} : { logo: [me.logo] }} />
      <a href="#content" className={styles.skip}>
        Skip to content
      </a>
      <PageChanges />
      <header className={styles.head}>
        <div className={styles.top}>
          <Link to="/admin" className={styles.logo}>
            <LogoMark size={38} />
            <SiteName name={me.app_name} />
          </Link>
          <button
            type="button"
            className={styles.search}
            aria-haspopup="dialog"
            aria-keyshortcuts="/ Control+K Meta+K"
            onClick={() => setDialog('palette')}
          >
            <DeskIcon name="search" />
            <span>Find a player, order, ticket…</span>
            <kbd>Ctrl K</kbd>
          </button>
          <ManilaClock />
          <OperatorMenu me={me} />
        </div>
        <Pinstripe />
      </header>
      <div className={styles.page}>
        <nav className={`${styles.rail} quiet-scroll`} aria-label="Screens">
          <SideMenu me={me} screens={screens} />
          <p className={styles.hint} aria-hidden="true">
            Press <kbd>?</kbd> for keyboard shortcuts
          </p>
        </nav>
        <main className={styles.main} id="content" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <nav className={styles.bottom} aria-label="Quick links">
        {screens.slice(0, 3).map((screen) => (
          <BottomLink key={screen.path} screen={screen} me={me} />
        ))}
        <button type="button" className={styles.thumb} aria-haspopup="dialog" onClick={() => setDialog('palette')}>
          <DeskIcon name="search" size={24} /> Search
        </button>
        <button type="button" className={styles.thumb} aria-haspopup="dialog" onClick={() => setDialog('menu')}>
          <DeskIcon name="menu" size={24} /> Menu
        </button>
      </nav>
      {dialog === 'palette' && <Palette me={me} screens={screens} onClose={close} />}
      {dialog === 'menu' && <MenuDrawer me={me} screens={screens} onClose={close} />}
      {keyHelp}
      <IdentityDialog />
      <LeaveGuard />
      <ScrollRestoration />
    </>
  )
}

/** The first word of the site's name, with “Desk” in a small size below it. */
function SiteName({ name }: { name: string }) {
  const [firstWord] = name.split(' ')
  return (
    <span className={styles.name}>
      {firstWord} <span>Desk</span>
    </span>
  )
}

/** The time in Manila, which every date at the desk uses. */
function ManilaClock() {
  const [now, setNow] = useState(getServerNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(getServerNow()), 10_000)
    return () => clearInterval(timer)
  }, [])
  const { date, minutes } = getClockParts(now)
  return (
    <time className={styles.clock} dateTime={new Date(now).toISOString()} title="The time in Manila">
      <span>{date}</span> {minutes}
    </time>
  )
}

/** The operator's user ID, and the links that leave the desk. */
function OperatorMenu({ me }: { me: Me }) {
  const logOut = useLogout()
  return (
    <div className={styles.person}>
      <p>
        <b>
          <Link to="/admin/you">{me.user_id}</Link>
        </b>
        <span>{me.roles.map((role) => BUILT_IN_ROLES[role]?.name ?? role).join(', ')}</span>
      </p>
      <SchemeSwitch />
      <a href="/" className={styles.out}>
        <DeskIcon name="external" size={18} /> View site
      </a>
      <button type="button" className={styles.out} onClick={() => void logOut()}>
        <DeskIcon name="leave" size={18} /> Log out
      </button>
    </div>
  )
}

const NEXT_SCHEME = { system: 'light', light: 'dark', dark: 'system' } as const
const SCHEME_NAMES = { system: 'Device setting', light: 'Light', dark: 'Dark' } as const

/** Switches between the device's scheme, light and dark. */
function SchemeSwitch() {
  const [choice, choose] = useScheme()
  const next: SchemeChoice = NEXT_SCHEME[choice]
  const title = `Colors: ${SCHEME_NAMES[choice]}. Press to switch to ${SCHEME_NAMES[next].toLowerCase()}.`
  return (
    <button type="button" className={styles.out} aria-label={title} title={title} onClick={() => choose(next)}>
      <DeskIcon name={choice} size={18} />
    </button>
  )
}

/** Returns the groups of the menu that have screens for the operator, with the amount of waiting work in each. */
function listGroups(me: Me, screens: Screen[]) {
  return Object.entries(GROUPS)
    .map(([id, name]) => {
      const groupScreens = screens.filter(({ group }) => group === id)
      return {
        id,
        name,
        screens: groupScreens,
        waiting: groupScreens.reduce((sum, { path }) => sum + (me.waiting[path] ?? 0), 0),
      }
    })
    .filter((group) => group.screens.length > 0)
}

type Group = ReturnType<typeof listGroups>[number]

/** The two groups that are open on the screen Today and on each of their own screens. Both fit a window of 1440×900. */
const MOST_USED_GROUPS: readonly string[] = ['people', 'shop']

/** The menu left of the screen. Groups fold, so the whole menu fits; the group of the current screen is open. */
function SideMenu({ me, screens }: { me: Me; screens: Screen[] }) {
  const { pathname } = useLocation()
  const currentGroupId = screens.find((screen) => screen.path !== '' && isWithin(pathname, screen))?.group
  const openGroups =
    currentGroupId === undefined || MOST_USED_GROUPS.includes(currentGroupId) ? MOST_USED_GROUPS : [currentGroupId]
  return listGroups(me, screens).map((group) =>
    group.name === '' ? (
      <GroupLinks key={group.id} group={group} me={me} />
    ) : (
      <FoldingGroup
        key={group.id}
        group={group}
        me={me}
        isCurrent={group.id === currentGroupId}
        startsOpen={openGroups.includes(group.id)}
      />
    ),
  )
}

type FoldingGroupProps = { group: Group; me: Me; isCurrent: boolean; startsOpen: boolean }

/** A group of the menu. One press opens it together with its first screen. */
function FoldingGroup({ group, me, isCurrent, startsOpen }: FoldingGroupProps) {
  const [isOpen, setOpen] = useState(startsOpen)
  useEffect(() => setOpen(startsOpen), [startsOpen])
  const navigate = useNavigate()
  const [firstScreen] = group.screens
  return (
    <details className={styles.group} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: browsers treat a summary as a button */}
      <summary
        onClick={() => !isOpen && !isCurrent && firstScreen !== undefined && void navigate(getScreenPath(firstScreen))}
      >
        <span>{group.name}</span>
        {!isOpen && <WaitingCount waiting={group.waiting} />}
        <DeskIcon name="down" size={14} weight={3} />
      </summary>
      <GroupLinks group={group} me={me} />
    </details>
  )
}

function GroupLinks({ group, me }: { group: Group; me: Me }) {
  return (
    <ul>
      {group.screens.map((screen) => (
        <li key={screen.path}>
          <ScreenLink screen={screen} me={me} />
        </li>
      ))}
    </ul>
  )
}

/** The menu on a phone: the groups first, and the screens of a group as the next page. */
function GroupPages({ me, screens }: { me: Me; screens: Screen[] }) {
  const [openedGroupId, setOpenedGroupId] = useState<string | null>(null)
  const groups = listGroups(me, screens)
  const openedGroup = groups.find(({ id }) => id === openedGroupId)
  if (openedGroup !== undefined)
    return (
      <>
        <button type="button" className={styles.groupBack} onClick={() => setOpenedGroupId(null)}>
          <DeskIcon name="back" size={18} /> {openedGroup.name}
        </button>
        <GroupLinks group={openedGroup} me={me} />
      </>
    )
  return groups.map((group) =>
    group.name === '' ? (
      <GroupLinks key={group.id} group={group} me={me} />
    ) : (
      <button key={group.id} type="button" className={styles.groupForward} onClick={() => setOpenedGroupId(group.id)}>
        <span>{group.name}</span>
        <WaitingCount waiting={group.waiting} />
        <DeskIcon name="forward" size={18} />
      </button>
    ),
  )
}

/** Whether an address is that of a screen or of a page below it. */
function isWithin(pathname: string, screen: Screen): boolean {
  const address = getScreenPath(screen)
  const currentPath = pathname.replace(/\/+$/, '').toLowerCase()
  return currentPath === address || (screen.path !== '' && currentPath.startsWith(`${address}/`))
}

const useAriaCurrent = (screen: Screen): 'page' | undefined =>
  isWithin(useLocation().pathname, screen) ? 'page' : undefined

function ScreenLink({ screen, me }: { screen: Screen; me: Me }) {
  return (
    <Link to={getScreenPath(screen)} className={styles.link} aria-current={useAriaCurrent(screen)}>
      <DeskIcon name={screen.icon} size={18} />
      {screen.title}
      <WaitingCount waiting={me.waiting[screen.path] ?? 0} />
    </Link>
  )
}

function BottomLink({ screen, me }: { screen: Screen; me: Me }) {
  return (
    <Link to={getScreenPath(screen)} className={styles.thumb} aria-current={useAriaCurrent(screen)}>
      <DeskIcon name={screen.icon} size={24} /> {screen.title}
      <WaitingCount waiting={me.waiting[screen.path] ?? 0} />
    </Link>
  )
}

function WaitingCount({ waiting }: { waiting: number }) {
  if (waiting === 0) return null
  return (
    <span className={styles.count}>
      {waiting > 99 ? '99+' : waiting}
      <span className="visually-hidden"> waiting</span>
    </span>
  )
}

/** The menu of all screens on a phone. It opens from the bottom, within reach of the thumb. */
function MenuDrawer({ me, screens, onClose }: { me: Me; screens: Screen[]; onClose: () => void }) {
  const dialogRef = useRef<HTMLDialogElement>(null)
  useEffect(() => dialogRef.current?.showModal(), [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes the dialog when Escape is pressed
    <dialog
      className={styles.drawer}
      ref={dialogRef}
      aria-label="Menu"
      onClose={onClose}
      onClick={(event) => {
        // A click on the backdrop has the dialog itself as its target; a click in the drawer has a child.
        if (event.target === event.currentTarget) event.currentTarget.close()
      }}
    >
      <div className={`${styles.sheet} quiet-scroll`}>
        <div className={styles.sheetHead} data-surface="paper">
          <OperatorMenu me={me} />
        </div>
        <nav aria-label="All screens">
          <GroupPages me={me} screens={screens} />
        </nav>
        <form method="dialog">
          <button type="submit" className={styles.close}>
            <DeskIcon name="close" size={18} /> Close
          </button>
        </form>
      </div>
    </dialog>
  )
}

/** The frame at its final size, while the operator is being loaded. */
function FrameSkeleton() {
  return (
    <div aria-busy="true">
      <ArtSprite />
      <header className={styles.head}>
        <div className={styles.top}>
          <span className={styles.logo}>
            <LogoMark size={38} />
          </span>
        </div>
        <Pinstripe />
      </header>
      <div className={styles.page}>
        <div className={styles.rail}>
          {Array.from({ length: 9 }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the entries are identical
            <div key={index} className={styles.link}>
              <Skeleton width={`${90 + ((index * 37) % 60)}px`} height={18} />
            </div>
          ))}
        </div>
        <main className={styles.main}>
          <Skeleton width={240} height={44} />
          <div className={styles.waiting}>
            <Skeleton width="100%" height={420} />
          </div>
        </main>
      </div>
    </div>
  )
}
