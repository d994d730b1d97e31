import { useState } from 'react'
import { GAME_DATABASE_NAMES } from '#contract/bridge.ts'
import { PASSWORD_FORM_NAMES, type PasswordForm } from '#contract/bridge-sealing.ts'
import {
  BRIDGE_PRESETS,
  BRIDGE_SYSTEMS,
  type BridgePreset,
  type BridgeSystem,
  closeUnknown,
  confirmRestore,
  downloadBridge,
  getGame,
  makeBridgeCode,
  reportRestart,
  requestCheck,
  restartFields,
  revokeBridge,
} from '#contract/desk-game.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { formatCount, formatPlural } from '#contract/numbers.ts'
import { useCall } from '#web/api/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy.tsx'
import { CurrencyText } from '#web/ui/currency-names.ts'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import text from '#web/ui/text.module.css'
import { DeskAction } from '../../kit/action.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { Facts, StateBadge, type Tone, When } from '../../kit/facts.tsx'
import { Loaded, ScreenHead } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import { Characters, PlayersOnline } from './characters.tsx'
import styles from './game.module.css'

type Game = CallOutput<typeof getGame>
type Bridge = Game['bridges'][number]
type Code = CallOutput<typeof makeBridgeCode>

const REFRESH_MS = 10_000

/** The screen for the bridge: its state, the progress of deliveries, and decisions for an operator. */
export function Screen() {
  const game = useCall(getGame, {}, { refetchOnWindowFocus: true, refetchInterval: REFRESH_MS })
  const mayWrite = useMay()('game.write')
  const [code, setCode] = useState<Code | null>(null)
  return (
    <>
      <ScreenHead
        title="Game"
        line={
          <>
            The bridge delivers what players buy to the game, and brings the game’s characters here. It runs next to the
            game’s database and contacts this site on its own. Accounts are on the{' '}
            <Link to="/admin/account-import">Account import</Link> page.
          </>
        }
        actions={
          mayWrite && (
            <PairButton
              bridges={(game.data?.bridges ?? []).filter(({ state }) => state !== 'revoked')}
              onCode={setCode}
            />
          )
        }
      />
      <Loaded result={game} height={700}>
        {(value) => (
          <div className={layout.panels}>
            {value.restore !== null && <RestorePanel restore={value.restore} mayWrite={mayWrite} />}
            {value.doubled.units + value.doubled.balances > 0 && <DoubledUnits doubled={value.doubled} />}
            {value.unknown !== null && <UnknownUnits unknown={value.unknown} mayWrite={mayWrite} />}
            {value.bridges.length === 0 ? (
              <Panel title="No bridge yet">
                <p className={styles.note}>
                  Purchases wait here until a bridge is paired. Refunds work as usual: a unit that no bridge has taken
                  is paid back right away. Install the bridge next to the game’s database, then pair it with a code.
                </p>
              </Panel>
            ) : (
              value.bridges.map((bridge) => <BridgePanel key={bridge.bridge} bridge={bridge} mayWrite={mayWrite} />)
            )}
            <Panel title="Deliveries">
              <div className={deskLayout.facts}>
                <Deliveries deliveries={value.deliveries} hasBridge={value.bridges.length > 0} />
              </div>
              {Object.keys(value.identity).length > 0 && (
                <p className={styles.note}>
                  The database of purchases is recognised by{' '}
                  {Object.entries(value.identity)
                    .map(([name, value]) => `${name} ${value}`)
                    .join(', ')}
                  . If one of these changes, deliveries stop until an owner confirms it.
                </p>
              )}
            </Panel>
            {(value.logins.can_free || value.logins.restart !== null) && (
              <StuckLogins logins={value.logins} mayWrite={mayWrite} />
            )}
            <BridgeDownload />
            {value.online !== null && <PlayersOnline {...value.online} />}
            {value.sync !== null && <Characters sync={value.sync} />}
          </div>
        )}
      </Loaded>
      <PairingDialog code={code} onClose={() => setCode(null)} />
    </>
  )
}

const STATE_BADGES: Record<Bridge['state'], { label: string; tone: Tone }> = {
  working: { label: 'Working', tone: 'good' },
  refused: { label: 'Refused', tone: 'bad' },
  away: { label: 'Offline', tone: 'bad' },
  waiting: { label: 'On standby', tone: 'attention' },
  revoked: { label: 'Revoked', tone: 'off' },
}

