import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { MatchOutcome } from '#contract/tournaments.ts'
import { insertAccount } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { redraw, selectMatches } from './bracket.ts'
import { computeGroupTables, isDecided, rankEntries, type Shape } from './standings.ts'

const { db, clock } = await createTestApp()
const now = clock.now()
const refereeNum = await insertAccount(db, { user_id: 'referee' })
const players = await Promise.all(
  Array.from({ length: 16 }, (_, n) => insertAccount(db, { user_id: `contender_${n}` })),
)

type ShapeFields = Partial<Shape> & Pick<Shape, 'format'>

/** Creates a drawn tournament of `count` players, whose seeds have the order of their entries. */
async function drawTournament(count: number, shapeFields: ShapeFields) {
  const shape: Shape = { third_place: false, groups: null, advance: null, ...shapeFields }
  const { tournament } = await db
    .insertInto('tournaments')
    .values({
      name: `${shapeFields.format} of ${count}`,
      kind: 'players',
      max_entries: 128,
      registration_from: now,
      registration_until: new Date(now.getTime() + 1000),
      checkin_from: now,
      checkin_until: new Date(now.getTime() + 2000),
      starts_at: new Date(now.getTime() + 3000),
      created_at: now,
      state: 'drawn',
      ...shape,
    })
    .returning('tournament')
    .executeTakeFirstOrThrow()
  const rows = await db
    .insertInto('tournament_entries')
    .values(
      players.slice(0, count).map((user_num, index) => ({
        tournament,
        user_num,
        cha_num: 900_000 + index,
        cha_name: `Contender ${index + 1}`,
        cha_level: 50,
        cha_class: '1',
        cha_school: 0,
        registered_at: now,
        seed: index + 1,
      })),
    )
    .returning('entry')
    .execute()
  const seeds = rows.map(({ entry }) => entry)
  const readMatches = () => selectMatches(db, tournament)
  /**
   * Enters or corrects the result of a match; `null` removes it. Without a match, only draws the bracket.
   *
   * @returns the matches whose results are removed
   */
  const changeResult = async (
    match: number | undefined,
    result: { outcome: MatchOutcome; score1: number | null; score2: number | null } | null,
  ) => {
    const rows = await readMatches()
    return db.transaction().execute(async (tx) => {
      const author = { by: refereeNum, now }
      const redrawing = await redraw(tx, {
        tournament,
        shape,
        rows,
        ...(match !== undefined && { change: { match, result, ...author } }),
      })
      await redrawing.save()
      return redrawing.dropped.map(({ match }) => match)
    })
  }
  await changeResult(undefined, null)
  const readReadyMatches = async () => (await readMatches()).filter(({ state }) => state === 'ready')
  /** Enters a win of the better seed in every ready match, until none is left. */
  const playOut = async () => {
    for (let [next] = await readReadyMatches(); next !== undefined; [next] = await readReadyMatches()) {
      const isFirst = seeds.indexOf(Number(next.entry1)) < seeds.indexOf(Number(next.entry2))
      await changeResult(next.match, { outcome: 'played', score1: isFirst ? 2 : 1, score2: isFirst ? 1 : 2 })
    }
  }
  const readPlaces = async () => {
    const rankedPlaces = rankEntries(await readMatches(), shape, seeds)
    return seeds.map((entry) => rankedPlaces.get(entry))
  }
  const findSeed = (entry: number | null) => (entry === null ? null : seeds.indexOf(entry) + 1)
  return { seeds, readMatches, changeResult, readReadyMatches, playOut, readPlaces, findSeed }
}

const win = { outcome: 'played', score1: 2, score2: 0 } as const
const loss = { outcome: 'played', score1: 0, score2: 2 } as const
const walkover = { outcome: 'walkover2', score1: null, score2: null } as const
const cancelled = { outcome: 'cancelled', score1: null, score2: null } as const

test('single elimination: the best seeds meet last, byes advance, and third place has a match', async () => {
  const cup = await drawTournament(6, { format: 'single', third_place: true })
  const firstRound = (await cup.readMatches()).filter(({ grp, round }) => grp === 1 && round === 1)
  assert.deepEqual(
    firstRound.map(({ entry1, entry2, state }) => [cup.findSeed(entry1), cup.findSeed(entry2), state]),
    [
      [1, null, 'bye'],
      [4, 5, 'ready'],
      [2, null, 'bye'],
      [3, 6, 'ready'],
    ],
  )
  await cup.playOut()
  assert.ok(isDecided(await cup.readMatches()))
  assert.deepEqual(await cup.readPlaces(), [1, 2, 3, 4, 5, 5])
})

