import type { Selectable } from 'kysely'
import { GROUP_POINTS, type TournamentFormat } from '#contract/tournaments.ts'
import type { Schema } from '#server/db/schema.ts'

/** The properties that define a bracket, in addition to its seeds and results. */
export type Shape = { format: TournamentFormat; third_place: boolean; groups: number | null; advance: number | null }

/** A match of a bracket: its position, its entries and its result. */
export type TournamentMatch = Pick<
  Selectable<Schema['tournament_matches']>,
  'stage' | 'grp' | 'round' | 'number' | 'entry1' | 'entry2' | 'state' | 'outcome' | 'score1' | 'score2' | 'winner'
>

type TableRow = {
  entry: number
  played: number
  wins: number
  draws: number
  losses: number
  scored: number
  against: number
}

/** Returns whether finals follow the groups. */
export const hasFinals = ({ format, groups }: Pick<Shape, 'format' | 'groups'>) => format === 'groups' && groups !== 1

/**
 * Computes the tables of a group stage, ranked by points, then by the difference of scores, then by the entry's score,
 * then by seed. A walkover counts as a win without a score. Cancelled matches do not count.
 */
export function computeGroupTables(matches: readonly TournamentMatch[], seeds: readonly number[]) {
  const groupStage = matches.filter(({ stage }) => stage === 1)
  return [...new Set(groupStage.map(({ grp }) => grp))].map((grp) => {
    const groupMatches = groupStage.filter((match) => match.grp === grp)
    const entries = [...new Set(groupMatches.flatMap(({ entry1, entry2 }) => [entry1, entry2]))].filter(
      (entry) => entry !== null,
    )
    const rows = entries.map((entry) => ({ ...createRow(entry, groupMatches), seed: seeds.indexOf(entry) }))
    return {
      grp,
      isDecided: groupMatches.every(({ state }) => state === 'done' || state === 'bye'),
      rows: rows
        .map(({ seed, ...row }) => ({ seed, ...row, points: sumPoints(row) }))
        .sort(
          (a, b) =>
            b.points - a.points ||
            b.scored - b.against - (a.scored - a.against) ||
            b.scored - a.scored ||
            a.seed - b.seed,
        )
        .map(({ seed: _, ...row }) => row),
    }
  })
}

const sumPoints = ({ wins, draws, losses }: TableRow) =>
  wins * GROUP_POINTS.win + draws * GROUP_POINTS.draw + losses * GROUP_POINTS.loss

function createRow(entry: number, matches: readonly TournamentMatch[]): TableRow {
  const row: TableRow = { entry, played: 0, wins: 0, draws: 0, losses: 0, scored: 0, against: 0 }
  for (const { entry1, entry2, outcome, score1, score2, winner } of matches) {
    if (outcome === null || outcome === 'cancelled' || (entry1 !== entry && entry2 !== entry)) continue
    const [score, otherScore] = entry1 === entry ? [score1, score2] : [score2, score1]
    row.played++
    row.scored += score ?? 0
    row.against += otherScore ?? 0
    if (winner === null) row.draws++
    else if (winner === entry) row.wins++
    else row.losses++
  }
  return row
}

/** Returns whether every match has a result or needs none. */
export const isDecided = (matches: readonly TournamentMatch[]) =>
  matches.length > 0 && matches.every(({ state }) => state !== 'open' && state !== 'ready')

/**
 * Returns the rank of every entry of a decided tournament. Entries that lost in the same round share a rank, as do
 * both entries of a cancelled final.
 *
 * @param seeds the entries, best first
 */
export function rankEntries(
  matches: readonly TournamentMatch[],
  shape: Shape,
  seeds: readonly number[],
): Map<number, number> {
  const places = new Map<number, number>()
  for (const tier of [...groupTiers(matches, shape, seeds), seeds]) {
    const newEntries = [...new Set(tier)].filter((entry) => !places.has(entry))
    const place = places.size + 1
    for (const entry of newEntries) places.set(entry, place)
  }
  places.delete(MISSING_ENTRY)
  return places
}

/** An id that no entry has. It stands for a missing entry. */
const MISSING_ENTRY = 0

/** Returns groups of entries that share a rank, best rank first. Only an entry's first group counts. */
function groupTiers(matches: readonly TournamentMatch[], shape: Shape, seeds: readonly number[]): number[][] {
  if (shape.format === 'double') {
    const selectGroup = (grp: number) => matches.filter((match) => match.grp === grp)
    return [...groupFinalTiers(selectGroup(3)), ...groupRoundTiers(selectGroup(2)), ...groupRoundTiers(selectGroup(1))]
  }
  const stage = matches.filter((match) => match.stage === (shape.format === 'groups' ? 2 : 1))
  const bracket = stage.filter(({ grp }) => grp === 1)
  const thirdPlaceMatches = stage.filter(({ grp }) => grp === 2)
  const lastRound = Math.max(0, ...bracket.map(({ round }) => round))
  const [winner = [], losers = []] = groupFinalTiers(bracket.filter(({ round }) => round === lastRound))
  // The winner of the match for third place does not get second place if the final had only one entry.
  const secondTier =
    thirdPlaceMatches.length > 0 && winner.length === 1 && losers.length === 0 ? [MISSING_ENTRY] : losers
  const knockout = [
    winner,
    secondTier,
    ...groupFinalTiers(thirdPlaceMatches),
    ...groupRoundTiers(bracket.filter(({ round }) => round < lastRound)),
  ]
  if (shape.format === 'single') return knockout
  const tables = computeGroupTables(matches, seeds)
  const longestTable = Math.max(0, ...tables.map(({ rows }) => rows.length))
  const tiersByRank = Array.from({ length: longestTable }, (_, rank) =>
    tables.flatMap(({ rows }) => rows[rank]?.entry ?? []),
  )
  return hasFinals(shape) ? [...knockout, ...tiersByRank] : tiersByRank
}

/** Returns the winner and the loser of the last decided final. A cancelled final has no winner and two losers. */
function groupFinalTiers(finals: readonly TournamentMatch[]): number[][] {
  const lastDecided = finals.findLast(({ state }) => state === 'done' || state === 'bye')
  if (lastDecided === undefined) return []
  return [lastDecided.winner === null ? [] : [lastDecided.winner], getLosers(lastDecided)]
}

/** Returns the entries that lost in each round, the last round first. */
function groupRoundTiers(matches: readonly TournamentMatch[]): number[][] {
  const rounds = [...new Set(matches.map(({ round }) => round))].sort((a, b) => b - a)
  return rounds.map((round) => matches.filter((match) => match.round === round).flatMap(getLosers))
}

const getLosers = ({ state, entry1, entry2, winner }: TournamentMatch): number[] =>
  state === 'done' ? [entry1, entry2].filter((entry) => entry !== null && entry !== winner).map(Number) : []