const PRESET_NAMES: Record<string, string> = {
  'ran-mssql': 'SQL Server',
  'ran-mariadb': 'MariaDB',
  'ran-postgres': 'PostgreSQL',
}

const LEVEL_BADGES: Record<Bridge['findings'][number]['level'], { label: string; tone: Tone }> = {
  problem: { label: 'To do', tone: 'bad' },
  note: { label: 'Note', tone: 'attention' },
  good: { label: 'Good', tone: 'good' },
}

function BridgePanel({ bridge, mayWrite }: { bridge: Bridge; mayWrite: boolean }) {
  const hasStarted = bridge.seen_at !== null || bridge.state !== 'waiting'
  const state = hasStarted ? STATE_BADGES[bridge.state] : ({ label: 'Not started yet', tone: 'attention' } as const)
  const isRevoked = bridge.state === 'revoked'
  const seconds = Math.abs(bridge.clock_off_ms / 1000)
  return (
    <Panel
      title={`${bridge.name}, bridge ${bridge.bridge}`}
      actions={
        mayWrite &&
        !isRevoked && (
          <DeskAction
            endpoint={revokeBridge}
            input={{ bridge: bridge.bridge }}
            label="Revoke…"
            tone="danger"
            confirmation={{
              title: `Revoke ${bridge.name}?`,
              action: 'Revoke it',
              text: 'From now on the site refuses everything this bridge sends. Units that it received but has not reported go to the next bridge of the same game. This can’t be undone; to use the machine again, pair it again.',
              reason: 'required',
            }}
          />
        )
      }
    >
      <div className={deskLayout.facts}>
        <Facts
          facts={{
            State: <StateBadge tone={state.tone}>{state.label}</StateBadge>,
            'Last seen': <When at={bridge.seen_at} show="both" />,
            Paired: <When at={bridge.paired_at} />,
            'Passwords in the game': bridge.password_form && PASSWORD_FORM_NAMES[bridge.password_form].name,
            Revoked: isRevoked && <When at={bridge.revoked_at} />,
            ...(!isRevoked &&
              bridge.version !== '' && {
                'Game database': PRESET_NAMES[bridge.preset] ?? bridge.preset,
                Clock:
                  seconds < 1 ? 'Correct' : `${seconds.toFixed(0)} s ${bridge.clock_off_ms > 0 ? 'ahead' : 'behind'}`,
                Version: `${bridge.version} on ${bridge.system}`,
              }),
          }}
        />
      </div>
      {!isRevoked && bridge.refusal !== '' && (
        <p className={styles.problem} role="alert">
          Refused{bridge.refusals > 1 && ` ${formatCount(bridge.refusals)} times`}, last <When at={bridge.refused_at} />
          : {bridge.refusal}
        </p>
      )}
      {!isRevoked && bridge.problem !== '' && (
        <p className={styles.problem} role="alert">
          {bridge.problem}
        </p>
      )}
      {!isRevoked && bridge.findings.length > 0 && <Findings bridge={bridge} mayWrite={mayWrite} />}
    </Panel>
  )
}

type Finding = Bridge['findings'][number]
const compareFindings = (a: Finding, b: Finding) => Number(b.level === 'problem') - Number(a.level === 'problem')

/** Lists the findings of the last check: problems, then notes, then the good findings in one paragraph. */
function Findings({
  bridge: { bridge, state, findings, checked_at },
  mayWrite,
}: {
  bridge: Bridge
  mayWrite: boolean
}) {
  const openFindings = findings.filter(({ level }) => level !== 'good')
  const goodFindings = findings.filter(({ level }) => level === 'good')
  const problemCount = findings.filter(({ level }) => level === 'problem').length
  return (
    <details className={styles.findings} open={problemCount > 0}>
      <summary>
        {problemCount === 0
          ? 'The check found no problem'
          : `The check found ${problemCount === 1 ? '1 problem' : `${problemCount} problems`}`}
        {', '}
        <When at={checked_at} />
      </summary>
      <ul className={deskLayout.rows}>
        {openFindings.toSorted(compareFindings).map(({ level, what, advice }) => (
          <li key={what}>
            <p className={text.breaks}>
              <StateBadge tone={LEVEL_BADGES[level].tone}>{LEVEL_BADGES[level].label}</StateBadge> {what}
            </p>
            {advice !== '' && <p className={styles.advice}>{advice}</p>}
          </li>
        ))}
        {goodFindings.length > 0 && (
          <li>
            <p className={styles.advice}>{goodFindings.map(({ what }) => what).join(' ')}</p>
          </li>
        )}
        {mayWrite && state === 'working' && (
          <li>
            <DeskAction endpoint={requestCheck} input={{ bridge }} label="Check again" tone="secondary" />
          </li>
        )}
      </ul>
    </details>
  )
}

