import { useState } from 'react'
import {
  approveBalances,
  closeImport,
  getAccountImport,
  openImport,
  retryAccount,
  settleRenamed,
} from '#contract/desk-account-import.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { formatCount, formatPlural } from '#contract/numbers.ts'
import { useCall } from '#web/api/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { useCurrencyText } from '#web/ui/currency-names.ts'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import text from '#web/ui/text.module.css'
import { DeskAction } from '../../kit/action.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { Facts, StateBadge, When } from '../../kit/facts.tsx'
import { Loaded, ScreenHead } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import styles from './account-import.module.css'

type AccountImport = CallOutput<typeof getAccountImport>

const REFRESH_MS = 10_000
const OPEN_HOURS = [4, 24]
/** The number of accounts with a problem that are shown before the operator opens the whole list. */
const PROBLEMS_SHOWN_MAX = 10

/** The screen for the game's accounts: their import, the unmatched ones, and balances to take over. */
export function Screen() {
  const accountImport = useCall(getAccountImport, {}, { refetchOnWindowFocus: true, refetchInterval: REFRESH_MS })
  const mayWrite = useMay()('game.write')
  return (
    <>
      <ScreenHead
        title="Account import"
        line={
          <>
            Players from the game move here with their old password. Accounts that don’t match automatically wait for
            you to decide. The bridge is on the <Link to="/admin/game">Game</Link> page.
          </>
        }
      />
      <Loaded result={accountImport} height={700}>
        {(value) => (
          <div className={layout.panels}>
            {!value.has_bridge && (
              <Panel title="No bridge yet">
                <div className={styles.text}>
                  <p>
                    Pair a bridge on the <Link to="/admin/game">Game</Link> page first. Then new accounts reach the
                    game, and players from the game can move here.
                  </p>
                </div>
              </Panel>
            )}
            <Import accountImport={value} mayWrite={mayWrite} />
            {(value.balances.seen.count > 0 || value.balances.odd.length > 0 || value.balances.taken.count > 0) && (
              <Balances balances={value.balances} mayWrite={mayWrite} />
            )}
            <Accounts accountImport={value} mayWrite={mayWrite} />
          </div>
        )}
      </Loaded>
    </>
  )
}

function Import({ accountImport, mayWrite }: { accountImport: AccountImport; mayWrite: boolean }) {
  return (
    <Panel title="The import">
      <div className={deskLayout.facts}>
        <Facts
          facts={{
            Import:
              accountImport.open_until === null ? (
                <StateBadge tone="off">Closed</StateBadge>
              ) : (
                <>
                  <StateBadge tone="attention">Open</StateBadge> closes{' '}
                  <When at={accountImport.open_until} show="both" />
                  {accountImport.opened_by !== '' && `, opened by ${accountImport.opened_by}`}
                </>
              ),
            'Moved in': accountImport.imported === 0 ? 'None' : formatCount(accountImport.imported),
            'Have logged in here': accountImport.imported > 0 && formatCount(accountImport.arrived),
            'Last import': accountImport.last_at !== null && <When at={accountImport.last_at} show="both" />,
            'Game staff who are players here':
              accountImport.staff.length > 0 &&
              accountImport.staff.map(({ user_id, user_type }) => `${user_id} (user type ${user_type})`).join(', '),
          }}
        />
      </div>
      <div className={styles.text}>
        <p>
          Players from the game can log in here with their old password after the bridge has moved them in with{' '}
          <code>import-accounts</code>. The bridge can do that only while the import is open.
        </p>
        {mayWrite && (
          <div className={layout.buttons}>
            {accountImport.open_until === null ? (
              OPEN_HOURS.map((hours) => (
                <DeskAction
                  key={hours}
                  endpoint={openImport}
                  input={{ hours }}
                  label={`Open it for ${hours} hours…`}
                  tone="secondary"
                  confirmation={{
                    title: 'Open the import?',
                    text: `For ${hours} hours the bridge can move in accounts from the game. Each becomes a player, including the game’s staff; accounts that are already here are not changed.`,
                    reason: 'required',
                  }}
                />
              ))
            ) : (
              <DeskAction
                endpoint={closeImport}
                input={{}}
                label="Close the import…"
                tone="secondary"
                confirmation={{
                  title: 'Close the import?',
                  action: 'Close it',
                  text: 'Players who have moved in stay. You can open the import again at any time.',
                  reason: 'required',
                }}
              />
            )}
          </div>
        )}
      </div>
    </Panel>
  )
}

/** The problems by state. A linked account is only listed if the game refused it. */
const PROBLEM_LABELS = { creating: 'Waiting', linked: 'Refused', taken: 'Unmatched', gone: 'Gone' } as const

