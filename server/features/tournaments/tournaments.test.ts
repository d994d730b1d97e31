import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '#contract/durations.ts'
import { assertRefused, createPlayer, openPlayerSession, type Player } from '#test/account-helpers.ts'
import { createOperator } from '#test/desk-helpers.ts'
import { insertCharacter, insertRows, updateRows } from '#test/factories.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db, clock } = site
const gm = await openPlayerSession(site, 'gm')
const referee = await createOperator(site, 'moderator')

type Fields = Record<string, unknown>

const at = (hours: number) => new Date(clock.now().getTime() + hours * HOUR_MS).toISOString()
/** Moves the clock by hours without ending the sessions. */
async function passHours(hours: number) {
  clock.advance(hours * HOUR_MS)
  await db
    .updateTable('sessions')
    .set({ last_seen_at: clock.now(), ends_at: new Date(clock.now().getTime() + HOUR_MS) })
    .execute()
}
const callTournaments = (name: string, body: object, operator: Pick<Player, 'post'> = gm) =>
  operator.post(`/api/admin/tournaments/${name}`, body)
const confirmIdentity = (operator: Player, UserPass: string) => operator.post('/api/confirmidentity', { UserPass })

/** Awaits a response, asserts its status 200, and returns its body. */
async function expectOk(answer: ReturnType<typeof callTournaments>) {
  const { status, text, json } = await answer
  assert.equal(status, 200, text)
  return json()
}

const createInput = (values: Fields = {}) => ({
  tournament: null,
  version: 0,
  name: 'Rooftop Cup',
  about: 'Bring friends.',
  kind: 'players',
  format: 'single',
  third_place: false,
  level_from: 10,
  level_to: '',
  max_entries: 4,
  registration_from: at(0),
  registration_until: at(2),
  checkin_from: at(2),
  checkin_until: at(3),
  starts_at: at(4),
  prizes: [],
  ...values,
})

/** Creates an announced tournament whose registration opens now. @returns its id */
async function announceTournament(values: Fields = {}): Promise<number> {
  const { tournament, version } = await expectOk(callTournaments('save', createInput(values)))
  await expectOk(callTournaments('announce', { tournament, version }))
  return tournament
}

const readPage = async (tournament: number) => {
  site.cache.clear()
  return (await site.get(`/api/tournaments/${tournament}`)).json()
}
const readDesk = async (tournament: number, operator: Pick<Player, 'get'> = gm) =>
  (await operator.get(`/api/admin/tournaments/one?tournament=${tournament}`)).json()

async function createContender(level = 50) {
  const player = await createPlayer(site)
  const character = await insertCharacter(db, { user_num: player.user.UserNum, cha_level: level })
  return { ...player, character }
}
type Contender = Awaited<ReturnType<typeof createContender>>
const contenders = await Promise.all(Array.from({ length: 4 }, () => createContender()))

const register = (player: Contender, tournament: number, fields: Fields = {}) =>
  player.post('/api/tournaments/register', { tournament, character: player.character, club: '', ...fields })

/** Creates a tournament and draws its bracket, with the seeds in the order of `players`. */
async function createDrawnTournament(values: Fields = {}, players: readonly Contender[] = contenders) {
  const tournament = await announceTournament({ max_entries: 16, ...values })
  for (const [nth, player] of players.entries()) {
    const answer = await register(player, tournament, values.kind === 'clubs' ? { club: `Club ${nth}` } : {})
    assert.equal(answer.status, 200, answer.text)
  }
  await passHours(2)
  for (const player of players)
    assert.equal((await player.post('/api/tournaments/checkin', { tournament })).status, 200)
  await passHours(1)
  const { version, list } = await readDesk(tournament)
  const seeds = players.map(({ character }) => list.find(({ cha_num }: Fields) => cha_num === character).entry)
  await expectOk(
    callTournaments('draw', {
      tournament,
      version,
      seeds,
      groups: values.groups ?? null,
      advance: values.advance ?? null,
    }),
  )
  return { tournament, seeds }
}