function UnitCount({ units, more = false, to }: { units: number; more?: boolean; to?: string }) {
  if (units === 0) return 'None'
  const label = `${formatCount(units)}${more ? '+' : ''}`
  return to === undefined ? label : <Link to={to}>{label}</Link>
}

const ODD_ORDERS = '/admin/orders?stage=odd'
const LOST_ORDERS = '/admin/orders?stage=lost'

function Deliveries({ deliveries: counts, hasBridge }: { deliveries: Game['deliveries']; hasBridge: boolean }) {
  return (
    <Facts
      facts={{
        Waiting: (
          <>
            <UnitCount units={counts.waiting} more={counts.more} to="/admin/orders?stage=waiting" />
            {counts.oldest_at !== null && (
              <>
                , the first since <When at={counts.oldest_at} show="date" />
              </>
            )}
          </>
        ),
        'For players without a game account': hasBridge && counts.unlinked > 0 && (
          <UnitCount units={counts.unlinked} more={counts.more} />
        ),
        'With the bridge': <UnitCount units={counts.handed} to="/admin/orders?stage=handed" />,
        Failed: <UnitCount units={counts.failed} to="/admin/orders?stage=failed" />,
        'Refunds that wait for the bridge': (
          <UnitCount units={counts.refund_requested} to="/admin/orders?stage=refund_requested" />
        ),
        'In item banks': <UnitCount units={counts.delivered} more={counts.more} to="/admin/orders?stage=delivered" />,
        'Cancelled in the game': counts.cancelled > 0 && <UnitCount units={counts.cancelled} to={ODD_ORDERS} />,
        'Unknown: their rows were deleted': counts.gone > 0 && <UnitCount units={counts.gone} to={ODD_ORDERS} />,
        'Claimed despite a refund': counts.taken > 0 && <UnitCount units={counts.taken} to={ODD_ORDERS} />,
        'Possibly claimed twice': counts.twice > 0 && <UnitCount units={counts.twice} to={ODD_ORDERS} />,
        'Lost in a restore': counts.lost > 0 && <UnitCount units={counts.lost} to={LOST_ORDERS} />,
      }}
    />
  )
}

type RestoreState = NonNullable<Game['restore']>

/** The work that waits, by database, until a restore is confirmed. */
const WAITING_WORK = {
  shop: 'Nothing is delivered or refunded until you confirm this.',
  user: 'Passwords, blocks and balances do not reach the game until you confirm this.',
  game: 'No service changes a character until you confirm this.',
}

/** Shows that a database of the game is older than expected. An owner has to confirm that it was restored. */
function RestorePanel({ restore, mayWrite }: { restore: RestoreState; mayWrite: boolean }) {
  const repeatText = describeRepeats(restore)
  const hasChoice = repeatText !== '' || restore.again > 0
  return (
    <Panel
      title={restore.what.length > 1 ? 'Databases of the game were restored' : 'A database of the game was restored'}
    >
      <div className={`${deskLayout.list} ${styles.restore}`}>
        {restore.what.map((copy) => (
          <p key={copy.place}>
            <strong>{GAME_DATABASE_NAMES[copy.place]}</strong>: <When at={copy.since} /> the bridge found an older copy,
            or a different one.{' '}
            {copy.as_of !== null && (
              <>
                The copy is from about <When at={copy.as_of} show="both" />.{' '}
              </>
            )}
            {WAITING_WORK[copy.place]}
          </p>
        ))}
        {restore.confirmed && <p>You have confirmed it. The bridge will continue in a moment.</p>}
        {!restore.looked && <p role="status">The bridge is checking what was lost …</p>}
        {restore.looked && !restore.confirmed && (
          <>
            <RestoreFindings restore={restore} />
            {mayWrite && (
              <div className={layout.buttons}>
                {hasChoice && (
                  <ConfirmRestoreButton
                    restore={restore}
                    offersAgain
                    label={
                      repeatText === ''
                        ? 'Continue and leave the units in the item banks…'
                        : `Continue and ${repeatText} again…`
                    }
                  />
                )}
                <ConfirmRestoreButton
                  restore={restore}
                  label={hasChoice ? 'Continue without them…' : 'Continue…'}
                  tone={hasChoice ? 'secondary' : 'primary'}
                />
              </div>
            )}
          </>
        )}
      </div>
    </Panel>
  )
}

