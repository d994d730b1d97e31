import { findSchool } from '#contract/game.ts'
import { getCharacters, hideCharacter, showCharacter } from '#contract/rankings.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { DeskAction } from '../../kit/action.tsx'
import { PlayerLink, StateBadge, When } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { ScreenHead, ScreenParts } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'

type Character = RowOf<typeof getCharacters>

const columns: Column<Character>[] = [
  { key: 'cha_name', title: 'Character' },
  { key: 'cha_level', title: 'Level', align: 'end' },
  { key: 'school', title: 'School', cell: ({ cha_school }) => findSchool(cha_school)?.name ?? cha_school },
  {
    key: 'player',
    title: 'Player',
    cell: (row) => (row.user_num === null ? '—' : <PlayerLink userNum={row.user_num} userId={row.user_id ?? ''} />),
  },
  { key: 'state', title: 'State', card: 'wide', cell: (row) => <CharacterState row={row} /> },
  {
    key: 'act',
    title: '',
    align: 'end',
    card: 'end',
    cell: (row) => <VisibilityButton character={row} />,
  },
]

/** Lists characters. Operators can hide one from the rankings and the search, or show it again. */
export function Screen() {
  const may = useMay()
  return (
    <>
      <ScreenHead
        title="Rankings"
        line="Hide a character whose name or behavior doesn’t belong on the boards. It stays in the game; only this site leaves it out."
      >
        <RankingTabs current="characters" />
      </ScreenHead>
      <List
        endpoint={getCharacters}
        label="Characters"
        columns={columns}
        filters={{
          q: { kind: 'search', label: 'Name or number' },
          state: { kind: 'choice', label: 'State', options: { hidden: 'Hidden' } },
        }}
        getId={({ cha_num }) => cha_num}
        empty={{
          title: 'No characters yet',
          line: 'They appear here when the bridge has read them from the game.',
          action: may('game.read') && <ButtonLink to="/admin/game">Open Game</ButtonLink>,
        }}
      />
    </>
  )
}

const HIDDEN_LABELS = {
  '': null,
  staff: 'Staff in the game',
  blocked: 'Blocked in the game',
  deleted: 'Deleted in the game',
  missing: 'Gone from the game',
} as const satisfies Record<Character['kept_out'], string | null>

function CharacterState({ row: { hidden_at, hidden_by, reason, blocked, kept_out } }: { row: Character }) {
  return (
    <>
      {HIDDEN_LABELS[kept_out] !== null && <StateBadge tone="bad">{HIDDEN_LABELS[kept_out]}</StateBadge>}
      {blocked && <StateBadge tone="bad">Player blocked</StateBadge>}
      {hidden_at !== null && (
        <>
          <StateBadge tone="bad">Hidden</StateBadge> “{reason}” {hidden_by} <When at={hidden_at} />
        </>
      )}
    </>
  )
}

function VisibilityButton({ character: { cha_num, cha_name, hidden_at } }: { character: Character }) {
  const sharedProps = { input: { cha_num }, about: cha_name, tone: 'secondary' } as const
  return hidden_at === null ? (
    <DeskAction
      {...sharedProps}
      endpoint={hideCharacter}
      label="Hide"
      confirmation={{
        title: `Hide ${cha_name}?`,
        action: 'Hide it',
        tone: 'danger',
        text: 'It disappears right away from the boards, the closed months as players see them, and the search.',
        reason: 'required',
      }}
    />
  ) : (
    <DeskAction
      {...sharedProps}
      endpoint={showCharacter}
      label="Show again"
      confirmation={{
        title: `Show ${cha_name} again?`,
        action: 'Show it again',
        text: 'It returns to the boards and to the search.',
        reason: 'required',
      }}
    />
  )
}

const PARTS = [
  { key: 'characters', label: 'Characters', to: '/admin/rankings' },
  { key: 'marks', label: 'Marks of clubs', to: '/admin/rankings/marks' },
  { key: 'months', label: 'Months', to: '/admin/rankings/months' },
  { key: 'seasons', label: 'Seasons', to: '/admin/rankings/seasons' },
  { key: 'corrections', label: 'Corrections', to: '/admin/rankings/corrections' },
] as const

/** The parts of the screen. */
export const RankingTabs = ({ current }: { current: (typeof PARTS)[number]['key'] }) => (
  <ScreenParts screen="Rankings" parts={PARTS} current={current} />
)