const readReadyMatches = async (tournament: number) =>
  (await readDesk(tournament)).matches.filter(({ state }: Fields) => state === 'ready')
const createScore = (score1: number, score2: number) => ({ outcome: 'played', score1, score2 })
const enterResult = (
  match: Fields,
  result: Fields,
  { by: operator = referee as Pick<Player, 'post'>, redraws = [] as unknown[] } = {},
) =>
  callTournaments(
    'result',
    { match: match.match, version: match.version, score1: null, score2: null, ...result, redraws },
    operator,
  )

/** Enters a win of the first entry in every match, as the operator `by`. */
async function playOut(tournament: number, operator: Pick<Player, 'post'> = referee) {
  for (
    let [nextMatch] = await readReadyMatches(tournament);
    nextMatch !== undefined;
    [nextMatch] = await readReadyMatches(tournament)
  )
    await expectOk(enterResult(nextMatch, createScore(2, 1), { by: operator }))
}

async function finalise(tournament: number, operator: Pick<Player, 'post' | 'get'> = gm) {
  const { version } = await readDesk(tournament)
  await confirmIdentity(gm, 'gm-demo-1')
  return callTournaments('finalise', { tournament, version }, operator)
}

test('refuses to schedule or finalise a tournament before its bracket is drawn', async () => {
  const tournament = await announceTournament()
  assertRefused(
    await callTournaments('schedule', { tournament, matches: [1], starts_at: at(5) }),
    409,
    'Draw the bracket first.',
  )
  assertRefused(await finalise(tournament), 409, 'Draw the bracket first.')
})

test('players cannot see a draft, and can register for an announced tournament in its time', async () => {
  const { tournament, version } = await expectOk(callTournaments('save', createInput({ registration_from: at(1) })))
  assertRefused(await site.get(`/api/tournaments/${tournament}`), 404)
  const [ana] = contenders
  assert.ok(ana)
  assertRefused(await register(ana, tournament), 404)
  await expectOk(callTournaments('announce', { tournament, version }))
  assertRefused(await callTournaments('announce', { tournament, version: version + 1 }), 409)
  assert.equal((await readPage(tournament)).phase, 'coming')
  assertRefused(await register(ana, tournament), 409, 'Registration is not open.')
  await passHours(1)
  assert.equal((await readPage(tournament)).phase, 'open')
  assert.equal((await register(ana, tournament)).status, 200)
  assertRefused(await register(ana, tournament), 409, 'You are already registered.')
  assert.deepEqual((await ana.get(`/api/tournaments/${tournament}/mine`)).json().entry.cha_num, ana.character)
  await passHours(1)
  assert.equal((await ana.post('/api/tournaments/withdraw', { tournament })).status, 200)
  assertRefused(await ana.post('/api/tournaments/withdraw', { tournament }), 409)
  assertRefused(await register(ana, tournament), 409, 'Registration is not open.')
})

test('accepts only the player’s visible characters of the required level', async () => {
  const tournament = await announceTournament({ level_from: 20, level_to: 60 })
  const [ana, ben] = [await createContender(19), await createContender(60)]
  assertRefused(await register(ana, tournament), 422)
  assertRefused(await register(ana, tournament, { character: ben.character }), 422)
  const { characters } = (await ana.get(`/api/tournaments/${tournament}/mine`)).json()
  assert.deepEqual([characters[0].cha_num, characters[0].why_not], [ana.character, 'level 19 does not fit'])
  await expectOk(gm.post('/api/admin/rankings/hide', { cha_num: ben.character, reason: 'Name of a real person' }))
  assertRefused(await register(ben, tournament), 422)
  await expectOk(gm.post('/api/admin/rankings/show', { cha_num: ben.character, reason: 'Renamed' }))
  assert.equal((await register(ben, tournament)).status, 200)
  await expectOk(gm.post('/api/admin/rankings/hide', { cha_num: ben.character, reason: 'Again' }))
  assert.equal((await readPage(tournament)).list[0].name, 'Hidden character')
})