/** Describes the offer after a restore, such as `deliver 3 units and do 1 service`; empty if nothing was lost. */
const describeRepeats = ({ lost, lost_services }: RestoreState) =>
  [
    lost > 0 && `deliver ${formatPlural(lost, 'unit')}`,
    lost_services > 0 && `do ${formatPlural(lost_services, 'service')}`,
  ]
    .filter(Boolean)
    .join(' and ')

type ConfirmRestoreButtonProps = {
  restore: RestoreState
  offersAgain?: boolean
  label: string
  tone?: 'primary' | 'secondary'
}

/** Confirms a restore. If offered, lost units are delivered again. */
function ConfirmRestoreButton({ restore, offersAgain = false, ...button }: ConfirmRestoreButtonProps) {
  const { lost, lost_services, what } = restore
  const repeatText = describeRepeats(restore)
  return (
    <DeskAction
      endpoint={confirmRestore}
      input={{ offer_again: offersAgain }}
      {...button}
      confirmation={{
        title: 'Was the game’s database restored?',
        action: offersAgain && repeatText !== '' ? `Yes, ${repeatText} again` : 'Yes, continue',
        text: (
          <>
            {lost_services > 0 && (
              <p>
                {offersAgain
                  ? 'Lost services will be done again while their characters are logged out. If a character lost several, only the first is done again; the others stay marked as lost, and “Deliver again” under Orders repeats them.'
                  : 'Lost services stay marked as lost. “Deliver again” under Orders repeats them later.'}
              </p>
            )}
            {what.some(({ place }) => place === 'shop') && (
              <p>
                {offersAgain
                  ? `${lost > 0 ? `${formatPlural(lost, 'unit')} that the restore lost will be delivered again, and claimed` : 'Claimed'} units that are in item banks again stay there.`
                  : 'Nothing is delivered a second time, and claimed units that are in item banks again are taken out. Lost units stay marked as lost, and each can be delivered again later.'}
              </p>
            )}
            {what.some(({ place }) => place === 'user') && (
              <p>
                Blocks are set again, each player’s password reaches the game with their next login here, and balances
                that were taken over are removed from the game again. The balances on the site don’t change.
              </p>
            )}
            <p>If the bridge was pointed at the wrong database by mistake, correct its configuration instead.</p>
          </>
        ),
        reason: 'required',
      }}
    />
  )
}

/** Shows the differences between the site's records and the restored databases of the game. */
function RestoreFindings({ restore: { lost, lost_services, back, again, balances, what } }: { restore: RestoreState }) {
  const isRestored = (database: keyof typeof WAITING_WORK) => what.some(({ place }) => place === database)
  return (
    <>
      <Facts
        facts={{
          ...(isRestored('shop') && {
            'Lost units': <UnitCount units={lost} to={LOST_ORDERS} />,
            'Refunded, but in the game again': <UnitCount units={back} to={ODD_ORDERS} />,
            'Claimed, but in item banks again': <UnitCount units={again} to={ODD_ORDERS} />,
          }),
          ...(isRestored('game') && { 'Lost services': <UnitCount units={lost_services} to={LOST_ORDERS} /> }),
          ...(isRestored('user') && {
            'Balances that the site has booked, but in the game again':
              balances.count === 0
                ? 'None'
                : `${formatPlural(balances.count, 'balance')}, ${formatCount(balances.sum)} in all; the bridge will take them out`,
          }),
        }}
      />
      {lost + lost_services + again > 0 && (
        <p>
          If the characters were restored to the same point in time, players lost the items that they had claimed since.
          In that case deliver the items again, and leave the units in the item banks. Otherwise continue without them.
        </p>
      )}
      {back > 0 && (
        <p>After you continue, the bridge takes refunded units out of the game, unless players have picked them up.</p>
      )}
    </>
  )
}

