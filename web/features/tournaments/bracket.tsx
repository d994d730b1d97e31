import type { ReactNode } from 'react'
import { formatManilaMinute } from '#contract/manila.ts'
import type { Tournament } from '#contract/tournaments.ts'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { Value } from '#web/ui/value.tsx'
import styles from './bracket.module.css'
import { type Entry, listParts, type Match, type Round, type TournamentPart } from './tournament-view.ts'

type Entries = ReadonlyMap<number, Entry>

/** The desk's additions to the drawing, such as buttons to enter a result. */
type Additions = { match?: (match: Match) => ReactNode; round?: (round: Round, part: TournamentPart) => ReactNode }

/** Draws a tournament: the tables of its groups, its brackets, and every match with its result. */
export function Bracket({ tournament, additions = {} }: { tournament: Tournament; additions?: Additions }) {
  const entries = new Map(tournament.list.map((entry) => [entry.entry, entry]))
  return listParts(tournament).map((part) => (
    <Panel key={part.key} title={part.name}>
      {part.isGroup && <GroupTable part={part} tournament={tournament} entries={entries} />}
      <Rounds part={part} entries={entries} additions={additions} />
    </Panel>
  ))
}

/** Rounds side by side if there is room, with lines to the next one; stacked on a phone. */
function Rounds({ part, entries, additions }: { part: TournamentPart; entries: Entries; additions: Additions }) {
  const isTree = !part.isGroup
  return (
    <section className={styles.scroll} tabIndex={isTree ? 0 : undefined} aria-label={`Matches: ${part.name}`}>
      <ol className={isTree ? styles.tree : styles.list}>
        {part.rounds.map((round, index) => (
          <RoundColumn
            key={round.key}
            round={round}
            lineKind={isTree ? getLineKind(round, part.rounds[index + 1]) : undefined}
            entries={entries}
            addition={additions.round && <div className={styles.addition}>{additions.round(round, part)}</div>}
            addToMatch={additions.match}
          />
        ))}
      </ol>
    </section>
  )
}

/**
 * Returns `pair` if two matches lead to the same match, `single` if each leads to a different one; undefined in the last
 * round.
 */
function getLineKind(round: Round, nextRound: Round | undefined): 'pair' | 'single' | undefined {
  if (nextRound === undefined) return undefined
  return nextRound.matches.length < round.matches.length ? 'pair' : 'single'
}

type RoundProps = {
  round: Round
  lineKind: 'pair' | 'single' | undefined
  entries: Entries
  addition: ReactNode
  addToMatch: Additions['match']
}

function RoundColumn({ round, lineKind, entries, addition, addToMatch }: RoundProps) {
  const isPlayed = round.matches.some(({ state }) => state !== 'bye')
  return (
    <li className={styles.round} data-leads={lineKind} data-idle={!isPlayed || undefined}>
      <h3 className={styles.roundName}>{round.name}</h3>
      {addition}
      <ol className={styles.matches} aria-label={round.name}>
        {round.matches.map((match) => (
          <li key={match.match} className={styles.slot} data-idle={match.state === 'bye' || undefined}>
            <MatchCard match={match} entries={entries} addition={addToMatch?.(match)} />
          </li>
        ))}
      </ol>
    </li>
  )
}

function MatchCard({ match, entries, addition }: { match: Match; entries: Entries; addition: ReactNode }) {
  const { entry1, entry2, score1, score2, winner } = match
  return (
    <div className={styles.match} data-state={match.state}>
      <MatchSide
        match={match}
        entry={entry1}
        score={score1}
        isWinner={winner !== null && winner === entry1}
        entries={entries}
      />
      <MatchSide
        match={match}
        entry={entry2}
        score={score2}
        isWinner={winner !== null && winner === entry2}
        entries={entries}
      />
      <p className={styles.note}>
        <MatchNote match={match} />
      </p>
      {addition}
    </div>
  )
}

type MatchSideProps = { match: Match; entry: number | null; score: number | null; isWinner: boolean; entries: Entries }

function MatchSide({ match, entry, score, isWinner, entries }: MatchSideProps) {
  const sideEntry = entry === null ? undefined : entries.get(entry)
  const isEliminated = match.state === 'done' && !isWinner && match.winner !== null
  return (
    <p className={styles.side} data-won={isWinner || undefined} data-out={isEliminated || undefined}>
      {sideEntry?.seed != null && (
        <span className={styles.seed}>
          <span className="visually-hidden">Seed </span>
          {sideEntry.seed}
        </span>
      )}
      <span className={styles.name} title={sideEntry?.name}>
        {sideEntry?.name ?? EMPTY_SLOT_TEXTS[match.state]}
      </span>
      {isWinner && <span className="visually-hidden">, won</span>}
      {score !== null && <span className={styles.score}>{score}</span>}
    </p>
  )
}

/** The text of an empty slot of a match. */
const EMPTY_SLOT_TEXTS = { open: 'To be decided', ready: '', done: '', bye: 'Free', unneeded: '–' } as const

function MatchNote({ match: { state, outcome, starts_at } }: { match: Match }) {
  if (outcome === 'cancelled') return 'Cancelled'
  if (outcome === 'walkover1' || outcome === 'walkover2') return 'Walkover'
  if (state === 'unneeded') return 'Not needed'
  if (state === 'bye') return 'No match'
  if (state === 'done') return <span className="visually-hidden">Played</span>
  if (starts_at === null) return 'Time to be announced'
  return <Value dateTime={starts_at}>{formatManilaMinute(new Date(starts_at))}</Value>
}

type GroupProps = { part: TournamentPart; tournament: Tournament; entries: Entries }

function GroupTable({ part, tournament, entries }: GroupProps) {
  const rows = tournament.tables.find(({ grp }) => grp === part.grp)?.rows ?? []
  const advancingCount = tournament.groups === 1 ? 0 : (tournament.advance ?? 0)
  return (
    <>
      <table className={styles.table}>
        <caption className="visually-hidden">Table of {part.name}</caption>
        <thead>
          <tr>
            <th scope="col">#</th>
            <th scope="col">Name</th>
            <th scope="col" title="Played">
              <abbr title="Played">P</abbr>
            </th>
            <th scope="col" className={layout.wideOnly}>
              <abbr title="Won, drawn, lost">W–D–L</abbr>
            </th>
            <th scope="col">
              <abbr title="Scored and conceded">Score</abbr>
            </th>
            <th scope="col">Points</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={row.entry} data-going={index < advancingCount || undefined}>
              <td>{index + 1}</td>
              <th scope="row">{entries.get(row.entry)?.name}</th>
              <td>{row.played}</td>
              <td className={layout.wideOnly}>
                {row.wins}–{row.draws}–{row.losses}
              </td>
              <td>
                {row.scored}:{row.against}
              </td>
              <td className={styles.points}>{row.points}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {advancingCount > 0 && (
        <p className={styles.legend}>
          {advancingCount === 1 ? 'The first' : `The first ${advancingCount}`} of each group{' '}
          {advancingCount === 1 ? 'goes' : 'go'} on to the finals.
        </p>
      )}
    </>
  )
}
