import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import {
  ACCOUNT_TEXTS,
  endOtherSessions,
  getAccountHistory,
  getSessions,
  getUserIp,
  whitelistUserIp,
} from '#contract/accounts.ts'
import { getOwnRanks } from '#contract/characters.ts'
import { findClassByCode, findSchool, formatClass } from '#contract/game.ts'
import { formatCount } from '#contract/numbers.ts'
import { getUser, type User } from '#contract/session.ts'
import { alertFailure } from '#web/api/attempt.ts'
import { call, getDialogText, isSessionExpired } from '#web/api/call.ts'
import { useDocument } from '#web/api/documents.ts'
import { toKeyPrefix, useCall } from '#web/api/queries.ts'
import { type SessionUser, useIsAdmin, useSession } from '#web/api/session.ts'
import { Emblem } from '#web/art/emblem.tsx'
import schools from '#web/art/schools.module.css'
import { formatDay } from '#web/features/news/relative-time.ts'
import { RelativeTime } from '#web/features/news/relative-time-text.tsx'
import { ClassMark, SchoolMark } from '#web/features/rankings/marks.tsx'
import { getCharacterPath } from '#web/features/rankings/rankings-view.ts'
import { RedeemForm } from '#web/features/topup/redeem-form.tsx'
import { CallDialog, type CallState, createErrorState } from '#web/forms/call-dialog.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { WaitingSection } from '#web/shell/waiting.tsx'
import { describeDevice, describeEvent, describeFactor, isAlarming, maskEmail } from '#web/ui/account-text.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState, Skeleton } from '#web/ui/states.tsx'
import text from '#web/ui/text.module.css'
import { showToast } from '#web/ui/toast.ts'
import { Value } from '#web/ui/value.tsx'
import styles from './account-page.module.css'
import { DetailsForm } from './details-form.tsx'
import { DiscordPanel } from './discord-link.tsx'
import { GameAccountPanel } from './game-account.tsx'
import { MyDataPanel } from './my-data.tsx'
import { SecondFactorsPanel } from './second-factors.tsx'
import { StuckLoginPanel } from './stuck-login.tsx'

/** The account page for players (ACCOUNT-2). Its HTML is the same for every player. */
export default function AccountPage() {
  const user = useSession()?.user
  return (
    <>
      <PageHead
        crumb="Account Setting"
        title="Account Setting"
        lines={['Your coins, your connection and your characters.']}
      />
      <WaitingSection />
      <CharacterCards />
      {user === undefined ? (
        <div className={`${layout.panels} ${styles.parts}`} aria-busy="true">
          <PanelPlaceholder index={1} title="Load R-COINS" height={262} />
          <PanelPlaceholder index={2} title="Connection Information" height={180} />
          <PanelPlaceholder index={3} title="Account Information" height={322} />
          <PanelPlaceholder index={4} title="Characters list" height={168} />
        </div>
      ) : (
        <>
          <div className={`${layout.panels} ${styles.parts}`}>
            <Panel index={1} title="Load R-COINS">
              <div className={layout.padded}>
                <RedeemForm />
              </div>
            </Panel>
            <ConnectionPanel />
            <DetailsPanel user={user} />
            <CharactersPanel />
          </div>
          <div className={layout.panels} id="second-factor">
            <GameAccountPanel />
            <StuckLoginPanel />
            <SecondFactorsPanel index={5} user={user} />
            <DiscordPanel />
          </div>
          <div className={`${layout.panels} ${styles.records}`}>
            <SessionsPanel />
            <HistoryPanel />
          </div>
          <div className={layout.panels}>
            <MyDataPanel index={8} user={user} />
          </div>
        </>
      )}
    </>
  )
}