test('double elimination: an entry can win after one loss, in a deciding match', async () => {
  const cup = await drawTournament(8, { format: 'double' })
  await cup.playOut()
  assert.deepEqual((await cup.readPlaces()).slice(0, 5), [1, 2, 3, 4, 5])
  assert.equal((await cup.readMatches()).findLast(({ grp }) => grp === 3)?.state, 'unneeded')
  const final = (await cup.readMatches()).find(({ grp, round }) => grp === 3 && round === 1)
  assert.deepEqual([cup.findSeed(final?.entry1 ?? null), cup.findSeed(final?.entry2 ?? null)], [1, 2])
  await cup.changeResult(final?.match, loss)
  const [decidingMatch] = await cup.readReadyMatches()
  assert.deepEqual([decidingMatch?.grp, decidingMatch?.round, cup.findSeed(decidingMatch?.entry1 ?? null)], [3, 2, 1])
  assert.equal(isDecided(await cup.readMatches()), false)
  await cup.changeResult(decidingMatch?.match, loss)
  assert.deepEqual((await cup.readPlaces()).slice(0, 3), [2, 1, 3])
})

test('double elimination works for any number of entries', async () => {
  for (const count of [3, 5, 6, 11]) {
    const cup = await drawTournament(count, { format: 'double' })
    await cup.playOut()
    assert.ok(isDecided(await cup.readMatches()), `${count} entries`)
    assert.deepEqual((await cup.readPlaces()).slice(0, 3), [1, 2, 3], `${count} entries`)
  }
})

test('groups: all entries of a group play each other, and the best of each group play the finals', async () => {
  const cup = await drawTournament(7, { format: 'groups', groups: 2, advance: 2 })
  assert.ok(
    (await cup.readMatches())
      .filter(({ stage }) => stage === 2)
      .every(({ state, entry1 }) => state === 'open' && entry1 === null),
  )
  for (let [next] = await cup.readReadyMatches(); next?.stage === 1; [next] = await cup.readReadyMatches()) {
    const isFirst = Number(next.entry1) < Number(next.entry2)
    await cup.changeResult(next.match, isFirst ? win : loss)
  }
  const [firstTable, secondTable] = computeGroupTables(await cup.readMatches(), cup.seeds)
  assert.deepEqual(
    [firstTable, secondTable].map((table) => table?.rows.map(({ entry }) => cup.findSeed(entry))),
    [
      [1, 4, 5],
      [2, 3, 6, 7],
    ],
  )
  const semifinals = (await cup.readMatches()).filter(({ stage, round }) => stage === 2 && round === 1)
  assert.deepEqual(
    semifinals.map(({ entry1, entry2 }) => [cup.findSeed(entry1), cup.findSeed(entry2)]),
    [
      [1, 3],
      [2, 4],
    ],
  )
  await cup.playOut()
  assert.deepEqual((await cup.readPlaces()).slice(0, 2), [1, 2])
})

test('one group: the table decides; a draw is worth a point, the score difference breaks ties', async () => {
  const cup = await drawTournament(3, { format: 'groups', groups: 1, advance: 1 })
  const findMatch = async (firstSeed: number, secondSeed: number) =>
    (await cup.readMatches()).find(({ entry1, entry2 }) =>
      [firstSeed, secondSeed].every((seed) => [entry1, entry2].map(cup.findSeed).includes(seed)),
    )
  const play = async (firstSeed: number, secondSeed: number, [x, y]: [number, number]) => {
    const match = await findMatch(firstSeed, secondSeed)
    const [score1, score2] = cup.findSeed(match?.entry1 ?? null) === firstSeed ? [x, y] : [y, x]
    await cup.changeResult(match?.match, { outcome: 'played', score1, score2 })
  }
  await play(1, 2, [1, 1])
  await play(1, 3, [2, 1])
  await play(2, 3, [5, 1])
  const [table] = computeGroupTables(await cup.readMatches(), cup.seeds)
  assert.deepEqual(
    table?.rows.map(({ entry, points, draws, scored, against }) => [
      cup.findSeed(entry),
      points,
      draws,
      scored,
      against,
    ]),
    [
      [2, 4, 1, 6, 2],
      [1, 4, 1, 3, 2],
      [3, 0, 0, 2, 7],
    ],
  )
  assert.deepEqual(await cup.readPlaces(), [2, 1, 3])
})

