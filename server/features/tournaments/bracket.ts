import type { BracketsManager } from 'brackets-manager'
import type { Selectable } from 'kysely'
import type { MatchOutcome } from '#contract/tournaments.ts'
import type { Db } from '#server/db/open.ts'
import type { Schema } from '#server/db/schema.ts'
import { type BracketMatch, openBracketStorage, parsePosition, toMatchId } from './bracket-storage.ts'
import { computeGroupTables, hasFinals, type Shape, type TournamentMatch } from './standings.ts'

/** The entered result of a match, and its two entries. */
export type Result = Pick<TournamentMatch, 'entry1' | 'entry2' | 'score1' | 'score2'> & { outcome: MatchOutcome }

type BracketInput = { tournament: number; shape: Shape; results: ReadonlyMap<string, Result> }

/** Loads the library for the first bracket. */
const loadLibrary = () => import('brackets-manager')

/**
 * The library's statuses of a match that can be played (both entries known, or running), and of a match that is over
 * (completed, or its next match is running).
 */
const READY_STATUSES = [2, 3]
const OVER_STATUSES = [4, 5]

/**
 * Computes a tournament's bracket from its seeds and the results by position. Drops a result if its match no longer has
 * the two entries that it was entered for. A corrected result therefore redraws exactly the matches that depend on it, and
 * the same seeds and results always make the same bracket.
 *
 * @returns every match in the order of the rounds, and the positions whose results were dropped
 */
export async function computeBracket(
  tx: Db,
  input: BracketInput,
): Promise<{ matches: TournamentMatch[]; dropped: string[] }> {
  const { storage, seeds, listMatches } = await openBracketStorage(tx, input.tournament)
  const manager = new (await loadLibrary()).BracketsManager(storage)
  const remainingResults = new Map(input.results)
  const readMatches = () => listMatches().map((match, _, allMatches) => toTournamentMatch(match, allMatches, input))
  await createFirstStage(manager, input, seeds)
  await enterResults(manager, { listMatches, shape: input.shape }, remainingResults)
  if (hasFinals(input.shape)) {
    await createFinals(manager, input, computeGroupTables(readMatches(), seeds))
    await enterResults(manager, { listMatches, shape: input.shape }, remainingResults)
  }
  return { matches: readMatches(), dropped: [...remainingResults.keys()] }
}

const roundUpToPowerOfTwo = (count: number) => 2 ** Math.ceil(Math.log2(count))
const padSeeds = (seeds: readonly number[], size: number) => [...seeds, ...Array(size - seeds.length).fill(null)]

async function createFirstStage(
  manager: BracketsManager,
  { tournament, shape }: BracketInput,
  seeds: number[],
): Promise<void> {
  const { format, third_place, groups } = shape
  const stageInput = { tournamentId: tournament, name: 'First', number: 1 }
  if (format === 'groups') {
    const groupCount = groups ?? 1
    // All groups get the same size; a match against an empty seed is a bye.
    const size = Math.ceil(seeds.length / groupCount) * groupCount
    await manager.create.stage({
      ...stageInput,
      type: 'round_robin',
      seedingIds: padSeeds(seeds, size),
      settings: { groupCount, size, seedOrdering: ['groups.seed_optimized'] },
    })
    return
  }
  const size = Math.max(roundUpToPowerOfTwo(seeds.length), format === 'double' ? 4 : 2)
  await manager.create.stage({
    ...stageInput,
    type: format === 'double' ? 'double_elimination' : 'single_elimination',
    seedingIds: padSeeds(seeds, size),
    settings: {
      size,
      seedOrdering: ['inner_outer'],
      ...(format === 'double' ? { grandFinal: 'double' } : { consolationFinal: third_place && size >= 4 }),
    },
  })
}

/**
 * Creates the finals after groups. They have no entries until every group is decided. Then the winners of the groups are
 * seeded first.
 */