test('accepts concurrent registrations only up to the maximum of entries', async () => {
  const tournament = await announceTournament({ max_entries: 2 })
  const answers = await Promise.all(contenders.map((player) => register(player, tournament)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 409, 409])
  assert.equal((await readPage(tournament)).list.length, 2)
  assertRefused(
    await callTournaments('save', createInput({ tournament, version: 2, max_entries: 2, kind: 'clubs' })),
    422,
  )
})

test('registers a club once, and lets operators replace its leader until its check-in', async () => {
  const tournament = await announceTournament({ kind: 'clubs' })
  const [ana, ben, carl] = contenders as [Contender, Contender, Contender]
  assertRefused(await register(ana, tournament), 422, 'Enter the name of your club.')
  assert.equal((await register(ana, tournament, { club: 'Bukang Liwayway' })).status, 200)
  assertRefused(await register(ben, tournament, { club: 'bukang liwayway' }), 409, 'This club is already registered.')
  const [{ entry }] = (await readDesk(tournament)).list
  const replaceLeader = (user_id: string) => callTournaments('leader', { entry, user_id, reason: 'Requested.' })
  await register(ben, tournament, { club: 'Tala' })
  assertRefused(await replaceLeader(ben.form.userId), 422)
  const { cha_level } = await db
    .selectFrom('characters')
    .where('cha_num', '=', carl.character)
    .select('cha_level')
    .executeTakeFirstOrThrow()
  await updateRows(db, 'tournaments', { tournament }, { level_from: cha_level + 1 })
  assertRefused(
    await replaceLeader(carl.form.userId),
    422,
    'None of this player’s characters has a level that can take part.',
  )
  await db.updateTable('tournaments').set({ level_from: 1 }).where('tournament', '=', tournament).execute()
  await expectOk(replaceLeader(carl.form.userId))
  assert.equal((await ana.get(`/api/tournaments/${tournament}/mine`)).json().entry, null)
  await expectOk(callTournaments('checkin', { entry }))
  assertRefused(await replaceLeader(ana.form.userId), 409)
})

test('opens check-in for its time, and draws only entries that checked in', async () => {
  const tournament = await announceTournament()
  const [ana, ben, carl] = contenders as [Contender, Contender, Contender]
  for (const player of [ana, ben, carl]) await register(player, tournament)
  const checkIn = (player: Contender) => player.post('/api/tournaments/checkin', { tournament })
  assertRefused(await checkIn(ana), 409, 'Check-in is not open.')
  await passHours(2)
  assert.equal((await readPage(tournament)).phase, 'checkin')
  assert.equal((await checkIn(ana)).status, 200)
  assert.equal((await checkIn(ana)).status, 200)
  const { version, list } = await readDesk(tournament)
  const [firstEntry, secondEntry, thirdEntry] = [ana, ben, carl].map(({ character }) =>
    list.find(({ cha_num }: Fields) => cha_num === character),
  )
  const drawEntries = (seeds: number[]) =>
    callTournaments('draw', { tournament, version, seeds, groups: null, advance: null })
  assertRefused(await drawEntries([firstEntry.entry, secondEntry.entry]), 409)
  await passHours(1)
  assertRefused(await checkIn(ben), 409, 'Check-in is not open.')
  assertRefused(await drawEntries([firstEntry.entry, secondEntry.entry]), 422)
  await expectOk(callTournaments('checkin', { entry: secondEntry.entry }))
  await expectOk(callTournaments('remove', { entry: thirdEntry.entry, reason: 'Has to work.' }))
  assertRefused(await drawEntries([firstEntry.entry]), 422)
  assertRefused(await drawEntries([firstEntry.entry, firstEntry.entry]), 422)
  await expectOk(drawEntries([firstEntry.entry, secondEntry.entry]))
  assertRefused(await callTournaments('remove', { entry: secondEntry.entry, reason: 'Late.' }), 409)
  assertRefused(await ben.post('/api/tournaments/withdraw', { tournament }), 409)
  assert.equal((await readPage(tournament)).phase, 'running')
})

