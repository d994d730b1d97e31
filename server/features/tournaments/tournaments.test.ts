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
const act = (name: string, body: object, by: Pick<Player, 'post'> = gm) =>
  by.post(`/api/admin/tournaments/${name}`, body)
const confirmed = (by: Player, UserPass: string) => by.post('/api/confirmidentity', { UserPass })

async function done(answer: ReturnType<typeof act>) {
  const { status, text, json } = await answer
  assert.equal(status, 200, text)
  return json()
}

const plan = (values: Fields = {}) => ({
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
async function announce(values: Fields = {}): Promise<number> {
  const { tournament, version } = await done(act('save', plan(values)))
  await done(act('announce', { tournament, version }))
  return tournament
}

const readPage = async (tournament: number) => {
  site.cache.clear()
  return (await site.get(`/api/tournaments/${tournament}`)).json()
}
const readDesk = async (tournament: number, by: Pick<Player, 'get'> = gm) =>
  (await by.get(`/api/admin/tournaments/one?tournament=${tournament}`)).json()

async function newContender(level = 50) {
  const player = await createPlayer(site)
  const character = await insertCharacter(db, { user_num: player.user.UserNum, cha_level: level })
  return { ...player, character }
}
type Contender = Awaited<ReturnType<typeof newContender>>
const crowd = await Promise.all(Array.from({ length: 4 }, () => newContender()))

const register = (player: Contender, tournament: number, more: Fields = {}) =>
  player.post('/api/tournaments/register', { tournament, character: player.character, club: '', ...more })

/** Creates a tournament and draws its bracket, with the seeds in the order of `players`. */
async function createDrawn(values: Fields = {}, players: readonly Contender[] = crowd) {
  const tournament = await announce({ max_entries: 16, ...values })
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
  await done(
    act('draw', { tournament, version, seeds, groups: values.groups ?? null, advance: values.advance ?? null }),
  )
  return { tournament, seeds }
}

const readReadyMatches = async (tournament: number) =>
  (await readDesk(tournament)).matches.filter(({ state }: Fields) => state === 'ready')
const played = (score1: number, score2: number) => ({ outcome: 'played', score1, score2 })
const enter = (
  match: Fields,
  result: Fields,
  { by = referee as Pick<Player, 'post'>, redraws = [] as unknown[] } = {},
) => act('result', { match: match.match, version: match.version, score1: null, score2: null, ...result, redraws }, by)

/** Enters a win of the first entry in every match, as the operator `by`. */
async function playOut(tournament: number, by: Pick<Player, 'post'> = referee) {
  for (let [next] = await readReadyMatches(tournament); next !== undefined; [next] = await readReadyMatches(tournament))
    await done(enter(next, played(2, 1), { by }))
}

async function finalise(tournament: number, by: Pick<Player, 'post' | 'get'> = gm) {
  const { version } = await readDesk(tournament)
  await confirmed(gm, 'gm-demo-1')
  return act('finalise', { tournament, version }, by)
}

test('players cannot see a draft, and can register for an announced tournament in its time', async () => {
  const { tournament, version } = await done(act('save', plan({ registration_from: at(1) })))
  assertRefused(await site.get(`/api/tournaments/${tournament}`), 404)
  const [ana] = crowd
  assert.ok(ana)
  assertRefused(await register(ana, tournament), 404)
  await done(act('announce', { tournament, version }))
  assertRefused(await act('announce', { tournament, version: version + 1 }), 409)
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
  const tournament = await announce({ level_from: 20, level_to: 60 })
  const [ana, ben] = [await newContender(19), await newContender(60)]
  assertRefused(await register(ana, tournament), 422)
  assertRefused(await register(ana, tournament, { character: ben.character }), 422)
  const { characters } = (await ana.get(`/api/tournaments/${tournament}/mine`)).json()
  assert.deepEqual([characters[0].cha_num, characters[0].why_not], [ana.character, 'level 19 does not fit'])
  await done(gm.post('/api/admin/rankings/hide', { cha_num: ben.character, reason: 'Name of a real person' }))
  assertRefused(await register(ben, tournament), 422)
  await done(gm.post('/api/admin/rankings/show', { cha_num: ben.character, reason: 'Renamed' }))
  assert.equal((await register(ben, tournament)).status, 200)
  await done(gm.post('/api/admin/rankings/hide', { cha_num: ben.character, reason: 'Again' }))
  assert.equal((await readPage(tournament)).list[0].name, 'Hidden character')
})

test('gives the last place to one of two concurrent registrations', async () => {
  const tournament = await announce({ max_entries: 2 })
  const answers = await Promise.all(crowd.map((player) => register(player, tournament)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 409, 409])
  assert.equal((await readPage(tournament)).list.length, 2)
  assertRefused(await act('save', plan({ tournament, version: 2, max_entries: 2, kind: 'clubs' })), 422)
})

test('registers a club once, by its leader, with a unique name', async () => {
  const tournament = await announce({ kind: 'clubs' })
  const [ana, ben, carl] = crowd as [Contender, Contender, Contender]
  assertRefused(await register(ana, tournament), 422, 'Enter the name of your club.')
  assert.equal((await register(ana, tournament, { club: 'Bukang Liwayway' })).status, 200)
  assertRefused(await register(ben, tournament, { club: 'bukang liwayway' }), 409, 'This club is already registered.')
  const [{ entry }] = (await readDesk(tournament)).list
  const hand = (user_id: string) => act('leader', { entry, user_id, reason: 'Requested.' })
  await register(ben, tournament, { club: 'Tala' })
  assertRefused(await hand(ben.form.userId), 422)
  const { cha_level } = await db
    .selectFrom('characters')
    .where('cha_num', '=', carl.character)
    .select('cha_level')
    .executeTakeFirstOrThrow()
  await updateRows(db, 'tournaments', { tournament: tournament }, { level_from: cha_level + 1 })
  assertRefused(await hand(carl.form.userId), 422, 'None of this player’s characters has a level that can take part.')
  await db.updateTable('tournaments').set({ level_from: 1 }).where('tournament', '=', tournament).execute()
  await done(hand(carl.form.userId))
  assert.equal((await ana.get(`/api/tournaments/${tournament}/mine`)).json().entry, null)
  await done(act('checkin', { entry }))
  assertRefused(await hand(ana.form.userId), 409)
})

test('opens check-in for its time, and draws only entries that checked in', async () => {
  const tournament = await announce()
  const [ana, ben, carl] = crowd as [Contender, Contender, Contender]
  for (const player of [ana, ben, carl]) await register(player, tournament)
  const checkIn = (player: Contender) => player.post('/api/tournaments/checkin', { tournament })
  assertRefused(await checkIn(ana), 409, 'Check-in is not open.')
  await passHours(2)
  assert.equal((await readPage(tournament)).phase, 'checkin')
  assert.equal((await checkIn(ana)).status, 200)
  assert.equal((await checkIn(ana)).status, 200)
  const { version, list } = await readDesk(tournament)
  const [one, two, three] = [ana, ben, carl].map(({ character }) =>
    list.find(({ cha_num }: Fields) => cha_num === character),
  )
  const draw = (seeds: number[]) => act('draw', { tournament, version, seeds, groups: null, advance: null })
  assertRefused(await draw([one.entry, two.entry]), 409)
  await passHours(1)
  assertRefused(await checkIn(ben), 409, 'Check-in is not open.')
  assertRefused(await draw([one.entry, two.entry]), 422)
  await done(act('checkin', { entry: two.entry }))
  await done(act('remove', { entry: three.entry, reason: 'Has to work.' }))
  assertRefused(await draw([one.entry]), 422)
  assertRefused(await draw([one.entry, one.entry]), 422)
  await done(draw([one.entry, two.entry]))
  assertRefused(await act('remove', { entry: two.entry, reason: 'Late.' }), 409)
  assertRefused(await ben.post('/api/tournaments/withdraw', { tournament }), 409)
  assert.equal((await readPage(tournament)).phase, 'running')
})

test('allows redrawing a bracket until the first result, and sets the times of matches', async () => {
  const { tournament, seeds } = await createDrawn()
  const again = async (order: number[]) =>
    act('draw', {
      tournament,
      version: (await readDesk(tournament)).version,
      seeds: order,
      groups: null,
      advance: null,
    })
  await done(again(seeds.toReversed()))
  const { matches, list } = await readPage(tournament)
  assert.equal(matches.length, 3)
  assert.equal(list[0].entry, seeds[3])
  await done(act('schedule', { tournament, matches: [matches[0].match, matches[1].match], starts_at: at(5) }))
  assertRefused(await act('schedule', { tournament, matches: [999_999], starts_at: at(5) }), 422)
  const [first] = await readReadyMatches(tournament)
  assert.equal(first.starts_at, at(5))
  await done(enter(first, played(2, 0)))
  assertRefused(await again(seeds), 409)
})

test('reports a conflict to one of two operators who enter a result at the same time', async () => {
  const { tournament } = await createDrawn()
  const [first] = await readReadyMatches(tournament)
  const answers = await Promise.all([enter(first, played(2, 0)), enter(first, played(0, 2), { by: gm })])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const { matches } = await readPage(tournament)
  assert.equal(matches.filter(({ state }: Fields) => state === 'done').length, 1)
})

test('a result needs both entries and a winner, a walkover or a cancellation, and can be removed', async () => {
  const { tournament, seeds } = await createDrawn()
  const [one, two] = await readReadyMatches(tournament)
  const { matches } = await readDesk(tournament)
  assertRefused(await enter(one, played(1, 1)), 422)
  assertRefused(await enter(one, { outcome: 'played', score1: 1 }), 422)
  assertRefused(await enter(one, { outcome: '' }), 409)
  assertRefused(await enter(matches[2], played(1, 0)), 409)
  assertRefused(await enter({ match: 999_999, version: 1 }, played(1, 0)), 404)
  await done(enter(one, { outcome: 'walkover2' }))
  await done(enter(two, { outcome: 'cancelled' }))
  const walked = await readDesk(tournament)
  assert.deepEqual([walked.phase, walked.matches[2].winner], ['decided', seeds[3]])
  const redraws: number[] = []
  await done(enter(walked.matches[0], { outcome: '' }, { redraws }))
  assert.equal((await readPage(tournament)).matches[2].state, 'bye')
  assert.equal((await readPage(tournament)).phase, 'running')
})

test('a correction lists the results that it would remove, and redraws them after a confirmation', async () => {
  const { tournament, seeds } = await createDrawn()
  await playOut(tournament)
  const [first, , final] = (await readDesk(tournament)).matches
  const warned = await enter(first, played(0, 2))
  assertRefused(warned, 409)
  assert.deepEqual(warned.json().redraws, [final.match])
  assert.equal((await readPage(tournament)).matches[2].state, 'done')
  await done(enter(first, played(0, 2), { redraws: [final.match] }))
  const after = (await readPage(tournament)).matches
  assert.deepEqual([after[2].state, after[2].entry1], ['ready', seeds[3]])
  const [score] = (await readDesk(tournament)).matches
  await done(enter(score, played(1, 2)))
})

test('groups play for the finals, and double elimination decides a tournament', async () => {
  const groups = await createDrawn({ format: 'groups', groups: 2, advance: 1 })
  assert.deepEqual((await readPage(groups.tournament)).tables.length, 2)
  await playOut(groups.tournament)
  const { matches, tables } = await readPage(groups.tournament)
  const final = matches.find(({ stage }: Fields) => stage === 2)
  assert.deepEqual(
    [final.entry1, final.entry2],
    tables.map(({ rows }: { rows: Fields[] }) => rows[0]?.entry),
  )
  const double = await createDrawn({ format: 'double' })
  await playOut(double.tournament)
  assert.equal((await readPage(double.tournament)).phase, 'decided')
  const { version } = await readDesk(groups.tournament)
  assertRefused(
    await act('draw', { tournament: groups.tournament, version, seeds: groups.seeds, groups: 3, advance: 1 }),
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
  const { tournament } = await createDrawn({ prizes: PRIZES })
  assertRefused(await finalise(tournament), 409, 'Some matches have no result yet.')
  await playOut(tournament, gm)
  const [, , final] = (await readDesk(tournament)).matches
  assertRefused(await finalise(tournament), 409)
  await passHours(24)
  assert.match((await readDesk(tournament)).not_yet, /You entered the last result/)
  assertRefused(await finalise(tournament), 403)
  await done(enter(final, played(3, 1)))
  await passHours(23)
  assertRefused(await finalise(tournament), 409)
  assert.deepEqual(await readPrizes(tournament), [])
  await passHours(1)
  await done(finalise(tournament))
  const { list, phase, winner } = await readPage(tournament)
  assert.deepEqual([phase, list[0].place, winner], ['finalised', 1, list[0].name])
  assertRefused(await finalise(tournament), 409)
  assertRefused(await enter({ ...final, version: final.version + 1 }, played(0, 1)), 409)
})

test('the database enforces the day, the second operator and one prize per rank', async () => {
  const { tournament, seeds } = await createDrawn({ prizes: PRIZES })
  await playOut(tournament)
  const set = (values: object) =>
    db.updateTable('tournaments').set(values).where('tournament', '=', tournament).execute()
  const { UserNum: other } = gm.user
  const soon = { state: 'finalised', finalised_at: clock.now(), finalised_by: other }
  await assert.rejects(set(soon), /tournaments_finalised_late/)
  const late = new Date(clock.now().getTime() + 24 * HOUR_MS)
  await assert.rejects(
    set({ ...soon, finalised_at: late, finalised_by: referee.user.UserNum }),
    /tournaments_finalised_by_another/,
  )
  const prize = {
    tournament,
    place: 1,
    letter: 1_000_000,
    entry: Number(seeds[0]),
    user_num: Number(crowd[0]?.user.UserNum),
    made_at: late,
    made_by: other,
  }
  const insert = (letter = prize.letter) => insertRows(db, 'tournament_prizes', { ...prize, letter })
  await assert.rejects(insert(), /has prizes when it is finalised/)
  await set({ ...soon, finalised_at: late })
  await insert()
  await assert.rejects(insert(prize.letter + 1), /tournament_prizes_place_key/)
})

test('sends prizes once when the tournament is final, but not to staff or for a shared rank', async () => {
  const staff = await newContender()
  await db.updateTable('accounts').set({ user_type: 11 }).where('user_num', '=', staff.user.UserNum).execute()
  const [ana, ben] = crowd as [Contender, Contender]
  const { tournament, seeds } = await createDrawn({ prizes: PRIZES }, [staff, ana, ben])
  await playOut(tournament)
  await passHours(24)
  const answers = await Promise.all([finalise(tournament), finalise(tournament)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  assert.deepEqual(await readPrizes(tournament), [[2, seeds[1], 'open', false]])
  const shared = await createDrawn({ prizes: PRIZES }, [ana, ben])
  const [final] = await readReadyMatches(shared.tournament)
  await done(enter(final, { outcome: 'cancelled' }))
  await passHours(24)
  await done(finalise(shared.tournament))
  assert.deepEqual(await readPrizes(shared.tournament), [])
})

test('requires an approval for prizes over the limit, and finalises the tournament only afterwards', async () => {
  await createOperator(site, 'shop')
  const { tournament } = await createDrawn({ prizes: [{ place: 1, gift: 'r_coin', amount: 9_000_000, item: null }] })
  await playOut(tournament)
  await passHours(24)
  const waiting = await finalise(tournament)
  assert.equal(waiting.status, 202, waiting.text)
  assert.deepEqual([(await readPage(tournament)).phase, await readPrizes(tournament)], ['decided', []])
  await changeSettings(site, { approvals_on: false })
  await done(finalise(tournament))
  await changeSettings(site, { approvals_on: true })
  assert.equal((await readPrizes(tournament)).length, 1)
})

test('shows a corrected place, pays the correct winner once, and withdraws the wrong prize', async () => {
  const { tournament, seeds } = await createDrawn({ prizes: PRIZES })
  await playOut(tournament)
  await passHours(24)
  const pay = (place: number) => act('pay', { tournament, place })
  await confirmed(gm, 'gm-demo-1')
  assertRefused(await pay(1), 409)
  await done(finalise(tournament))
  assertRefused(await pay(1), 409)
  const before = await readPrizes(tournament)
  const { version, prizes } = await readDesk(tournament)
  const withdraw = (prize: number) => act('withdraw', { prize, reason: 'Played with another’s account.' })
  assertRefused(await withdraw(prizes[0].prize), 409, 'This prize belongs to the player who holds the place.')
  const place = { tournament, version, entry: seeds[0], place: null, reason: 'Played with another’s account.' }
  await done(act('place', place))
  assertRefused(await act('place', place), 409)
  const shown = await readPage(tournament)
  assert.deepEqual([shown.list[0].entry, shown.list[0].place, shown.list.at(-1).place], [seeds[1], 1, null])
  assert.deepEqual(await readPrizes(tournament), before)
  assert.deepEqual(
    (await readDesk(tournament)).holders.map(({ entry, is_paid }: Fields) => [entry, is_paid]),
    [
      [seeds[1], false],
      [null, false],
    ],
  )
  await done(withdraw(prizes[0].prize))
  await done(pay(1))
  assertRefused(await pay(1), 409)
  assertRefused(await pay(2), 409, 'No player can get a prize for this place.')
  assert.deepEqual(await readPrizes(tournament), [
    [1, seeds[1], 'open', false],
    [1, seeds[0], 'withdrawn', true],
    [2, seeds[1], 'open', false],
  ])
  assertRefused(await withdraw(prizes[0].prize), 409)
})

test('never withdraws an accepted prize, and pays the correct winner too', async () => {
  const { tournament, seeds } = await createDrawn({ prizes: PRIZES })
  await playOut(tournament)
  await passHours(24)
  const [ana, ben] = crowd as [Contender, Contender]
  for (const { user } of [ana, ben])
    await updateRows(db, 'accounts', { user_num: user.UserNum }, { email_verified_at: clock.now() })
  const balance = async ({ user }: Contender) => {
    const account = db.selectFrom('accounts').where('user_num', '=', user.UserNum).select('r_coin')
    return (await account.executeTakeFirstOrThrow()).r_coin
  }
  const [anasBefore, bensBefore] = [await balance(ana), await balance(ben)]
  await done(finalise(tournament))
  const claim = async (player: Contender) => {
    const { letters } = (await player.get('/api/mailbox')).json()
    const { letter } = letters.find(({ subject }: Fields) => subject === 'Place 1 in Rooftop Cup')
    return player.post('/api/mailbox/claim', { letter })
  }
  await done(claim(ana))
  assertRefused(await claim(ana), 409)
  assert.equal((await balance(ana)) - anasBefore, 500)
  const { version, prizes } = await readDesk(tournament)
  await done(act('place', { tournament, version, entry: seeds[0], place: 2, reason: 'The score was read wrongly.' }))
  const withdraw = act('withdraw', { prize: prizes[0].prize, reason: 'The score was read wrongly.' })
  assertRefused(
    await withdraw,
    409,
    'This prize has already been accepted or withdrawn. An accepted prize cannot be withdrawn.',
  )
  await done(act('pay', { tournament, place: 1 }))
  await done(claim(ben))
  assert.deepEqual([(await balance(ana)) - anasBefore, (await balance(ben)) - bensBefore], [500, 500])
  // The entry that already has the first prize gets the first place back.
  const { version: next } = await readDesk(tournament)
  await done(act('place', { tournament, version: next, entry: seeds[0], place: 1, reason: 'It was right after all.' }))
  await done(act('pay', { tournament, place: 1 }))
  assertRefused(await act('pay', { tournament, place: 1 }), 409)
  assert.deepEqual(
    (await readPrizes(tournament)).filter(([place]: unknown[]) => place === 1),
    [
      [1, seeds[1], 'claimed', true],
      [1, seeds[0], 'claimed', false],
    ],
  )
})

test('a character’s page lists its tournaments, and the tournament links to the page', async () => {
  const [ana] = crowd as [Contender]
  const { tournament, seeds } = await createDrawn()
  assert.equal((await readPage(tournament)).list[0].has_page, true)
  const listed = async () => {
    site.cache.clear()
    const { tournaments } = (await site.get(`/api/character/${ana.character}`)).json()
    return tournaments.find((one: Fields) => one.tournament === tournament)
  }
  assert.partialDeepStrictEqual(await listed(), { state: 'drawn', place: null, entries: 4 })
  await playOut(tournament)
  await passHours(24)
  await done(finalise(tournament))
  assert.partialDeepStrictEqual(await listed(), { state: 'finalised', place: 1, entries: 4 })
  await done(gm.post('/api/admin/rankings/hide', { cha_num: ana.character, reason: 'Name of a real person' }))
  const { list } = await readPage(tournament)
  assert.deepEqual([list[0].entry, list[0].has_page, list[0].cha_name], [seeds[0], false, 'Hidden character'])
  await done(gm.post('/api/admin/rankings/show', { cha_num: ana.character, reason: 'Renamed' }))
})

test('cancels a tournament until it is final, and deletes a cancelled draft', async () => {
  const tournament = await announce()
  await done(act('cancel', { tournament, version: 2, reason: 'Typhoon signal number three.' }))
  const { phase, cancelled_why } = await readPage(tournament)
  assert.deepEqual([phase, cancelled_why], ['cancelled', 'Typhoon signal number three.'])
  assertRefused(await register(crowd[0] as Contender, tournament), 409)
  const draft = await done(act('save', plan()))
  await done(act('cancel', { tournament: draft.tournament, version: 1, reason: 'A test.' }))
  assertRefused(await gm.get(`/api/admin/tournaments/one?tournament=${draft.tournament}`), 404)
})

test('rejects contradicting fields, with the field', async () => {
  const wrong: [Fields, string][] = [
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
  for (const [values, field] of wrong) {
    const refused = await act('save', plan(values))
    assertRefused(refused, 422)
    assert.ok(refused.json()['form-error'][field], JSON.stringify(values))
  }
  const { tournament, version } = await done(act('save', plan()))
  await done(act('save', plan({ tournament, version, name: 'Another name' })))
  assertRefused(await act('save', plan({ tournament, version, name: 'Third name' })), 409)
})

test('lists each tournament once across pages', async () => {
  for (let n = 0; n < 22; n++) await announce({ name: `Cup ${n}` })
  const numbers: number[] = []
  for (let after: string | null = ''; after !== null; ) {
    const page: { data: { tournament: number }[]; next: string | null } = (
      await site.get(`/api/tournaments?after=${after}`)
    ).json()
    numbers.push(...page.data.map(({ tournament }) => tournament))
    after = page.next
  }
  assert.equal(new Set(numbers).size, numbers.length)
  assert.ok(numbers.length > 22)
})

test('a list shows the best prize of a tournament and its next match', async () => {
  const listed = async (tournament: number) => {
    site.cache.clear()
    const { data } = (await site.get('/api/tournaments')).json()
    const { first_prize, next_match_at } = data.find((row: Fields) => row.tournament === tournament)
    return { first_prize, next_match_at }
  }
  assert.deepEqual(await listed(await announce()), { first_prize: null, next_match_at: null })
  const { tournament } = await createDrawn({ prizes: [{ place: 1, gift: 'milleage', amount: 700, item: null }] })
  const { first_prize } = await listed(tournament)
  assert.deepEqual([first_prize.place, first_prize.currency, first_prize.amount], [1, 'milleage', 700])
  const [, second] = await readReadyMatches(tournament)
  await updateRows(db, 'tournament_matches', { match: second.match }, { starts_at: new Date(at(5)) })
  assert.equal(Date.parse((await listed(tournament)).next_match_at), Date.parse(at(5)))
  assert.equal((await readPage(tournament)).first_prize.amount, 700)
})
