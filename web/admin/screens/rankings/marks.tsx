import { getMarks, hideMark, showMark } from '#contract/rankings.ts'
import { DeskAction } from '../../kit/action.tsx'
import { StateBadge, When } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { ScreenHead } from '../../kit/screen.tsx'
import styles from './rankings.module.css'
import { RankingTabs } from './rankings.tsx'

type Mark = RowOf<typeof getMarks>

const columns: Column<Mark>[] = [
  {
    key: 'mark',
    title: 'Mark',
    cell: ({ picture }) =>
      picture === null ? (
        'The site’s shield'
      ) : (
        <img className={styles.mark} src={picture} alt="" width="64" height="44" />
      ),
  },
  { key: 'name', title: 'Club' },
  { key: 'read_at', title: 'Changed', cell: ({ read_at }) => <When at={read_at} /> },
  {
    key: 'state',
    title: 'State',
    card: 'wide',
    cell: ({ picture, hidden_at }) => (
      <>
        {picture === null && 'The bridge can’t read this mark'}
        {hidden_at !== null && (
          <>
            <StateBadge tone="bad">Hidden</StateBadge> <When at={hidden_at} />
          </>
        )}
      </>
    ),
  },
  { key: 'act', title: '', align: 'end', card: 'end', cell: (row) => <VisibilityButton mark={row} /> },
]

/** Lists the marks of clubs. Operators can hide a mark from players or show it again. */
export function Screen() {
  return (
    <>
      <ScreenHead
        title="Rankings"
        line="The marks that clubs draw in the game, the latest change first. For a hidden mark, players see the site’s shield."
      >
        <RankingTabs current="marks" />
      </ScreenHead>
      <List
        endpoint={getMarks}
        label="Marks of clubs"
        columns={columns}
        filters={{
          q: { kind: 'search', label: 'Name of the club' },
          state: { kind: 'choice', label: 'State', options: { hidden: 'Hidden' } },
        }}
        getId={({ club }) => club}
        empty={{ title: 'No marks', line: 'They appear here when the bridge has read them from the game.' }}
      />
    </>
  )
}

function VisibilityButton({ mark: { club, name, hidden_at } }: { mark: Mark }) {
  const sharedProps = { input: { club }, about: name, tone: 'secondary' } as const
  return hidden_at === null ? (
    <DeskAction
      {...sharedProps}
      endpoint={hideMark}
      label="Hide"
      confirmation={{
        title: `Hide the mark of ${name}?`,
        action: 'Hide it',
        tone: 'danger',
        text: 'Players see the site’s shield until you show the mark again, even if the club changes the mark.',
        reason: 'required',
      }}
    />
  ) : (
    <DeskAction
      {...sharedProps}
      endpoint={showMark}
      label="Show again"
      confirmation={{
        title: `Show the mark of ${name} again?`,
        action: 'Show it again',
        text: 'The site shows the mark that the club has in the game now.',
        reason: 'required',
      }}
    />
  )
}
