import { chosenLetterFields, sendChosenLetter } from '#contract/mailbox.ts'
import { getPlayers } from '#contract/players.ts'
import { DeskAction } from '../../kit/action.tsx'
import looks from '../../kit/desk-layout.module.css'
import { StateBadge } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { ScreenHead } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'

type Player = RowOf<typeof getPlayers>

/** Badges for anything unusual about a player. */
function States({ player: { state, is_staff } }: { player: Player }) {
  return (
    <span className={looks.badges}>
      {state === 'blocked' && <StateBadge tone="bad">Blocked</StateBadge>}
      {state === 'erasing' && <StateBadge tone="bad">Waits to be erased</StateBadge>}
      {state === 'erased' && <StateBadge tone="off">Erased</StateBadge>}
      {is_staff && <StateBadge>Staff</StateBadge>}
    </span>
  )
}

const columns: Column<Player>[] = [
  { key: 'user_id', title: 'User ID' },
  { key: 'state', title: '', cell: (row) => <States player={row} />, card: 'end' },
  { key: 'found_by', title: 'Found by', cell: (row) => row.found_by || '—' },
  { key: 'name', title: 'Name' },
  { key: 'email', title: 'E-mail', card: 'wide' },
  { key: 'r_coin', title: 'R-Coin', kind: 'money' },
  { key: 'milleage', title: 'Milleage', kind: 'money' },
  { key: 'created_at', title: 'Opened', kind: 'when', sort: 'user_num', card: 'none' },
]

/** Finds players by user ID, name, e-mail and more. */
export function Screen() {
  const mayWrite = useMay()('letters.send')
  return (
    <>
      <ScreenHead
        title="Players"
        line="Search by user ID, name, e-mail, character, address or ticket number. A search shows the 50 best matches."
      />
      <List
        endpoint={getPlayers}
        label="Players"
        columns={columns}
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
          bulk: (rows: Player[], clear: () => void) => <WriteLetter players={rows} onDone={clear} />,
        })}
        empty={{ title: 'No players yet', line: 'Players appear here as soon as they register.' }}
      />
    </>
  )
}

/** Writes the same letter to each of the ticked players. */
function WriteLetter({ players, onDone }: { players: Player[]; onDone: () => void }) {
  const what = players.length === 1 ? 'this player' : `${players.length} players`
  return (
    <DeskAction
      endpoint={sendChosenLetter}
      input={(letter) => ({ players: players.map(({ user_num }) => user_num), ...letter })}
      label="Write a letter…"
      tone="secondary"
      onDone={onDone}
      ask={{
        title: `Write to ${what}?`,
        action: 'Send',
        values: { subject: '', body: '', link: '' },
        fields: chosenLetterFields,
      }}
    />
  )
}
