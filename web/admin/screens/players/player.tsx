import { useParams, useSearchParams } from 'react-router'
import { findClassByCode, SCHOOLS } from '#contract/game.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import { getPlayer, logOutPlayer, unblockPlayer, withdrawPlayerErasure } from '#contract/players.ts'
import { TICKET_STATE_LABELS } from '#contract/tickets.ts'
import { adjustMoney } from '#contract/wallet.ts'
import { useCall } from '#web/api/queries.ts'
import { describeDevice } from '#web/ui/account-text.ts'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { DeskAction } from '../../kit/action.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { type FactList, Money, StateBadge, When } from '../../kit/facts.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { useMay, useMe } from '../../me.ts'
import { PersonalData } from './personal-data.tsx'
import styles from './player.module.css'
import { BlockForm, MoneyForm } from './player-forms.tsx'
import { PlayerNotes } from './player-notes.tsx'
import { PlayerTimeline } from './player-timeline.tsx'
import { RecoveryPanel } from './recovery.tsx'
import { type Player, Rows } from './rows.tsx'
import { Sharers } from './sharers.tsx'

/**
 * Shows a player's page. Each view is written to the audit log, so the page loads only when it is opened or changed.
 */
export function Screen() {
  const { number = '' } = useParams()
  const playerQuery = useCall(getPlayer, { user_num: number }, { refetchOnWindowFocus: false, staleTime: 60_000 })
  return (
    <Loaded result={playerQuery} height={640}>
      {({ player }) => <PlayerPage key={player.user_num} player={player} />}
    </Loaded>
  )
}

const formatName = ({ first_name, last_name }: Player) => `${first_name} ${last_name}`.trim()

function PlayerPage({ player }: { player: Player }) {
  const may = useMay()
  const me = useMe()
  const [query, setQuery] = useSearchParams()
  const openForm = query.get('do')
  const showForm = (form: string) => setQuery({ do: form })
  const closeForm = () => setQuery({}, { replace: true })
  const block = player.blocks.find(({ is_on }) => is_on)
  const isErased = player.state === 'erased'
  const isMe = player.user_num === me.user_num
  const mayBlock = may('players.block') && !isErased && !isMe
  const tabs = [
    { key: 'timeline', label: 'Timeline', content: <PlayerTimeline userNum={player.user_num} /> },
    { key: 'account', label: 'Account', content: <AccountTab player={player} /> },
    { key: 'bought', label: `Bought (${player.purchases})`, content: <PurchasesTab player={player} /> },
    { key: 'tickets', label: `Tickets (${player.tickets.length})`, content: <TicketsTab player={player} /> },
    { key: 'notes', label: `Notes (${player.notes.length})`, content: <PlayerNotes player={player} /> },
    { key: 'blocks', label: `Blocks (${player.blocks.length})`, content: <BlocksTab player={player} /> },
    { key: 'shared', label: 'Shared addresses', content: <Sharers userNum={player.user_num} /> },
    ...(may('players.personal') && !isErased
      ? [{ key: 'data', label: 'Personal data', content: <PersonalData player={player} /> }]
      : []),
  ]
  return (
    <RecordPage
      back={{ to: '/admin/players', label: 'Players' }}
      title={player.user_id}
      badges={
        <span className={deskLayout.badges}>
          {player.state === 'erasing' && <StateBadge tone="bad">Waiting to be erased</StateBadge>}
          {(player.state === 'blocked' || block !== undefined) && <StateBadge tone="bad">Blocked</StateBadge>}
          {player.frozen_until !== null && <StateBadge tone="attention">Can’t spend</StateBadge>}
          {isErased && <StateBadge tone="off">Personal data erased</StateBadge>}
          {player.roles.map((role) => (
            <StateBadge key={role}>{role}</StateBadge>
          ))}
        </span>
      }
      actions={
        <>
          {mayBlock && block !== undefined && (
            <DeskAction
              endpoint={unblockPlayer}
              input={{ user_num: player.user_num, block: block.block }}
              label="Lift the block"
              confirmation={{
                title: `Unblock ${player.user_id}?`,
                text: 'They can log in right away, and the rankings show their characters again.',
                reason: 'required',
              }}
              successMessage="The block has been lifted."
            />
          )}
          {may('money.adjust') && !isErased && !isMe && (
            <Button tone="secondary" onClick={() => showForm('money')}>
              Change a balance
            </Button>
          )}
          {mayBlock && (
            <Button tone="secondary" onClick={() => showForm('block')}>
              {block === undefined ? 'Block' : 'Change the block'}
            </Button>
          )}
        </>
      }
      facts={listFacts(player, may('audit.read'))}
      tabs={tabs}
    >
      {player.erasure !== null && <ErasurePanel player={player} erasure={player.erasure} />}
      {block !== undefined && (
        <Panel title="Blocked">
          <div className={styles.body}>
            <p className={styles.reason}>“{block.reason}”</p>
            <p>
              {block.ends_at === null ? (
                'Until it is lifted'
              ) : (
                <>
                  Ends <When at={block.ends_at} show="both" />
                </>
              )}
              {' · since '}
              <When at={block.starts_at} />
              {block.blocked_by !== null && <> · by {block.blocked_by}</>}
            </p>
            {block.note !== '' && <p className={deskLayout.faint}>Note: {block.note}</p>}
          </div>
        </Panel>
      )}
      {player.frozen_until !== null && (
        <Panel title="Support helped with this account">
          <div className={styles.body}>
            <p>
              Until <When at={player.frozen_until} show="date" /> the account cannot buy anything, send gifts or get a
              link to a new password. An email to the former address has a link that undoes the change.
            </p>
          </div>
        </Panel>
      )}
      {player.user_type >= ADMIN_USER_TYPE && !isMe && (mayBlock || may('players.recover')) && (
        <p className={deskLayout.faint}>
          {player.user_id} is staff: only an operator who manages the staff can block or help them. If there is another
          owner, they have to approve changes to the account. {player.user_id} gets an email.
        </p>
      )}
      {openForm === 'block' && mayBlock && <BlockForm player={player} block={block} onClose={closeForm} />}
      {openForm === 'money' && <MoneyForm player={player} onClose={closeForm} />}
    </RecordPage>
  )
}

