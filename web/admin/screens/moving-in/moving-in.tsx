import { useState } from 'react'
import { approveBalances, closeImport, getMovingIn, openImport, settleRenamed } from '#contract/desk-moving-in.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { formatCount } from '#contract/numbers.ts'
import { useCall } from '#web/api/queries.ts'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { Fact, Facts, StateBadge, When } from '../../kit/facts.tsx'
import looks from '../../kit/looks.module.css'
import { Loaded, ScreenHead } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import styles from './moving-in.module.css'

type MovingIn = CallOutput<typeof getMovingIn>

const REFRESH_MS = 10_000
const HOURS = [4, 24]
/** Accounts that ask for somebody, before the whole list is asked for. */
const ODD_SHOWN = 10

/** Accounts of the game: the import, what did not match, and balances to take over. */
export function Screen() {
  const movingIn = useCall(getMovingIn, {}, { refetchOnWindowFocus: true, refetchInterval: REFRESH_MS })
  const may = useMay()('game.write')
  return (
    <>
      <ScreenHead
        title="Moving in"
        line={
          <>
            Players from the game move here with their old password. Accounts that don’t match automatically wait for
            you to decide. The bridge is on the <Link to="/admin/game">Game</Link> page.
          </>
        }
      />
      <Loaded of={movingIn} height={700}>
        {(value) => (
          <div className={layout.panels}>
            {!value.has_bridge && (
              <Panel title="No bridge yet">
                <div className={styles.text}>
                  <p>
                    Accounts reach the game, and players from the game can move here, once a bridge is paired on the{' '}
                    <Link to="/admin/game">Game</Link> page.
                  </p>
                </div>
              </Panel>
            )}
            <Import of={value} may={may} />
            {(value.balances.seen.count > 0 || value.balances.odd.length > 0 || value.balances.taken.count > 0) && (
              <Balances of={value.balances} may={may} />
            )}
            <Accounts of={value} may={may} />
          </div>
        )}
      </Loaded>
    </>
  )
}

function Import({ of, may }: { of: MovingIn; may: boolean }) {
  const [hours, setHours] = useState<number | null>(null)
  const [isClosing, setClosing] = useState(false)
  const isOpen = of.open_until !== null
  return (
    <Panel title="The import">
      <div className={looks.facts}>
        <Facts>
          <Fact name="Import">
            {isOpen ? (
              <>
                <StateBadge tone="next">Open</StateBadge> closes <When at={of.open_until} show="both" />
                {of.opened_by !== '' && `, opened by ${of.opened_by}`}
              </>
            ) : (
              <StateBadge tone="off">Closed</StateBadge>
            )}
          </Fact>
          <Fact name="Moved in">{of.imported === 0 ? 'None' : formatCount(of.imported)}</Fact>
          {of.imported > 0 && <Fact name="Have logged in here">{formatCount(of.arrived)}</Fact>}
          {of.last_at !== null && (
            <Fact name="Last one">
              <When at={of.last_at} show="both" />
            </Fact>
          )}
          {of.staff.length > 0 && (
            <Fact name="Game staff who are players here">
              {of.staff.map(({ user_id, user_type }) => `${user_id} (${user_type})`).join(', ')}
            </Fact>
          )}
        </Facts>
      </div>
      <div className={styles.text}>
        <p>
          Players from the game can log in here with their old password once the bridge has moved them in, with{' '}
          <code>import-accounts</code>. That works only while an owner has the import open.
        </p>
        {may && (
          <div className={layout.buttons}>
            {isOpen ? (
              <Button tone="secondary" onClick={() => setClosing(true)}>
                Close the import…
              </Button>
            ) : (
              HOURS.map((one) => (
                <Button key={one} tone="secondary" onClick={() => setHours(one)}>
                  Open it for {one} hours…
                </Button>
              ))
            )}
          </div>
        )}
      </div>
      <ConfirmDialog
        open={hours !== null}
        onClose={() => setHours(null)}
        title="Open the import?"
        action={`Open it for ${hours ?? HOURS[0]} hours`}
        reason="required"
        endpoint={openImport}
        input={(reason) => ({ hours: hours ?? HOURS[0] ?? 4, reason })}
        done={({ message }) => message}
      >
        <p>
          For {hours ?? HOURS[0]} hours the bridge can move in accounts from the game. Each becomes a player, including
          the game’s staff; accounts that are already here are not changed.
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        open={isClosing}
        onClose={() => setClosing(false)}
        title="Close the import?"
        action="Close it"
        reason="required"
        endpoint={closeImport}
        input={(reason) => ({ reason })}
        done={({ message }) => message}
      >
        <p>Players who have moved in stay. You can open the import again at any time.</p>
      </ConfirmDialog>
    </Panel>
  )
}

const STATES = { creating: 'Waiting', linked: 'Refused', taken: 'Unmatched', gone: 'Gone' } as const