/** Lists purchases after the backup from which the site was restored, if the game has a record of them. */
function UnknownUnits({
  unknown: { count, sum, rows },
  mayWrite,
}: {
  unknown: NonNullable<Game['unknown']>
  mayWrite: boolean
}) {
  return (
    <Panel
      title="In the game, but unknown here"
      actions={
        mayWrite && (
          <DeskAction
            endpoint={closeUnknown}
            input={{}}
            label="Remove the list…"
            tone="secondary"
            confirmation={{
              title: 'Remove this list?',
              action: 'Remove it',
              text: 'Nothing changes in the game.',
              reason: 'required',
            }}
          />
        )
      }
    >
      <p className={styles.note}>
        The site was restored from a backup that is older than these {formatPlural(count, 'unit')}, worth{' '}
        {formatCount(sum)} in all. The players own these units, but their balances here are those of the backup. Decide
        what to do about each player, then remove the list. New units get other numbers.
      </p>
      <ul className={deskLayout.rows}>
        {rows.map((row) => (
          <li key={row.unit}>
            Unit {row.unit}: {row.item_name ?? `product ${row.product_num}`}, price {formatCount(row.price)}, for{' '}
            {row.user_id ?? `account ${row.game_user_num} of the game`}
            {row.claimed && ', claimed'}
          </li>
        ))}
        {count > rows.length && <li>And {formatCount(count - rows.length)} more.</li>}
      </ul>
    </Panel>
  )
}

/** Lists items and balances that players may have twice after a restore, with their value and links. */
function DoubledUnits({ doubled: { units, r_coin, milleage, balances, balances_sum } }: { doubled: Game['doubled'] }) {
  return (
    <Panel title="Twice after a restore">
      <div className={deskLayout.facts}>
        <Facts
          facts={{
            'Items taken although they were refunded, or a second time': units > 0 && (
              <>
                <Link to={ODD_ORDERS}>{formatPlural(units, 'unit')}</Link>, worth {formatCount(r_coin)}{' '}
                <CurrencyText>R-Coin</CurrencyText>
                {milleage > 0 && <CurrencyText>{` and ${formatCount(milleage)} Milleage`}</CurrencyText>}
              </>
            ),
            'Balances that may have been spent in the game too': balances > 0 && (
              <>
                <Link to="/admin/account-import">{formatPlural(balances, 'balance')}</Link>, {formatCount(balances_sum)}{' '}
                in all
              </>
            ),
          }}
        />
      </div>
    </Panel>
  )
}

const SYSTEM_NAMES: Record<BridgeSystem, string> = { windows: 'Windows', linux: 'Linux' }

/** Frees the accounts that a crash of the game server left logged in. */
function StuckLogins({ logins: { can_free, restart }, mayWrite }: { logins: Game['logins']; mayWrite: boolean }) {
  return (
    <Panel title="After a crash of the game server">
      <div className={`${deskLayout.list} ${styles.note}`}>
        <p>
          A game server that crashes leaves its players logged in, and the game then refuses them. Each player can free
          their own account on their account page. If the server has restarted, you can free all accounts at once.
        </p>
        {restart !== null && (
          <p>
            Last reported restart: <When at={restart.restarted_at} show="both" />.{' '}
            {restart.freed === null
              ? 'The bridge has not answered yet.'
              : `${formatPlural(restart.freed, 'account')} freed.`}
          </p>
        )}
        {mayWrite && can_free && (
          <div className={layout.buttons}>
            <DeskAction
              endpoint={reportRestart}
              input={({ minutes_ago }: { minutes_ago: string }) => ({ minutes_ago })}
              label="The game server was restarted…"
              tone="secondary"
              confirmation={{
                title: 'Free all accounts from before the restart?',
                text: 'The bridge marks every player who logged in before the restart as logged out. Staff of the game are left alone.',
                fields: restartFields,
                values: { minutes_ago: '0' },
                action: 'Free these accounts',
              }}
            />
          </div>
        )}
      </div>
    </Panel>
  )
}