/** Shows the request to erase the account: the last day to withdraw it, and the button to do so. */
function ErasurePanel({ player, erasure }: { player: Player; erasure: NonNullable<Player['erasure']> }) {
  const mayCancel = useMay()('players.personal')
  return (
    <Panel title="Waiting to be erased">
      <div className={styles.body}>
        <p>
          The account is locked and hidden. Its personal data is erased on <When at={erasure.due_at} show="date" />.
        </p>
        <p className={deskLayout.faint}>
          Requested by {erasure.requested_by ?? 'the player'}, <When at={erasure.requested_at} />
          {erasure.rename_characters && '. Character names are replaced in the rankings of closed months, too'}. The
          player has a link that withdraws this request.
        </p>
        {mayCancel && (
          <div className={layout.buttons}>
            <DeskAction
              endpoint={withdrawPlayerErasure}
              input={{ user_num: player.user_num }}
              label="Withdraw the erasure request"
              confirmation={{
                title: `Keep ${player.user_id}?`,
                text: 'The player can log in again, and the characters return to the rankings. The player and the owners get an email.',
                reason: 'required',
              }}
              successMessage="The erasure request has been withdrawn."
            />
          </div>
        )}
      </div>
    </Panel>
  )
}

function listFacts(player: Player, mayReadAudit: boolean): FactList {
  const newestNote = player.notes[0]
  return {
    Name: formatName(player),
    Email: (
      <>
        {player.email} {player.email_verified_at === null && <StateBadge tone="attention">Not verified</StateBadge>}
      </>
    ),
    'R-Coin': <Money amount={player.r_coin} currency="rCoin" />,
    Milleage: <Money amount={player.milleage} currency="milleage" />,
    'Balance changes by staff': mayReadAudit && (
      <Link
        to={`/admin/audit?action=${encodeURIComponent(adjustMoney.path)}#player=${player.user_id}`}
        className={deskLayout.link}
      >
        Audit log
      </Link>
    ),
    'Account number': player.user_num,
    Opened: <When at={player.created_at} show="both" />,
    Country: player.country !== '' && player.country,
    Phone: player.phone_number !== '' && player.phone_number,
    [`Newest note, ${newestNote?.written_by ?? 'staff'}`]: newestNote?.body,
  }
}

