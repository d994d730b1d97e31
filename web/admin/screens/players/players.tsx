import { chosenLetterFields, sendChosenLetter } from '#contract/mailbox.ts'
import { getPlayers } from '#contract/players.ts'
import { DeskAction } from '../../kit/action.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { StateBadge } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { ScreenHead } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'

type Player = RowOf<typeof getPlayers>

/** Badges for unusual properties of a player. */
function PlayerBadges({ player: { state, is_staff } }: { player: Player }) {
  return (
    <span className={deskLayout.badges}>
      {state === 'blocked' && <StateBadge tone="bad">Blocked</StateBadge>}
      {state === 'erasing' && <StateBadge tone="bad">Waiting to be erased</StateBadge>}
      {state === 'erased' && <StateBadge tone="off">Erased</StateBadge>}
      {is_staff && <StateBadge>Staff</StateBadge>}
    </span>
  )
}

/** Returns the columns. A search adds the matched property, and the list of logins adds the time of each. */
function getColumns({ q = '', state = '' }: Record<string, string>): Column<Player>[] {
  const matchTitle = state === 'logged-in' ? 'Latest login' : 'Found by'
  return [
    {
      key: 'user_id',
      title: 'User ID',
      cell: (row) => (
        <>
          {row.user_id} <PlayerBadges player={row} />
        </>
      ),
    },
    ...(q !== '' || state === 'logged-in' ? [{ key: 'found_by', title: matchTitle, card: 'inline' } as const] : []),
    { key: 'name', title: 'Name', card: 'bare' },
    { key: 'email', title: 'Email', card: 'bare' },
    { key: 'r_coin', title: 'R-Coin', kind: 'money', card: 'inline' },
    { key: 'milleage', title: 'Milleage', kind: 'money', card: 'inline' },
    { key: 'created_at', title: 'Opened', kind: 'when', sort: 'created_at', card: 'none' },
  ]
}

/** Describes the order of the lists that have a special order. */
const ORDER_TEXTS: Record<string, string> = {
  'logged-in': 'The latest login first.',
  'most-r-coin': 'The most R-Coin first, at the last count of the figures.',
  'most-milleage': 'The most Milleage first, at the last count of the figures.',
}

function describeOrder({ q = '', state = '', sort = '' }: Record<string, string>): string {
  if (q !== '') return 'The best match first, at most 50.'
  return ORDER_TEXTS[state] ?? (sort === 'created_at' ? 'The oldest account first.' : 'The newest account first.')
}

/** Finds players by user ID, name, email and more. */
export function Screen() {
  const mayWrite = useMay()('letters.send')
  return (
    <>
      <ScreenHead title="Players" line="Search by user ID, name, email, character, address or ticket number." />
      <List
        endpoint={getPlayers}
        label="Players"
        columns={getColumns}
        order={describeOrder}
        filters={{
          q: { kind: 'search', label: 'Who are you looking for?' },
          state: {
            kind: 'choice',
            label: 'Show only',
            options: [
              ['blocked', 'Blocked'],
              ['erasing', 'Wait to be erased'],
              ['staff', 'Staff'],
              ['logged-in', 'Latest logins'],
              ['most-r-coin', 'Most R-Coin'],
              ['most-milleage', 'Most Milleage'],
            ],
          },
        }}
        getId={(row) => row.user_num}
        getLink={(row) => `/admin/players/${row.user_num}`}
        {...(mayWrite && {
          renderBulkActions: (rows: Player[], clear: () => void) => <WriteLetterButton players={rows} onDone={clear} />,
        })}
        empty={{ title: 'No players yet', line: 'Players appear here as soon as they register.' }}
      />
    </>
  )
}

/** Writes one letter to all ticked players. */
function WriteLetterButton({ players, onDone }: { players: Player[]; onDone: () => void }) {
  const recipientsText = players.length === 1 ? 'this player' : `${players.length} players`
  return (
    <DeskAction
      endpoint={sendChosenLetter}
      input={(letter) => ({ players: players.map(({ user_num }) => user_num), ...letter })}
      label="Write a letter…"
      tone="secondary"
      onDone={onDone}
      confirmation={{
        title: `Write to ${recipientsText}?`,
        action: 'Send',
        values: { subject: '', body: '', link: '' },
        fields: chosenLetterFields,
      }}
    />
  )
}
