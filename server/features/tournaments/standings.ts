import type { Selectable } from 'kysely'
import { type Format, GROUP_POINTS } from '#contract/tournaments.ts'
import type { Schema } from '#server/db/schema.ts'

/** The facts that decide the form of a bracket, apart from its seeds and results. */
export type Shape = { format: Format; third_place: boolean; groups: number | null; advance: number | null }

/** A match of a bracket: where it is, between whom, and how it ended. */
export type Played = Pick<
  Selectable<Schema['tournament_matches']>,
  'stage' | 'grp' | 'round' | 'number' | 'entry1' | 'entry2' | 'state' | 'outcome' | 'score1' | 'score2' | 'winner'
>

type Row = {
  entry: number
  played: number
  wins: number
  draws: number
  losses: number
  scored: number
  against: number
}

/** Whether groups are followed by finals. */
export const hasFinals = ({ format, groups }: Pick<Shape, 'format' | 'groups'>) => format === 'groups' && groups !== 1

/**
 * Computes the tables of a group stage. Ranked by points, then by the difference of scores, then by the own score, then
 * by seed. A walkover counts as a win without a score, a cancelled match as if it had never been planned.
 */
export function groupTables(matches: readonly Played[], seeds: readonly number[]) {
  const first = matches.filter(({ stage }) => stage === 1)
  return [...new Set(first.map(({ grp }) => grp))].map((grp) => {
    const own = first.filter((match) => match.grp === grp)
    const entries = [...new Set(own.flatMap(({ entry1, entry2 }) => [entry1, entry2]))].filter(
      (entry) => entry !== null,
    )
    const rows = entries.map((entry) => ({ ...createRow(entry, own), seed: seeds.indexOf(entry) }))
    return {
      grp,
      isDecided: own.every(({ state }) => state === 'done' || state === 'bye'),
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

const sumPoints = ({ wins, draws, losses }: Row) =>
  wins * GROUP_POINTS.win + draws * GROUP_POINTS.draw + losses * GROUP_POINTS.loss

function createRow(entry: number, matches: readonly Played[]): Row {
  const row: Row = { entry, played: 0, wins: 0, draws: 0, losses: 0, scored: 0, against: 0 }
  for (const { entry1, entry2, outcome, score1, score2, winner } of matches) {
    if (outcome === null || outcome === 'cancelled' || (entry1 !== entry && entry2 !== entry)) continue
    const [own, other] = entry1 === entry ? [score1, score2] : [score2, score1]
    row.played++
    row.scored += own ?? 0
    row.against += other ?? 0
    if (winner === null) row.draws++
    else if (winner === entry) row.wins++
    else row.losses++
  }
  return row
}

/** Whether no match is left to be played. */
export const isDecided = (matches: readonly Played[]) =>
  matches.length > 0 && matches.every(({ state }) => state !== 'open' && state !== 'ready')

/**
 * The place of every entry of a decided tournament. Those who went out in the same round share a place, also both entries of
 * a cancelled final.
 *
 * @param seeds the entries, best first
 */
export function rankEntries(matches: readonly Played[], shape: Shape, seeds: readonly number[]): Map<number, number> {
  const places = new Map<number, number>()
  for (const tier of [...groupTiers(matches, shape, seeds), seeds]) {
    const here = [...new Set(tier)].filter((entry) => !places.has(entry))
    const place = places.size + 1
    for (const entry of here) places.set(entry, place)
  }
  places.delete(VACANT)
  return places
}

/** Stands for a missing entry. No entry has this number. */
const VACANT = 0

/** Entries that share a place, best first. An entry counts where it comes first. */
function groupTiers(matches: readonly Played[], shape: Shape, seeds: readonly number[]): number[][] {
  if (shape.format === 'double') {
    const inGroup = (grp: number) => matches.filter((match) => match.grp === grp)
    return [...finalTiers(inGroup(3)), ...roundTiers(inGroup(2)), ...roundTiers(inGroup(1))]
  }
  const stage = matches.filter((match) => match.stage === (shape.format === 'groups' ? 2 : 1))
  const bracket = stage.filter(({ grp }) => grp === 1)
  const third = stage.filter(({ grp }) => grp === 2)
  const last = Math.max(0, ...bracket.map(({ round }) => round))
  const [winner = [], loser = []] = finalTiers(bracket.filter(({ round }) => round === last))
  // The winner of the match for third place does not get second place if the final had only one entry.
  const second = third.length > 0 && winner.length === 1 && loser.length === 0 ? [VACANT] : loser
  const knockout = [winner, second, ...finalTiers(third), ...roundTiers(bracket.filter(({ round }) => round < last))]
  if (shape.format === 'single') return knockout
  const tables = groupTables(matches, seeds)
  const longest = Math.max(0, ...tables.map(({ rows }) => rows.length))
  const byRank = Array.from({ length: longest }, (_, rank) => tables.flatMap(({ rows }) => rows[rank]?.entry ?? []))
  return hasFinals(shape) ? [...knockout, ...byRank] : byRank
}

/** The winner and the loser of the last of some finals that was played; both at once if it was cancelled. */
function finalTiers(finals: readonly Played[]): number[][] {
  const decisive = finals.findLast(({ state }) => state === 'done' || state === 'bye')
  if (decisive === undefined) return []
  return [decisive.winner === null ? [] : [decisive.winner], getLosers(decisive)]
}

/** Returns the entries that lost in each round, the last round first. */
function roundTiers(matches: readonly Played[]): number[][] {
  const rounds = [...new Set(matches.map(({ round }) => round))].sort((a, b) => b - a)
  return rounds.map((round) => matches.filter((match) => match.round === round).flatMap(getLosers))
}

const getLosers = ({ state, entry1, entry2, winner }: Played): number[] =>
  state === 'done' ? [entry1, entry2].filter((entry) => entry !== null && entry !== winner).map(Number) : []