function AccountTab({ player }: { player: Player }) {
  const may = useMay()
  const me = useMe()
  const mayLogOut = may('players.block') && player.sessions.length > 0
  return (
    <div className={layout.panels}>
      {may('players.recover') && player.state !== 'erased' && player.user_num !== me.user_num && (
        <RecoveryPanel player={player} />
      )}
      <Rows
        title="Logged in"
        empty={{ title: 'Not logged in anywhere', line: 'Logins end after twelve hours of inactivity.' }}
        actions={
          mayLogOut && (
            <DeskAction
              endpoint={logOutPlayer}
              input={{ user_num: player.user_num }}
              label="Log out everywhere"
              className={deskLayout.textButton}
              confirmation={{
                title: `Log ${player.user_id} out everywhere?`,
                text: 'Anyone logged in has to log in again. The password stays the same.',
                reason: 'required',
              }}
              successMessage="Logged out on every device."
            />
          )
        }
        rows={player.sessions.map(({ session_id, address, device, last_seen_at }) => (
          <li key={session_id}>
            <b>{describeDevice(device)}</b> {address}{' '}
            <span className={deskLayout.faint}>
              seen <When at={last_seen_at} />
            </span>
          </li>
        ))}
      />
      <Rows
        title="Characters"
        empty={{ title: 'No characters', line: 'The player has not made one in the game yet.' }}
        rows={player.characters.map(({ cha_num, cha_name, cha_level, cha_class, cha_school }) => (
          <li key={cha_num}>
            <b>{cha_name}</b> level {cha_level}{' '}
            <span className={deskLayout.faint}>
              {findClassByCode(cha_class) ?? `class ${cha_class}`} · {SCHOOLS[cha_school]?.name ?? 'no school'}
            </span>
          </li>
        ))}
      />
    </div>
  )
}

function PurchasesTab({ player }: { player: Player }) {
  const may = useMay()
  return (
    <Rows
      title="Newest purchases"
      empty={{ title: 'Nothing bought yet' }}
      actions={
        may('orders.read') && (
          <Link to={`/admin/orders#player=${encodeURIComponent(player.user_id)}`} className={deskLayout.textButton}>
            All orders
          </Link>
        )
      }
      rows={player.newest_purchases.map(({ ordinal, item_name, quantity, price, section, created_at }) => (
        <li key={ordinal}>
          <Link to={`/admin/orders/${player.user_num}-${ordinal}`}>
            {quantity} × {item_name}
          </Link>{' '}
          <Money amount={price * quantity} currency={section === 2 ? 'rCoin' : 'milleage'} />{' '}
          <span className={deskLayout.faint}>
            <When at={created_at} />
          </span>
        </li>
      ))}
    />
  )
}

function TicketsTab({ player }: { player: Player }) {
  return (
    <Rows
      title="Tickets"
      empty={{ title: 'No tickets', line: 'This player has not written to support.' }}
      rows={player.tickets.map(({ number, subject, state, updated_at }) => (
        <li key={number}>
          <Link to={`/admin/tickets/${number}`}>{subject}</Link>{' '}
          <StateBadge tone={state === 'open' ? 'attention' : 'calm'}>{TICKET_STATE_LABELS[state]}</StateBadge>{' '}
          <span className={deskLayout.faint}>
            {number} · <When at={updated_at} />
          </span>
        </li>
      ))}
    />
  )
}

function BlocksTab({ player }: { player: Player }) {
  return (
    <Rows
      title="Blocks"
      empty={{ title: 'Never blocked' }}
      rows={player.blocks.map((block) => (
        <li key={block.block}>
          <b>“{block.reason}”</b>{' '}
          {block.is_on ? <StateBadge tone="bad">On</StateBadge> : <StateBadge tone="off">Over</StateBadge>}
          <p className={deskLayout.faint}>
            From <When at={block.starts_at} show="both" />
            {block.blocked_by !== null && <> by {block.blocked_by}</>}
            {block.ends_at !== null && (
              <>
                {', until '}
                <When at={block.ends_at} show="both" />
              </>
            )}
            {block.lifted_by !== null && (
              <>
                {', lifted '}
                <When at={block.lifted_at} show="both" /> by {block.lifted_by}
              </>
            )}
          </p>
          {block.note !== '' && <p>{block.note}</p>}
        </li>
      ))}
    />
  )
}