function BridgeDownload() {
  const [preset, setPreset] = useState<BridgePreset>('ran-mssql')
  return (
    <Panel title="Get the bridge">
      <div className={`${deskLayout.list} ${styles.note}`}>
        <p>
          A zip file with the program, a configuration that has this site’s address, and scripts that install it as a
          service. README.txt in it explains the steps. The game’s machine needs Node.js 22 or newer, from nodejs.org.
        </p>
        <fieldset className={styles.forms}>
          <legend>Which database does the game have?</legend>
          {BRIDGE_PRESETS.map((name) => (
            <label key={name} className={styles.form}>
              <input type="radio" name="preset" checked={name === preset} onChange={() => setPreset(name)} />
              <span>{PRESET_NAMES[name]}</span>
            </label>
          ))}
        </fieldset>
        <div className={layout.buttons}>
          {BRIDGE_SYSTEMS.map((system) => (
            <DeskAction
              key={system}
              endpoint={downloadBridge}
              input={{ system, preset }}
              label={`Download for ${SYSTEM_NAMES[system]}`}
              tone="secondary"
              onDone={(file) => saveFile(file, `bridge-${system}.zip`)}
            />
          ))}
        </div>
      </div>
    </Panel>
  )
}

/** The password forms, most common first. */
const PASSWORD_FORMS = Object.keys(PASSWORD_FORM_NAMES) as PasswordForm[]

/** Prompts for the game's password form, then creates a pairing code. */
function PairButton({ bridges, onCode }: { bridges: Bridge[]; onCode: (code: Code) => void }) {
  const names = bridges.map(({ name, bridge }) => `${name} (bridge ${bridge})`).join(', ')
  return (
    <DeskAction
      endpoint={makeBridgeCode}
      input={({ password_form }) => ({ password_form })}
      label="Pair a bridge"
      tone="secondary"
      onDone={onCode}
      confirmation={{
        title: 'Pair a bridge?',
        action: 'Create a code',
        values: { password_form: 'md5-upper-19' as PasswordForm },
        text: ({ values, change }) => (
          <>
            <p>
              A site has one game, which may have several channels. A second game server needs a second site. The bridge
              gets the players’ passwords in the form that the game stores. To change the form later, pair again. If
              there is another owner, they have to approve the pairing first.
            </p>
            {names !== '' && (
              <p>
                <b>{names}</b> {bridges.length === 1 ? 'is' : 'are'} paired already. Revoke the bridge that the new one
                replaces as soon as the new one works.
              </p>
            )}
            <fieldset className={styles.forms}>
              <legend>How does the game store passwords?</legend>
              {PASSWORD_FORMS.map((form) => (
                <label key={form} className={styles.form}>
                  <input
                    type="radio"
                    name="password_form"
                    value={form}
                    checked={form === values.password_form}
                    onChange={() => change({ password_form: form })}
                  />
                  <span>
                    <b>{PASSWORD_FORM_NAMES[form].name}</b>
                    <span className={styles.explanation}>{PASSWORD_FORM_NAMES[form].explanation}</span>
                  </span>
                </label>
              ))}
            </fieldset>
          </>
        ),
      }}
    />
  )
}

/** Shows the pairing code once, with the command to type. */
function PairingDialog({ code, onClose }: { code: Code | null; onClose: () => void }) {
  const [lastCode, setLastCode] = useState(code)
  if (code !== null && code !== lastCode) setLastCode(code)
  if (lastCode === null) return null
  const command = `node bridge.mjs pair ${lastCode.site} ${lastCode.code} --config bridge.json`
  return (
    <DialogWindow
      open={code !== null}
      onClose={onClose}
      title="Pair a bridge"
      tone="done"
      actions={<Button onClick={onClose}>Done</Button>}
    >
      <p>This code works once, within the next ten minutes, and is not shown again:</p>
      <p className={styles.code}>{lastCode.code}</p>
      <p>On the machine with the game’s database, run:</p>
      <p className={styles.command}>{command}</p>
      <CopyButton text={command} what="the command" />
    </DialogWindow>
  )
}