/** Shows the player's characters as cards. Their height is reserved until they have loaded. */
function CharacterCards() {
  const { data: answer } = useCall(getUser, {}, { ...PRIVATE_QUERY_OPTIONS, enabled: useSession() !== null })
  const characters = answer?.data.characters ?? []
  const ranks = useCall(getOwnRanks, { of: 'month', board: 'level' }, { retry: false, enabled: characters.length > 0 })
  const classes = useDocument('classes')?.classes
  if (answer !== undefined && characters.length === 0) return null
  return (
    <section aria-labelledby="own-characters" data-for="player">
      <h2 className={styles.cardsTitle} id="own-characters">
        Your characters
      </h2>
      <ul className={`${styles.cards} ${layout.fading}`}>
        {characters.map(({ ChaNum, ChaName, ChaLevel, ChaClass, ChaSchool }) => {
          const cls = findClassByCode(ChaClass)
          const school = findSchool(ChaSchool)
          const poster = cls && classes?.[cls]?.picture
          const ownRank = ranks.data?.data.find((rank) => rank.ChaNum === ChaNum)
          return (
            <li key={ChaNum} className={`${styles.card} ${schools.colors}`} data-school={school?.key}>
              <Link to={getCharacterPath(ChaNum)} className={styles.cardLink}>
                <span className={styles.cardPoster}>
                  {poster ? (
                    <img src={poster} alt="" width="400" height="500" decoding="async" />
                  ) : (
                    cls !== undefined && <Emblem name={cls} size={56} isOn />
                  )}
                </span>
                <span className={styles.cardLevel}>
                  <span className="visually-hidden">Level </span>
                  {ChaLevel}
                </span>
                <span className={styles.cardName}>{ChaName}</span>
                <span className={styles.cardLine}>
                  {cls !== undefined && <span>{formatClass(cls)}</span>}
                  {ownRank?.rank != null && (
                    <b>
                      <Value>{`#${formatCount(ownRank.rank)}`}</Value> by level
                    </b>
                  )}
                </span>
                <span className={styles.cardLine}>{ownRank?.GuName ?? school?.name}</span>
              </Link>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** A placeholder for a panel until the session is known. */
function PanelPlaceholder({ index, title, height }: { index: number; title: string; height: number }) {
  return (
    <Panel index={index} title={title}>
      <div className={layout.padded}>
        <Skeleton width="100%" height={height} />
      </div>
    </Panel>
  )
}

/** Private data is requested at each visit, and a failure is shown at once. */
const PRIVATE_QUERY_OPTIONS = { retry: false, staleTime: 0 }

const useAccount = () => useCall(getUser, {}, PRIVATE_QUERY_OPTIONS)

/** Shown when a panel fails to load, with a button to retry. */
function LoadFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <div className={styles.loadFailure}>
      <p>We couldn’t load this part.</p>
      <Button tone="secondary" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}

/** Connection Information: the caller's address, and the whitelist button while CC_status is 0 (WHITELIST-1). */
function ConnectionPanel() {
  const { data: answer, isError, refetch } = useCall(getUserIp, {}, PRIVATE_QUERY_OPTIONS)
  const data = answer?.useripdata
  const queries = useQueryClient()
  const [state, setState] = useState<CallState | null>(null)

  const whitelist = async () => {
    setState({ phase: 'running', title: ACCOUNT_TEXTS.processing, text: ACCOUNT_TEXTS.pleaseWait })
    try {
      const { message } = await call(whitelistUserIp, {}, { shellFailures: 'ended-session' })
      setState({ phase: 'done', title: 'Whitelisted', text: message })
      await queries.invalidateQueries({ queryKey: toKeyPrefix(getUserIp) })
      await queries.invalidateQueries({ queryKey: toKeyPrefix(getAccountHistory) })
    } catch (error) {
      setState(isSessionExpired(error) ? null : createErrorState(getDialogText(error)))
    }
  }

  return (
    <Panel index={2} title="Connection Information">
      <div className={styles.body}>
        {isError ? (
          <LoadFailure onRetry={() => void refetch()} />
        ) : (
          <dl className={styles.facts}>
            <Fact name="Connection IP" className={styles.address}>
              {data?.CC_IP ?? <Skeleton width={140} height={28} />}
            </Fact>
            <Fact name="Status">
              {data === undefined ? <Skeleton width={140} height={24} /> : <WhitelistStatus status={data.CC_status} />}
            </Fact>
          </dl>
        )}
        {data?.CC_status === 0 && (
          <div className={styles.nextStep}>
            <p>The game only lets you in from whitelisted addresses. Your account stores the five newest.</p>
            <Button onClick={() => void whitelist()}>Whitelist this IP</Button>
          </div>
        )}
      </div>
      <CallDialog state={state} onClose={() => setState(null)} />
    </Panel>
  )
}

function Fact({ name, className, children }: { name: string; className?: string | undefined; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={className}>{children}</dd>
    </div>
  )
}

function WhitelistStatus({ status }: { status: 0 | 1 }) {
  return status === 1 ? (
    <span className={styles.confirmedState}>Whitelisted</span>
  ) : (
    <span className={styles.pendingState}>Not whitelisted</span>
  )
}

/** Account Information (ACCOUNT-2, ACCOUNT-3): the player's details and the form to change them. */
function DetailsPanel({ user }: { user: SessionUser }) {
  const { data: answer, isError, refetch } = useAccount()
  const account = answer?.data
  const [isEditing, setIsEditing] = useState(false)
  const buttons = useRef<HTMLDivElement>(null)
  const stopEditing = () => {
    flushSync(() => setIsEditing(false))
    buttons.current?.querySelector('button')?.focus()
  }
  const hasFailed = isError && account === undefined
  return (
    <Panel index={3} title="Account Information">
      <div className={styles.body}>
        {hasFailed && <LoadFailure onRetry={() => void refetch()} />}
        {isEditing && account !== undefined ? (
          <DetailsForm user={user} account={account} onCancel={stopEditing} />
        ) : (
          !hasFailed && (
            <>
              <AccountFacts user={user} account={account} />
              <div className={layout.buttons} ref={buttons}>
                <Button tone="secondary" disabled={account === undefined} onClick={() => setIsEditing(true)}>
                  Edit details
                </Button>
                <ButtonLink to="/changepassword" tone="secondary">
                  Change Password
                </ButtonLink>
              </div>
            </>
          )
        )}
      </div>
    </Panel>
  )
}

function AccountFacts({ user, account }: { user: SessionUser; account: User | undefined }) {
  const isAdmin = useIsAdmin()
  const placeholder = <Skeleton width={140} height={24} />
  return (
    <dl className={styles.facts}>
      <Fact name="User ID">{user.UserID}</Fact>
      <Fact name="Name">
        {account === undefined ? placeholder : `${account.NameFirst} ${account.NameLast}`.trim() || '–'}
      </Fact>
      <Fact name="Email">{account === undefined ? placeholder : maskEmail(account.UserEmail)}</Fact>
      <Fact name="Email verified">
        {account === undefined ? placeholder : <VerificationStatus at={account.email_verified_at} />}
      </Fact>
      <Fact name="Phone Number">{account === undefined ? placeholder : account.PhoneNumber || '–'}</Fact>
      {isAdmin && <Fact name="Account type">Admin</Fact>}
      {isAdmin && (
        <Fact name="Work">
          <Link to="/admin" className={text.link}>
            Open the desk
          </Link>
        </Fact>
      )}
    </dl>
  )
}

function VerificationStatus({ at }: { at: string | null }) {
  if (at === null) return <span className={styles.pendingState}>Not yet: please open the link we emailed you</span>
  return <span className={styles.confirmedState}>Since {formatDay(at).day}</span>
}

/** The list of characters with name and level (ACCOUNT-2), class and school. */
function CharactersPanel() {
  const { data: answer, isError, refetch } = useAccount()
  const characters = answer?.data.characters
  return (
    <Panel index={4} title="Characters list">
      {characters === undefined ? (
        <div className={layout.padded}>
          {isError ? <LoadFailure onRetry={() => void refetch()} /> : <Skeleton width="100%" height={72} />}
        </div>
      ) : characters.length === 0 ? (
        <EmptyState
          title="No characters yet"
          line="Download the game, choose a school and create your first one."
          action={<ButtonLink to="/downloads">Download the game</ButtonLink>}
        />
      ) : (
        <ul className={layout.rows}>
          {characters.map((character) => (
            <Character key={character.ChaNum} character={character} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Character({ character }: { character: User['characters'][number] }) {
  const school = findSchool(character.ChaSchool)
  return (
    <li className={`${styles.character} ${schools.colors}`} data-school={school?.key}>
      <strong className={styles.name}>
        <Link to={getCharacterPath(character.ChaNum)}>{character.ChaName}</Link>
      </strong>
      <span className={styles.marks}>
        <ClassMark name={findClassByCode(character.ChaClass)} />
        <SchoolMark school={school} />
      </span>
      <span className={styles.level}>
        <span>Level</span> {character.ChaLevel}
      </span>
    </li>
  )
}

/** Lists the account's sessions, with a button to end all others. */
function SessionsPanel() {
  const { data: answer, isError, refetch, dataUpdatedAt } = useCall(getSessions, {}, PRIVATE_QUERY_OPTIONS)
  const sessions = answer?.data
  const queries = useQueryClient()
  const endOthers = useMutation({
    mutationFn: () => call(endOtherSessions, {}, { shellFailures: 'ended-session' }),
    onSuccess: async ({ message }) => {
      void showToast('done', message)
      await queries.invalidateQueries({ queryKey: toKeyPrefix(getSessions) })
      await queries.invalidateQueries({ queryKey: toKeyPrefix(getAccountHistory) })
    },
    onError: alertFailure,
  })
  return (
    <Panel index={6} title="Where you are logged in">
      <div className={styles.record}>
        <ExpandableList
          items={sessions}
          hasFailed={isError}
          onRetry={() => void refetch()}
          renderItem={(session) => (
            <li key={session.id}>
              <strong>
                {describeDevice(session.device)}
                {session.current && <span className={styles.plate}>This device</span>}
                {session.factor !== null && (
                  <span className={styles.loginMethod}>{describeFactor(session.factor)}</span>
                )}
              </strong>
              <span>{session.address}</span>
              <span className={styles.time}>
                {session.current ? 'now' : <RelativeTime iso={session.last_seen_at} renderedAt={dataUpdatedAt} />}
              </span>
            </li>
          )}
        />
        {sessions !== undefined && sessions.length > 1 && (
          <div className={styles.foot}>
            <Button tone="secondary" busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
              Log out other devices
            </Button>
          </div>
        )}
        {sessions?.length === 1 && <p className={styles.emptyNote}>You are not logged in anywhere else.</p>}
      </div>
    </Panel>
  )
}

/** Lists logins and changes of the account, newest first. */
function HistoryPanel() {
  const { data: answer, isError, refetch, dataUpdatedAt } = useCall(getAccountHistory, {}, PRIVATE_QUERY_OPTIONS)
  const events = answer?.data
  return (
    <Panel index={7} title="History">
      <div className={styles.record}>
        <ExpandableList
          items={events}
          hasFailed={isError}
          onRetry={() => void refetch()}
          renderItem={(event) => (
            <li key={event.id}>
              <strong className={isAlarming(event.kind) ? styles.alarmingEvent : undefined}>
                {describeEvent(event.kind)}
                {event.note !== '' && `: ${event.note}`}
              </strong>
              <span>
                {[event.device !== '' && describeDevice(event.device), event.address].filter(Boolean).join(', ')}
              </span>
              <span className={styles.time}>
                <RelativeTime iso={event.created_at} renderedAt={dataUpdatedAt} />
              </span>
            </li>
          )}
        />
        {events?.length === 0 && <p className={styles.emptyNote}>Nothing has happened yet.</p>}
      </div>
    </Panel>
  )
}

/** The number of rows of a list that are shown at first. */
const ROWS_AT_FIRST = 6

type ExpandableListProps<Item> = {
  items: readonly Item[] | undefined
  hasFailed: boolean
  onRetry: () => void
  renderItem: (item: Item) => ReactNode
}

/** Shows the first rows of a list with a button for all, or its loading or failed state. */
function ExpandableList<Item>({ items, hasFailed, onRetry, renderItem }: ExpandableListProps<Item>) {
  const [isExpanded, setExpanded] = useState(false)
  if (items === undefined) return hasFailed ? <LoadFailure onRetry={onRetry} /> : <Skeleton width="100%" height={60} />
  return (
    <>
      <ul className={styles.lines}>{(isExpanded ? items : items.slice(0, ROWS_AT_FIRST)).map(renderItem)}</ul>
      {items.length > ROWS_AT_FIRST && (
        <div className={styles.foot}>
          <Button tone="quiet" aria-expanded={isExpanded} onClick={() => setExpanded(!isExpanded)}>
            {isExpanded ? 'Show less' : `Show all ${items.length}`}
          </Button>
        </div>
      )}
    </>
  )
}