async function createFinals(
  manager: BracketsManager,
  { tournament, shape }: BracketInput,
  tables: ReturnType<typeof computeGroupTables>,
): Promise<void> {
  const advance = shape.advance ?? 1
  const size = tables.length * advance
  const isDecided = tables.every((table) => table.isDecided)
  const bestEntries = Array.from({ length: advance }, (_, rank) =>
    tables.map(({ rows }) => rows[rank]?.entry ?? null),
  ).flat()
  await manager.create.stage({
    tournamentId: tournament,
    name: 'Finals',
    number: 2,
    type: 'single_elimination',
    ...(isDecided && { seedingIds: bestEntries }),
    settings: { size, seedOrdering: ['inner_outer'], consolationFinal: shape.third_place && size >= 4 },
  })
}

/** Enters each result whose match has its entries and removes it from `results`, until no more results can be entered. */
async function enterResults(
  manager: BracketsManager,
  { listMatches, shape }: { listMatches: () => BracketMatch[]; shape: Shape },
  results: Map<string, Result>,
): Promise<void> {
  let hasEntered = true
  while (hasEntered) {
    hasEntered = false
    for (const match of listMatches()) {
      const { id, status, opponent1, opponent2 } = match
      const result = results.get(String(id))
      if (result === undefined || !READY_STATUSES.includes(status) || isUnneeded(match, listMatches(), shape)) continue
      if (opponent1?.id !== result.entry1 || opponent2?.id !== result.entry2) continue
      await manager.update.match({ id, ...toUpdate(result) })
      results.delete(String(id))
      hasEntered = true
    }
  }
}

function toUpdate({ outcome, score1, score2 }: Result) {
  if (outcome === 'cancelled') return { opponent1: { forfeit: true }, opponent2: { forfeit: true } }
  if (outcome === 'walkover1') return { opponent2: { forfeit: true } }
  if (outcome === 'walkover2') return { opponent1: { forfeit: true } }
  const [firstScore, secondScore] = [score1 ?? 0, score2 ?? 0]
  const toSide = (score: number, otherScore: number) =>
    ({ score, result: score > otherScore ? 'win' : score < otherScore ? 'loss' : 'draw' }) as const
  return { opponent1: toSide(firstScore, secondScore), opponent2: toSide(secondScore, firstScore) }
}

const hasBye = ({ opponent1, opponent2 }: BracketMatch) => opponent1 === null || opponent2 === null

/**
 * Returns whether a match is a second grand final that is not played, because the upper bracket's entry won the first one.
 */
function isUnneeded(match: BracketMatch, allMatches: BracketMatch[], shape: Shape): boolean {
  const firstFinal = findFirstGrandFinal(match, allMatches, shape)
  return firstFinal !== undefined && OVER_STATUSES.includes(firstFinal.status) && firstFinal.opponent2?.result !== 'win'
}

/** Returns the first grand final if a match is the second grand final; undefined for every other match. */
function findFirstGrandFinal(
  match: BracketMatch,
  allMatches: BracketMatch[],
  { format }: Shape,
): BracketMatch | undefined {
  const position = parsePosition(match)
  if (format !== 'double' || position.grp !== 3 || position.round !== 2) return undefined
  return allMatches.find(({ id }) => id === toMatchId({ ...position, round: 1 }))
}

function toTournamentMatch(
  match: BracketMatch,
  allMatches: BracketMatch[],
  { shape, results }: BracketInput,
): TournamentMatch {
  const position = parsePosition(match)
  const { opponent1, opponent2, status } = match
  const isGroup = shape.format === 'groups' && position.stage === 1
  const firstFinal = findFirstGrandFinal(match, allMatches, shape)
  // The library fills in both entries of the second grand final as soon as the first one has them.
  const isWaitingForFirst = firstFinal !== undefined && !OVER_STATUSES.includes(firstFinal.status)
  const hasNoEntries = isWaitingForFirst || isUnneeded(match, allMatches, shape)
  const [entry1, entry2] = hasNoEntries ? [null, null] : [getEntryId(opponent1), getEntryId(opponent2)]
  const fields = { ...position, entry1, entry2, outcome: null, score1: null, score2: null, winner: null }
  if (hasNoEntries) return { ...fields, state: isWaitingForFirst ? 'open' : 'unneeded' }
  if (hasBye(match)) return { ...fields, state: 'bye', winner: isGroup ? null : (entry1 ?? entry2) }
  const result = OVER_STATUSES.includes(status) ? results.get(toMatchId(position)) : undefined
  if (result === undefined) return { ...fields, state: READY_STATUSES.includes(status) ? 'ready' : 'open' }
  const { outcome, score1, score2 } = result
  const winner = opponent1?.result === 'win' ? entry1 : opponent2?.result === 'win' ? entry2 : null
  return { ...fields, state: 'done', outcome, score1, score2, winner }
}