test('allows redrawing a bracket until the first result, and sets the times of matches', async () => {
  const { tournament, seeds } = await createDrawnTournament()
  const redrawBracket = async (order: number[]) =>
    callTournaments('draw', {
      tournament,
      version: (await readDesk(tournament)).version,
      seeds: order,
      groups: null,
      advance: null,
    })
  await expectOk(redrawBracket(seeds.toReversed()))
  const { matches, list } = await readPage(tournament)
  assert.equal(matches.length, 3)
  assert.equal(list[0].entry, seeds[3])
  await expectOk(
    callTournaments('schedule', { tournament, matches: [matches[0].match, matches[1].match], starts_at: at(5) }),
  )
  assertRefused(await callTournaments('schedule', { tournament, matches: [999_999], starts_at: at(5) }), 422)
  const [firstMatch] = await readReadyMatches(tournament)
  assert.equal(firstMatch.starts_at, at(5))
  await expectOk(enterResult(firstMatch, createScore(2, 0)))
  assertRefused(await redrawBracket(seeds), 409)
})

test('reports a conflict to one of two operators who enter a result at the same time', async () => {
  const { tournament } = await createDrawnTournament()
  const [firstMatch] = await readReadyMatches(tournament)
  const answers = await Promise.all([
    enterResult(firstMatch, createScore(2, 0)),
    enterResult(firstMatch, createScore(0, 2), { by: gm }),
  ])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const { matches } = await readPage(tournament)
  assert.equal(matches.filter(({ state }: Fields) => state === 'done').length, 1)
})

test('a result needs both entries and a winner, a walkover or a cancellation, and can be removed', async () => {
  const { tournament, seeds } = await createDrawnTournament()
  const [firstMatch, secondMatch] = await readReadyMatches(tournament)
  const { matches } = await readDesk(tournament)
  assertRefused(await enterResult(firstMatch, createScore(1, 1)), 422)
  assertRefused(await enterResult(firstMatch, { outcome: 'played', score1: 1 }), 422)
  assertRefused(await enterResult(firstMatch, { outcome: '' }), 409)
  assertRefused(await enterResult(matches[2], createScore(1, 0)), 409)
  assertRefused(await enterResult({ match: 999_999, version: 1 }, createScore(1, 0)), 404)
  await expectOk(enterResult(firstMatch, { outcome: 'walkover2' }))
  await expectOk(enterResult(secondMatch, { outcome: 'cancelled' }))
  const tournamentPage = await readDesk(tournament)
  assert.deepEqual([tournamentPage.phase, tournamentPage.matches[2].winner], ['decided', seeds[3]])
  await expectOk(enterResult(tournamentPage.matches[0], { outcome: '' }))
  assert.equal((await readPage(tournament)).matches[2].state, 'bye')
  assert.equal((await readPage(tournament)).phase, 'running')
})

test('a correction lists the results that it would remove, and redraws them after a confirmation', async () => {
  const { tournament, seeds } = await createDrawnTournament()
  await playOut(tournament)
  const [firstMatch, , final] = (await readDesk(tournament)).matches
  const response = await enterResult(firstMatch, createScore(0, 2))
  assertRefused(response, 409)
  assert.deepEqual(response.json().redraws, [final.match])
  assert.equal((await readPage(tournament)).matches[2].state, 'done')
  await expectOk(enterResult(firstMatch, createScore(0, 2), { redraws: [final.match] }))
  const matchesAfter = (await readPage(tournament)).matches
  assert.deepEqual([matchesAfter[2].state, matchesAfter[2].entry1], ['ready', seeds[3]])
  const [correctedMatch] = (await readDesk(tournament)).matches
  await expectOk(enterResult(correctedMatch, createScore(1, 2)))
})