function Accounts({ accountImport: { accounts, odd }, mayWrite }: { accountImport: AccountImport; mayWrite: boolean }) {
  const [showsAll, setShowsAll] = useState(false)
  const shownRows = showsAll ? odd : odd.slice(0, PROBLEMS_SHOWN_MAX)
  return (
    <Panel title="Accounts in the game">
      <div className={deskLayout.facts}>
        <Facts
          facts={{
            'Linked with players here': formatCount(accounts.linked),
            'Waiting for the bridge': formatCount(accounts.creating),
            'Unmatched: the ID exists in the game': formatCount(accounts.taken),
            'Gone from the game': accounts.gone > 0 && formatCount(accounts.gone),
            'Refused by the game': accounts.problems > 0 && formatCount(accounts.problems),
          }}
        />
      </div>
      {odd.length > 0 && (
        <ul className={deskLayout.rows}>
          {shownRows.map((row) => (
            <li key={row.user_num}>
              <p className={text.breaks}>
                <StateBadge tone="attention">{PROBLEM_LABELS[row.state]}</StateBadge>{' '}
                <Link to={`/admin/players/${row.user_num}`}>{row.user_id}</Link>, <When at={row.at} />
              </p>
              <p className={styles.advice}>
                {row.why}
                {row.state === 'taken' && !row.moved_in && ' That account has not been moved in yet.'}
                {row.detail !== '' && ` ${row.detail}`}
              </p>
              {mayWrite && row.retries && (
                <div className={styles.decision}>
                  <DeskAction
                    endpoint={retryAccount}
                    input={{ user_num: row.user_num }}
                    label="Try now"
                    tone="secondary"
                  />
                </div>
              )}
              {mayWrite && row.found_user_id !== '' && (
                <div className={styles.decision}>
                  <SettleButton row={row} isSame />
                  <SettleButton row={row} isSame={false} />
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {shownRows.length < odd.length && (
        <div className={styles.text}>
          <div className={layout.buttons}>
            <Button tone="secondary" onClick={() => setShowsAll(true)}>
              Show {formatCount(odd.length - shownRows.length)} more
            </Button>
          </div>
        </div>
      )}
    </Panel>
  )
}

/** Decides who owns an account after its ID in the game has changed. */
function SettleButton({ row, isSame }: { row: AccountImport['odd'][number]; isSame: boolean }) {
  const { user_num, user_id, found_user_id, game_user_id } = row
  return (
    <DeskAction
      endpoint={settleRenamed}
      input={{ user_num, found_user_id, is_same: isSame }}
      label={isSame ? 'Still this player’s…' : 'Someone else’s…'}
      tone="secondary"
      confirmation={{
        title: isSame ? `Does ${found_user_id} still belong to this player?` : `Unlink ${found_user_id}?`,
        action: isSame ? 'Keep the link' : 'End the link',
        tone: isSame ? 'primary' : 'danger',
        text: `${user_id} was linked with ${game_user_id} in the game, which is ${found_user_id} now. ${
          isSame
            ? `Passwords, blocks and items go to ${found_user_id} from now on.`
            : `The characters of ${found_user_id} leave this player, who gets a new account in the game at the next login.`
        }`,
        reason: 'required',
      }}
    />
  )
}

/** Formats the number of balances and their sum: '4 balances, 6,649 R-Coin in all'. */
const formatBalances = ({ count, sum }: { count: number; sum: number }) =>
  count === 0 ? 'None' : `${formatPlural(count, 'balance')}, ${formatCount(sum)} R-Coin in all`

function Balances({ balances, mayWrite }: { balances: AccountImport['balances']; mayWrite: boolean }) {
  const renameCurrencies = useCurrencyText()
  const { seen, highest, odd, approved, taken, booked } = balances
  return (
    <Panel title="Balances of the game">
      <div className={deskLayout.facts}>
        <Facts
          facts={{
            'To take over': renameCurrencies(formatBalances(seen)),
            'Highest balances':
              highest.length > 0 &&
              highest.slice(0, 10).map(({ user_id, amount }) => (
                <span key={user_id} className={styles.balance}>
                  {user_id} {formatCount(amount)}
                </span>
              )),
            'Approved, waiting for the bridge': approved > 0 && formatCount(approved),
            'Taken out of the game': taken.count > 0 && renameCurrencies(formatBalances(taken)),
            'Credited to players who have moved': taken.count > 0 && renameCurrencies(formatBalances(booked)),
          }}
        />
      </div>
      {odd.length > 0 && (
        <ul className={deskLayout.rows}>
          {odd.map((row) => (
            <li key={row.game_user_num}>
              <p className={text.breaks}>
                {row.user_id} (No. {row.game_user_num}): {renameCurrencies(`${formatCount(row.amount)} R-Coin`)}
              </p>
              <p className={styles.advice}>{row.why}. It stays in the game.</p>
            </li>
          ))}
        </ul>
      )}
      {mayWrite && seen.count > 0 && (
        <div className={styles.text}>
          <div className={layout.buttons}>
            <DeskAction
              endpoint={approveBalances}
              input={{ count: seen.count, sum: seen.sum }}
              label={`Take ${formatPlural(seen.count, 'balance')} over…`}
              confirmation={{
                title: 'Take the balances over?',
                action: 'Take them over',
                text: `${renameCurrencies(formatBalances(seen))}. The bridge sets each balance to 0 in the game, and the site credits the same amount to the player. If there is another operator, they have to approve this first.`,
                reason: 'required',
              }}
            />
          </div>
        </div>
      )}
    </Panel>
  )
}