test('a walkover advances the present entry, and a cancelled match advances none', async () => {
  const cup = await drawTournament(4, { format: 'single' })
  const [firstMatch, secondMatch] = await cup.readReadyMatches()
  await cup.changeResult(firstMatch?.match, walkover)
  await cup.changeResult(secondMatch?.match, cancelled)
  const final = (await cup.readMatches()).find(({ round }) => round === 2)
  assert.deepEqual([final?.state, cup.findSeed(final?.winner ?? null)], ['bye', 4])
  assert.deepEqual(await cup.readPlaces(), [2, 2, 2, 1])
  const cupWithThirdPlace = await drawTournament(4, { format: 'single', third_place: true })
  const [cancelledMatch] = await cupWithThirdPlace.readReadyMatches()
  await cupWithThirdPlace.changeResult(cancelledMatch?.match, cancelled)
  await cupWithThirdPlace.playOut()
  assert.deepEqual((await cupWithThirdPlace.readPlaces()).toSorted(), [1, 3, 4, 4])
  const doubleCup = await drawTournament(4, { format: 'double' })
  const [readyMatch] = await doubleCup.readReadyMatches()
  await doubleCup.changeResult(readyMatch?.match, cancelled)
  await doubleCup.playOut()
  assert.ok(isDecided(await doubleCup.readMatches()))
})

test('a result for a cancelled match puts both entries into their next matches', async () => {
  const cup = await drawTournament(8, { format: 'double' })
  const [firstMatch] = await cup.readReadyMatches()
  await cup.changeResult(firstMatch?.match, cancelled)
  await cup.playOut()
  await cup.changeResult(firstMatch?.match, win)
  await cup.playOut()
  assert.deepEqual((await cup.readPlaces()).slice(0, 4), [1, 2, 3, 4])
})

test('a corrected result removes only the results that depend on it', async () => {
  const cup = await drawTournament(8, { format: 'single' })
  await cup.playOut()
  const findMatchAt = async (round: number, number: number) =>
    (await cup.readMatches()).find((match) => match.round === round && match.number === number)
  const firstMatch = await findMatchAt(1, 1)
  assert.deepEqual(await cup.changeResult(firstMatch?.match, { outcome: 'played', score1: 3, score2: 2 }), [])
  const [semifinal, final] = [await findMatchAt(2, 1), await findMatchAt(3, 1)]
  const droppedMatches = await cup.changeResult(firstMatch?.match, loss)
  assert.deepEqual(droppedMatches, [semifinal?.match, final?.match])
  assert.deepEqual(
    [cup.findSeed((await findMatchAt(2, 1))?.entry1 ?? null), (await findMatchAt(2, 1))?.state],
    [8, 'ready'],
  )
  assert.deepEqual([(await findMatchAt(2, 2))?.state, (await findMatchAt(3, 1))?.state], ['done', 'open'])
})

test('a corrected group redraws the finals only if other entries advance', async () => {
  const cup = await drawTournament(4, { format: 'groups', groups: 2, advance: 1 })
  await cup.playOut()
  const [group, , final] = await cup.readMatches()
  assert.deepEqual(await cup.changeResult(group?.match, { outcome: 'played', score1: 9, score2: 0 }), [])
  assert.deepEqual(await cup.changeResult(group?.match, loss), [final?.match])
})

test('draws the same bracket from the same results, after any order of entries and corrections', async () => {
  const stepArbitrary = fc.record({ nth: fc.nat(30), kind: fc.constantFrom(win, loss, walkover, cancelled, null) })
  const shapes: ShapeFields[] = [{ format: 'single', third_place: true }, { format: 'double' }]
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...shapes),
      fc.integer({ min: 3, max: 9 }),
      fc.array(stepArbitrary, { maxLength: 14 }),
      async (shape, count, steps) => {
        const cup = await drawTournament(count, shape)
        for (const { nth, kind } of steps) {
          const changeableMatches = (await cup.readMatches()).filter(
            ({ state }) => state === 'ready' || state === 'done',
          )
          if (changeableMatches.length > 0)
            await cup.changeResult(changeableMatches[nth % changeableMatches.length]?.match, kind)
        }
        await cup.playOut()
        const matchesAfter = await cup.readMatches()
        assert.ok(isDecided(matchesAfter))
        const places = await cup.readPlaces()
        assert.equal(places.filter((place) => place !== undefined).length, count)
        for (const { state, entry1, entry2, winner, outcome } of matchesAfter) {
          if (state === 'done') assert.equal(winner === null, outcome === 'cancelled')
          if (state === 'done') assert.ok(entry1 !== null && entry2 !== null)
        }
        await cup.changeResult(undefined, null)
        assert.deepEqual(await cup.readMatches(), matchesAfter)
      },
    ),
    { numRuns: 12, seed: 35 },
  )
})