const getEntryId = (side: BracketMatch['opponent1']) => (typeof side?.id === 'number' ? side.id : null)

type MatchRow = Selectable<Schema['tournament_matches']>
type ResultChange = { match: number; by: number; now: Date; result: Omit<Result, 'entry1' | 'entry2'> | null }

/** Selects the matches of a tournament in the order of the bracket. */
export const selectMatches = (db: Db, tournament: number) =>
  db
    .selectFrom('tournament_matches')
    .where('tournament', '=', tournament)
    .selectAll()
    .orderBy('stage')
    .orderBy('grp')
    .orderBy('round')
    .orderBy('number')
    .execute()

const toResult = ({ entry1, entry2, score1, score2, outcome }: MatchRow): Result | undefined =>
  outcome === null ? undefined : { entry1, entry2, score1, score2, outcome }

/**
 * Redraws a tournament's matches after a change of one result.
 *
 * @param rows the tournament's present matches, which the caller has locked; none for the first draw
 * @param change the match, and its new result; a null result removes the old one
 * @returns the new matches; `dropped`, the other matches that lose their results; and `save`, which writes the changes
 */
export async function redraw(
  tx: Db,
  { tournament, shape, rows, change }: { tournament: number; shape: Shape; rows: MatchRow[]; change?: ResultChange },
) {
  const rowsBefore = new Map(rows.map((row) => [toMatchId(row), row]))
  const results = new Map<string, Result>()
  for (const row of rows) {
    const changedResult = row.match === change?.match ? change.result : undefined
    const { entry1, entry2 } = row
    const result =
      changedResult === undefined
        ? toResult(row)
        : changedResult === null
          ? undefined
          : { entry1, entry2, ...changedResult }
    if (result !== undefined) results.set(toMatchId(row), result)
  }
  const { matches, dropped } = await computeBracket(tx, { tournament, shape, results })

  const newRows = matches.map((match) => {
    const { result_by = null, result_at = null, starts_at = null, version = 0 } = rowsBefore.get(toMatchId(match)) ?? {}
    const isChanged = rowsBefore.get(toMatchId(match))?.match === change?.match
    const resultAuthor =
      isChanged && change !== undefined ? { result_by: change.by, result_at: change.now } : { result_by, result_at }
    const resultFields = match.outcome === null ? { result_by: null, result_at: null } : resultAuthor
    return { ...match, ...resultFields, tournament, starts_at, version: version + 1 }
  })
  const changedRows = newRows.filter((row) => {
    const rowBefore = rowsBefore.get(toMatchId(row))
    return (
      rowBefore === undefined || COMPARED_COLUMNS.some((column) => String(rowBefore[column]) !== String(row[column]))
    )
  })
  return {
    dropped: rows.filter((row) => row.match !== change?.match && dropped.includes(toMatchId(row))),
    matches,
    /** Writes the changes in one statement. */
    save: async () => {
      if (changedRows.length === 0) return
      await tx
        .insertInto('tournament_matches')
        .values(changedRows)
        .onConflict((conflict) =>
          conflict
            .constraint('tournament_matches_position_key')
            .doUpdateSet((row) =>
              Object.fromEntries(UPDATED_COLUMNS.map((column) => [column, row.ref(`excluded.${column}`)])),
            ),
        )
        .execute()
    },
  }
}

const COMPARED_COLUMNS = [
  'entry1',
  'entry2',
  'state',
  'outcome',
  'score1',
  'score2',
  'winner',
  'result_by',
  'result_at',
] as const
const UPDATED_COLUMNS = [...COMPARED_COLUMNS, 'version'] as const