test('plays groups with finals and double elimination to the end', async () => {
  const groupTournament = await createDrawnTournament({ format: 'groups', groups: 2, advance: 1 })
  assert.equal((await readPage(groupTournament.tournament)).tables.length, 2)
  await playOut(groupTournament.tournament)
  const { matches, tables } = await readPage(groupTournament.tournament)
  const final = matches.find(({ stage }: Fields) => stage === 2)
  assert.deepEqual(
    [final.entry1, final.entry2],
    tables.map(({ rows }: { rows: Fields[] }) => rows[0]?.entry),
  )
  const doubleTournament = await createDrawnTournament({ format: 'double' })
  await playOut(doubleTournament.tournament)
  assert.equal((await readPage(doubleTournament.tournament)).phase, 'decided')
  const { version } = await readDesk(groupTournament.tournament)
  assertRefused(
    await callTournaments('draw', {
      tournament: groupTournament.tournament,
      version,
      seeds: groupTournament.seeds,
      groups: 3,
      advance: 1,
    }),
    409,
  )
})

const PRIZES = [
  { place: 1, gift: 'r_coin', amount: 500, item: null },
  { place: 2, gift: 'milleage', amount: 200, item: null },
]
const readPrizes = async (tournament: number) =>
  (await readDesk(tournament)).prizes.map(({ place, entry, state, replaced }: Fields) => [
    place,
    entry,
    state,
    replaced,
  ])

test('lets another operator make a tournament final a day after its last result', async () => {
  const { tournament } = await createDrawnTournament({ prizes: PRIZES })
  assertRefused(await finalise(tournament), 409, 'Some matches have no result yet.')
  await playOut(tournament, gm)
  const [, , final] = (await readDesk(tournament)).matches
  assertRefused(await finalise(tournament), 409)
  await passHours(24)
  assert.match((await readDesk(tournament)).not_yet, /You entered the last result/)
  assertRefused(await finalise(tournament), 403)
  await expectOk(enterResult(final, createScore(3, 1)))
  await passHours(23)
  assertRefused(await finalise(tournament), 409)
  assert.deepEqual(await readPrizes(tournament), [])
  await passHours(1)
  await expectOk(finalise(tournament))
  const { list, phase, winner } = await readPage(tournament)
  assert.deepEqual([phase, list[0].place, winner], ['finalised', 1, list[0].name])
  assertRefused(await finalise(tournament), 409)
  assertRefused(await enterResult({ ...final, version: final.version + 1 }, createScore(0, 1)), 409)
})

test('the database enforces the day, the second operator and one prize per rank', async () => {
  const { tournament, seeds } = await createDrawnTournament({ prizes: PRIZES })
  await playOut(tournament)
  const updateTournament = (values: object) =>
    db.updateTable('tournaments').set(values).where('tournament', '=', tournament).execute()
  const finaliser = gm.user.UserNum
  const finalValues = { state: 'finalised', finalised_at: clock.now(), finalised_by: finaliser }
  await assert.rejects(updateTournament(finalValues), /tournaments_finalised_late/)
  const nextDay = new Date(clock.now().getTime() + 24 * HOUR_MS)
  await assert.rejects(
    updateTournament({ ...finalValues, finalised_at: nextDay, finalised_by: referee.user.UserNum }),
    /tournaments_finalised_by_another/,
  )
  const prize = {
    tournament,
    place: 1,
    letter: 1_000_000,
    entry: Number(seeds[0]),
    user_num: Number(contenders[0]?.user.UserNum),
    made_at: nextDay,
    made_by: finaliser,
  }
  const insertPrize = (letter = prize.letter) => insertRows(db, 'tournament_prizes', { ...prize, letter })
  await assert.rejects(insertPrize(), /has prizes when it is finalised/)
  await updateTournament({ ...finalValues, finalised_at: nextDay })
  await insertPrize()
  await assert.rejects(insertPrize(prize.letter + 1), /tournament_prizes_place_key/)
})