function Accounts({ of: { accounts, odd }, may }: { of: MovingIn; may: boolean }) {
  const [isWhole, setWhole] = useState(false)
  const [asked, setAsked] = useState<{ row: MovingIn['odd'][number]; isSame: boolean } | null>(null)
  const shown = isWhole ? odd : odd.slice(0, ODD_SHOWN)
  return (
    <Panel title="Accounts in the game">
      <div className={looks.facts}>
        <Facts>
          <Fact name="Linked with players here">{formatCount(accounts.linked)}</Fact>
          <Fact name="Waiting for the bridge">{formatCount(accounts.creating)}</Fact>
          <Fact name="Unmatched: the ID exists in the game">{formatCount(accounts.taken)}</Fact>
          {accounts.gone > 0 && <Fact name="Gone from the game">{formatCount(accounts.gone)}</Fact>}
          {accounts.problems > 0 && <Fact name="Refused by the game">{formatCount(accounts.problems)}</Fact>}
        </Facts>
      </div>
      {odd.length > 0 && (
        <ul className={looks.rows}>
          {shown.map((row) => (
            <li key={row.user_num}>
              <p className={styles.what}>
                <StateBadge tone="next">{STATES[row.state]}</StateBadge>{' '}
                <Link to={`/admin/players/${row.user_num}`}>{row.user_id}</Link>, <When at={row.at} />
              </p>
              <p className={styles.advice}>
                {row.why}
                {row.state === 'taken' && !row.moved_in && ' That account has not been moved in yet.'}
                {row.detail !== '' && ` ${row.detail}`}
              </p>
              {may && row.found_user_id !== '' && (
                <div className={styles.decide}>
                  <Button tone="secondary" onClick={() => setAsked({ row, isSame: true })}>
                    Still this player’s…
                  </Button>
                  <Button tone="secondary" onClick={() => setAsked({ row, isSame: false })}>
                    Someone else’s…
                  </Button>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {shown.length < odd.length && (
        <div className={styles.text}>
          <div className={layout.buttons}>
            <Button tone="secondary" onClick={() => setWhole(true)}>
              Show {formatCount(odd.length - shown.length)} more
            </Button>
          </div>
        </div>
      )}
      {asked !== null && (
        <ConfirmDialog
          open
          onClose={() => setAsked(null)}
          title={
            asked.isSame ? `Is ${asked.row.found_user_id} still this player’s?` : `Unlink ${asked.row.found_user_id}?`
          }
          action={asked.isSame ? 'Keep the link' : 'End the link'}
          tone={asked.isSame ? 'primary' : 'danger'}
          reason="required"
          endpoint={settleRenamed}
          input={(reason) => ({
            user_num: asked.row.user_num,
            found_user_id: asked.row.found_user_id,
            is_same: asked.isSame,
            reason,
          })}
          done={({ message }) => message}
        >
          <p>
            {asked.row.user_id} was linked with {asked.row.game_user_id} in the game, which is {asked.row.found_user_id}{' '}
            now.{' '}
            {asked.isSame
              ? 'Passwords, blocks and items go to it from now on.'
              : 'Its characters leave this player, who gets a new account in the game at the next login.'}
          </p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

/** '4 balances, 6,649 R-Coin in all'. */
const balances = ({ count: of, sum }: { count: number; sum: number }) =>
  of === 0 ? 'None' : `${of === 1 ? '1 balance' : `${formatCount(of)} balances`}, ${formatCount(sum)} R-Coin in all`

function Balances({ of, may }: { of: MovingIn['balances']; may: boolean }) {
  const [isAsking, setAsking] = useState(false)
  const { seen, highest, odd, approved, taken, booked } = of
  return (
    <Panel title="Balances of the game">
      <div className={looks.facts}>
        <Facts>
          <Fact name="To take over">{balances(seen)}</Fact>
          {highest.length > 0 && (
            <Fact name="The highest">
              {highest.slice(0, 10).map(({ user_id, amount }) => (
                <span key={user_id} className={styles.high}>
                  {user_id} {formatCount(amount)}
                </span>
              ))}
            </Fact>
          )}
          {approved > 0 && <Fact name="Approved, with the bridge">{formatCount(approved)}</Fact>}
          {taken.count > 0 && <Fact name="Taken out of the game">{balances(taken)}</Fact>}
          {taken.count > 0 && <Fact name="Credited to players who have moved">{balances(booked)}</Fact>}
        </Facts>
      </div>
      {odd.length > 0 && (
        <ul className={looks.rows}>
          {odd.map((row) => (
            <li key={row.game_user_num}>
              <p className={styles.what}>
                {row.user_id} ({row.game_user_num}): {formatCount(row.amount)}
              </p>
              <p className={styles.advice}>{row.why}. It stays in the game.</p>
            </li>
          ))}
        </ul>
      )}
      {may && seen.count > 0 && (
        <div className={styles.text}>
          <div className={layout.buttons}>
            <Button onClick={() => setAsking(true)}>
              Take {seen.count === 1 ? '1 balance' : `${formatCount(seen.count)} balances`} over…
            </Button>
          </div>
        </div>
      )}
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Take the balances over?"
        action="Ask a colleague to approve it"
        reason="required"
        endpoint={approveBalances}
        input={(reason) => ({ count: seen.count, sum: seen.sum, reason })}
        done={({ message }) => message}
      >
        <p>
          {balances(seen)}. When another operator has approved it, the bridge sets each of them to 0 in the game, and
          the site credits it here, once.
        </p>
      </ConfirmDialog>
    </Panel>
  )
}
