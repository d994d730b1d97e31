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
import { CurrencyText } from '#web/ui/currency-names.ts'
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
const HOURS = [4, 24]
/** The number of accounts with a problem that are shown above the whole list. */
const ODD_SHOWN = 10

/** The screen for the game's accounts: their import, the unmatched ones, and balances to take over. */
export function Screen() {
  const accountImport = useCall(getAccountImport, {}, { refetchOnWindowFocus: true, refetchInterval: REFRESH_MS })
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
      <Loaded of={accountImport} height={700}>
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

function Import({ of, may }: { of: AccountImport; may: boolean }) {
  return (
    <Panel title="The import">
      <div className={deskLayout.facts}>
        <Facts
          of={{
            Import:
              of.open_until === null ? (
                <StateBadge tone="off">Closed</StateBadge>
              ) : (
                <>
                  <StateBadge tone="next">Open</StateBadge> closes <When at={of.open_until} show="both" />
                  {of.opened_by !== '' && `, opened by ${of.opened_by}`}
                </>
              ),
            'Moved in': of.imported === 0 ? 'None' : formatCount(of.imported),
            'Have logged in here': of.imported > 0 && formatCount(of.arrived),
            'Last one': of.last_at !== null && <When at={of.last_at} show="both" />,
            'Game staff who are players here':
              of.staff.length > 0 && of.staff.map(({ user_id, user_type }) => `${user_id} (${user_type})`).join(', '),
          }}
        />
      </div>
      <div className={styles.text}>
        <p>
          Players from the game can log in here with their old password once the bridge has moved them in, with{' '}
          <code>import-accounts</code>. That works only while an owner has the import open.
        </p>
        {may && (
          <div className={layout.buttons}>
            {of.open_until === null ? (
              HOURS.map((hours) => (
                <DeskAction
                  key={hours}
                  endpoint={openImport}
                  input={{ hours }}
                  label={`Open it for ${hours} hours…`}
                  tone="secondary"
                  ask={{
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
                ask={{
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

const STATES = { creating: 'Waiting', linked: 'Refused', taken: 'Unmatched', gone: 'Gone' } as const

function Accounts({ of: { accounts, odd }, may }: { of: AccountImport; may: boolean }) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? odd : odd.slice(0, ODD_SHOWN)
  return (
    <Panel title="Accounts in the game">
      <div className={deskLayout.facts}>
        <Facts
          of={{
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
          {shown.map((row) => (
            <li key={row.user_num}>
              <p className={text.breaks}>
                <StateBadge tone="next">{STATES[row.state]}</StateBadge>{' '}
                <Link to={`/admin/players/${row.user_num}`}>{row.user_id}</Link>, <When at={row.at} />
              </p>
              <p className={styles.advice}>
                {row.why}
                {row.state === 'taken' && !row.moved_in && ' That account has not been moved in yet.'}
                {row.detail !== '' && ` ${row.detail}`}
              </p>
              {may && row.retries && (
                <div className={styles.decide}>
                  <DeskAction
                    endpoint={retryAccount}
                    input={{ user_num: row.user_num }}
                    label="Try now"
                    tone="secondary"
                  />
                </div>
              )}
              {may && row.found_user_id !== '' && (
                <div className={styles.decide}>
                  <Settle row={row} isSame />
                  <Settle row={row} isSame={false} />
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
    </Panel>
  )
}

/** Decides who owns an account after its ID in the game has changed. */
function Settle({ row, isSame }: { row: AccountImport['odd'][number]; isSame: boolean }) {
  const { user_num, user_id, found_user_id, game_user_id } = row
  return (
    <DeskAction
      endpoint={settleRenamed}
      input={{ user_num, found_user_id, is_same: isSame }}
      label={isSame ? 'Still this player’s…' : 'Someone else’s…'}
      tone="secondary"
      ask={{
        title: isSame ? `Is ${found_user_id} still this player’s?` : `Unlink ${found_user_id}?`,
        action: isSame ? 'Keep the link' : 'End the link',
        tone: isSame ? 'primary' : 'danger',
        text: `${user_id} was linked with ${game_user_id} in the game, which is ${found_user_id} now. ${
          isSame
            ? 'Passwords, blocks and items go to it from now on.'
            : 'Its characters leave this player, who gets a new account in the game at the next login.'
        }`,
        reason: 'required',
      }}
    />
  )
}

/** Formats the number of balances and their sum: '4 balances, 6,649 R-Coin in all'. */
const balances = ({ count: of, sum }: { count: number; sum: number }) =>
  of === 0 ? 'None' : <CurrencyText>{`${formatPlural(of, 'balance')}, ${formatCount(sum)} R-Coin in all`}</CurrencyText>

function Balances({ of, may }: { of: AccountImport['balances']; may: boolean }) {
  const { seen, highest, odd, approved, taken, booked } = of
  return (
    <Panel title="Balances of the game">
      <div className={deskLayout.facts}>
        <Facts
          of={{
            'To take over': balances(seen),
            'The highest':
              highest.length > 0 &&
              highest.slice(0, 10).map(({ user_id, amount }) => (
                <span key={user_id} className={styles.high}>
                  {user_id} {formatCount(amount)}
                </span>
              )),
            'Approved, with the bridge': approved > 0 && formatCount(approved),
            'Taken out of the game': taken.count > 0 && balances(taken),
            'Credited to players who have moved': taken.count > 0 && balances(booked),
          }}
        />
      </div>
      {odd.length > 0 && (
        <ul className={deskLayout.rows}>
          {odd.map((row) => (
            <li key={row.game_user_num}>
              <p className={text.breaks}>
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
            <DeskAction
              endpoint={approveBalances}
              input={{ count: seen.count, sum: seen.sum }}
              label={`Take ${formatPlural(seen.count, 'balance')} over…`}
              ask={{
                title: 'Take the balances over?',
                action: 'Take them over',
                text: `${balances(seen)}. The bridge sets each of them to 0 in the game, and the site credits it here, once. If there is another operator, they have to approve this first.`,
                reason: 'required',
              }}
            />
          </div>
        </div>
      )}
    </Panel>
  )
}