test('sends prizes once when the tournament is final, but not to staff or for a shared rank', async () => {
  const staffPlayer = await createContender()
  await db.updateTable('accounts').set({ user_type: 11 }).where('user_num', '=', staffPlayer.user.UserNum).execute()
  const [ana, ben] = contenders as [Contender, Contender]
  const { tournament, seeds } = await createDrawnTournament({ prizes: PRIZES }, [staffPlayer, ana, ben])
  await playOut(tournament)
  await passHours(24)
  const answers = await Promise.all([finalise(tournament), finalise(tournament)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  assert.match(answers.find(({ status }) => status === 200)?.json().message, / is final\. 1 prize sent\.$/)
  assert.deepEqual(await readPrizes(tournament), [[2, seeds[1], 'open', false]])
  const sharedTournament = await createDrawnTournament({ prizes: PRIZES }, [ana, ben])
  const [final] = await readReadyMatches(sharedTournament.tournament)
  await expectOk(enterResult(final, { outcome: 'cancelled' }))
  await passHours(24)
  await expectOk(finalise(sharedTournament.tournament))
  assert.deepEqual(await readPrizes(sharedTournament.tournament), [])
})

test('requires an approval to finalise a tournament with prizes over the limit', async () => {
  await createOperator(site, 'shop')
  const { tournament } = await createDrawnTournament({
    prizes: [{ place: 1, gift: 'r_coin', amount: 9_000_000, item: null }],
  })
  await playOut(tournament)
  await passHours(24)
  const response = await finalise(tournament)
  assert.equal(response.status, 202, response.text)
  assert.deepEqual([(await readPage(tournament)).phase, await readPrizes(tournament)], ['decided', []])
  await changeSettings(site, { approvals_on: false })
  await expectOk(finalise(tournament))
  await changeSettings(site, { approvals_on: true })
  assert.equal((await readPrizes(tournament)).length, 1)
})

test('shows a corrected place, pays the correct winner once, and withdraws the wrong prize', async () => {
  const { tournament, seeds } = await createDrawnTournament({ prizes: PRIZES })
  await playOut(tournament)
  await passHours(24)
  const payPlace = (place: number) => callTournaments('pay', { tournament, place })
  await confirmIdentity(gm, 'gm-demo-1')
  assertRefused(await payPlace(1), 409)
  await expectOk(finalise(tournament))
  assertRefused(await payPlace(1), 409)
  const prizesBefore = await readPrizes(tournament)
  const { version, prizes } = await readDesk(tournament)
  const withdrawPrize = (prize: number) =>
    callTournaments('withdraw', { prize, reason: 'Played with another’s account.' })
  assertRefused(await withdrawPrize(prizes[0].prize), 409, 'This prize belongs to the player who holds the place.')
  const correction = { tournament, version, entry: seeds[0], place: null, reason: 'Played with another’s account.' }
  await expectOk(callTournaments('place', correction))
  assertRefused(await callTournaments('place', correction), 409)
  const tournamentPage = await readPage(tournament)
  assert.deepEqual(
    [tournamentPage.list[0].entry, tournamentPage.list[0].place, tournamentPage.list.at(-1).place],
    [seeds[1], 1, null],
  )
  assert.deepEqual(await readPrizes(tournament), prizesBefore)
  assert.deepEqual(
    (await readDesk(tournament)).holders.map(({ entry, is_paid }: Fields) => [entry, is_paid]),
    [
      [seeds[1], false],
      [null, false],
    ],
  )
  await expectOk(withdrawPrize(prizes[0].prize))
  await expectOk(payPlace(1))
  assertRefused(await payPlace(1), 409)
  assertRefused(await payPlace(2), 409, 'No player can get a prize for this place.')
  assert.deepEqual(await readPrizes(tournament), [
    [1, seeds[1], 'open', false],
    [1, seeds[0], 'withdrawn', true],
    [2, seeds[1], 'open', false],
  ])
  assertRefused(await withdrawPrize(prizes[0].prize), 409)
})

test('never withdraws an accepted prize, and pays the correct winner too', async () => {
  const { tournament, seeds } = await createDrawnTournament({ prizes: PRIZES })
  await playOut(tournament)
  await passHours(24)
  const [ana, ben] = contenders as [Contender, Contender]
  for (const { user } of [ana, ben])
    await updateRows(db, 'accounts', { user_num: user.UserNum }, { email_verified_at: clock.now() })
  const readRCoin = async ({ user }: Contender) => {
    const account = db.selectFrom('accounts').where('user_num', '=', user.UserNum).select('r_coin')
    return (await account.executeTakeFirstOrThrow()).r_coin
  }
  const [anaBefore, benBefore] = [await readRCoin(ana), await readRCoin(ben)]
  await expectOk(finalise(tournament))
  const claimPrize = async (player: Contender) => {
    const { letters } = (await player.get('/api/mailbox')).json()
    const { letter } = letters.find(({ subject }: Fields) => subject === 'Place 1 in Rooftop Cup')
    return player.post('/api/mailbox/claim', { letter })
  }
  await expectOk(claimPrize(ana))
  assertRefused(await claimPrize(ana), 409)
  assert.equal((await readRCoin(ana)) - anaBefore, 500)
  const { version, prizes } = await readDesk(tournament)
  await expectOk(
    callTournaments('place', { tournament, version, entry: seeds[0], place: 2, reason: 'The score was read wrongly.' }),
  )
  assertRefused(
    await callTournaments('withdraw', { prize: prizes[0].prize, reason: 'The score was read wrongly.' }),
    409,
    'This prize has already been accepted or withdrawn. An accepted prize cannot be withdrawn.',
  )
  await expectOk(callTournaments('pay', { tournament, place: 1 }))
  await expectOk(claimPrize(ben))
  assert.deepEqual([(await readRCoin(ana)) - anaBefore, (await readRCoin(ben)) - benBefore], [500, 500])
  // The entry that already has the first prize gets the first place back.
  const { version: newVersion } = await readDesk(tournament)
  await expectOk(
    callTournaments('place', {
      tournament,
      version: newVersion,
      entry: seeds[0],
      place: 1,
      reason: 'It was right after all.',
    }),
  )
  await expectOk(callTournaments('pay', { tournament, place: 1 }))
  assertRefused(await callTournaments('pay', { tournament, place: 1 }), 409)
  assert.deepEqual(
    (await readPrizes(tournament)).filter(([place]: unknown[]) => place === 1),
    [
      [1, seeds[1], 'claimed', true],
      [1, seeds[0], 'claimed', false],
    ],
  )
})

test('a character’s page lists its tournaments, and the tournament links to the page', async () => {
  const [ana] = contenders as [Contender]
  const { tournament, seeds } = await createDrawnTournament()
  assert.equal((await readPage(tournament)).list[0].has_page, true)
  const readListed = async () => {
    site.cache.clear()
    const { tournaments } = (await site.get(`/api/character/${ana.character}`)).json()
    return tournaments.find((row: Fields) => row.tournament === tournament)
  }
  assert.partialDeepStrictEqual(await readListed(), { state: 'drawn', place: null, entries: 4 })
  await playOut(tournament)
  await passHours(24)
  await expectOk(finalise(tournament))
  assert.partialDeepStrictEqual(await readListed(), { state: 'finalised', place: 1, entries: 4 })
  await expectOk(gm.post('/api/admin/rankings/hide', { cha_num: ana.character, reason: 'Name of a real person' }))
  const { list } = await readPage(tournament)
  assert.deepEqual([list[0].entry, list[0].has_page, list[0].cha_name], [seeds[0], false, 'Hidden character'])
  await expectOk(gm.post('/api/admin/rankings/show', { cha_num: ana.character, reason: 'Renamed' }))
})

test('cancels a tournament until it is final, and deletes a cancelled draft', async () => {
  const tournament = await announceTournament()
  await expectOk(callTournaments('cancel', { tournament, version: 2, reason: 'Typhoon signal number three.' }))
  const { phase, cancelled_why } = await readPage(tournament)
  assert.deepEqual([phase, cancelled_why], ['cancelled', 'Typhoon signal number three.'])
  assertRefused(await register(contenders[0] as Contender, tournament), 409)
  const draft = await expectOk(callTournaments('save', createInput()))
  await expectOk(callTournaments('cancel', { tournament: draft.tournament, version: 1, reason: 'A test.' }))
  assertRefused(await gm.get(`/api/admin/tournaments/one?tournament=${draft.tournament}`), 404)
})

test('refuses contradictory values, and names their field', async () => {
  const invalidFields: [Fields, string][] = [
    [{ registration_until: at(-1) }, 'registration_until'],
    [{ checkin_until: at(1) }, 'checkin_until'],
    [{ starts_at: at(2.5) }, 'starts_at'],
    [{ level_from: 50, level_to: 40 }, 'level_to'],
    [{ max_entries: 1 }, 'max_entries'],
    [{ name: ' ' }, 'name'],
    [{ prizes: [{ place: 3, gift: 'r_coin', amount: 5, item: null }] }, 'prizes'],
    [{ prizes: [{ place: 1, gift: 'r_coin', amount: 0.5, item: null }] }, 'prizes'],
    [{ prizes: [{ place: 1, gift: 'item', amount: 1, item: 999_999 }] }, 'prizes'],
    [{ prizes: [PRIZES[0], PRIZES[0]] }, 'prizes'],
  ]
  for (const [values, field] of invalidFields) {
    const response = await callTournaments('save', createInput(values))
    assertRefused(response, 422)
    assert.ok(response.json()['form-error'][field], JSON.stringify(values))
  }
  const { tournament, version } = await expectOk(callTournaments('save', createInput()))
  await expectOk(callTournaments('save', createInput({ tournament, version, name: 'Another name' })))
  assertRefused(await callTournaments('save', createInput({ tournament, version, name: 'Third name' })), 409)
})

test('lists each tournament once across pages', async () => {
  for (let n = 0; n < 22; n++) await announceTournament({ name: `Cup ${n}` })
  const ids: number[] = []
  for (let after: string | null = ''; after !== null; ) {
    const page: { data: { tournament: number }[]; next: string | null } = (
      await site.get(`/api/tournaments?after=${after}`)
    ).json()
    ids.push(...page.data.map(({ tournament }) => tournament))
    after = page.next
  }
  assert.equal(new Set(ids).size, ids.length)
  assert.ok(ids.length > 22)
})

test('a list shows the best prize of a tournament and its next match', async () => {
  const readListed = async (tournament: number) => {
    site.cache.clear()
    const { data } = (await site.get('/api/tournaments')).json()
    const { first_prize, next_match_at } = data.find((row: Fields) => row.tournament === tournament)
    return { first_prize, next_match_at }
  }
  assert.deepEqual(await readListed(await announceTournament()), { first_prize: null, next_match_at: null })
  const { tournament } = await createDrawnTournament({
    prizes: [{ place: 1, gift: 'milleage', amount: 700, item: null }],
  })
  const { first_prize } = await readListed(tournament)
  assert.deepEqual([first_prize.place, first_prize.currency, first_prize.amount], [1, 'milleage', 700])
  const [, secondMatch] = await readReadyMatches(tournament)
  await updateRows(db, 'tournament_matches', { match: secondMatch.match }, { starts_at: new Date(at(5)) })
  assert.equal(Date.parse((await readListed(tournament)).next_match_at), Date.parse(at(5)))
  assert.equal((await readPage(tournament)).first_prize.amount, 700)
})
