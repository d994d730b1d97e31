import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '#contract/durations.ts'
import { assertRefused, type Player } from '#test/account-helpers.ts'
import { createOperator, createRole } from '#test/desk-helpers.ts'
import { startDiscord } from '#test/discord.ts'
import { insertAccount, insertCharacter, insertRows, updateRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'
import { recordActivity } from '../activity/record.ts'
import { storeAreaResults } from './area-results.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' }, world: 'empty' })
const { db, clock } = site
const startTime = clock.now()
const at = (hours: number) => new Date(startTime.getTime() + hours * HOUR_MS)
const role = await createRole(site, 'tournaments.write', 'prizes.pay')
const referee = await createOperator(site, role)
const colleague = await createOperator(site, role)

/** Sets the clock to hours after the start, and extends all sessions. */
async function setHour(hours: number) {
  clock.set(at(hours))
  await db
    .updateTable('sessions')
    .set({ last_seen_at: clock.now(), ends_at: at(hours + 1) })
    .execute()
}

type Caller = Pick<Player, 'get' | 'post'>
const callLeagues = (name: string, body: object, caller: Caller = referee) =>
  caller.post(`/api/admin/leagues/${name}`, body)
async function assertOk(responsePromise: ReturnType<typeof callLeagues>) {
  const { status, text, json } = await responsePromise
  assert.equal(status, 200, text)
  return json()
}
const readDeskLeague = async (league: number, caller: Caller = referee) =>
  (await caller.get(`/api/admin/leagues/one?league=${league}`)).json()
async function readPage(league: number) {
  site.cache.clear()
  return (await site.get(`/api/wars/league/${league}`)).json()
}

/** Creates a daily club war of one hour. @returns its event */
async function createClubWar(from: Date) {
  const { event } = await db
    .insertInto('events')
    .values({
      title: 'Club war',
      about: '',
      prize: '',
      starts_at: from,
      ends_at: new Date(from.getTime() + HOUR_MS),
      repeats: 'daily',
      visible: true,
      club_war: true,
      created_at: startTime,
      changed_at: startTime,
    })
    .returning('event')
    .executeTakeFirstOrThrow()
  return event
}

const createInput = (event: number, values: object = {}) => ({
  league: null,
  version: 0,
  name: 'Rooftop League',
  about: 'Hold what you can.',
  counts: 'areas',
  points: '3',
  starts_at: at(0).toISOString(),
  ends_at: at(40).toISOString(),
  events: [event],
  prizes: [],
  prizes_to: 'leader',
  ...values,
})

type War = { war: number; version: number }
/** Enters the first result of the war of an event. */
const enterResult = (league: number, event: number, startHours: number, scores: object[]) =>
  callLeagues('result', { league, event, starts_at: at(startHours).toISOString(), version: null, scores })
const confirmResult = ({ war, version }: War, caller: Caller = colleague) =>
  callLeagues('confirm', { war, version }, caller)

async function announceLeague(input: object): Promise<number> {
  const { league, version } = await assertOk(callLeagues('save', input))
  await assertOk(callLeagues('announce', { league, version }))
  return league
}

const [skyBridge = 0] = (
  await db
    .insertInto('club_areas')
    .values([
      { name: 'Sky Bridge', picture: null, club: null, held_since: null },
      { name: 'Old Market', picture: null, club: 'Lakan', held_since: at(-1) },
    ])
    .returning('id')
    .execute()
).map(({ id }) => id)
await insertRows(db, 'clubs', [
  { club: 7, name: 'Buwan', leader: null, founded_at: null },
  { club: 8, name: 'Lakan', leader: null, founded_at: null },
])
const setHolder = (area: number, club: string | null, hours: number) =>
  updateRows(db, 'club_areas', { id: area }, { club, held_since: at(hours) })

const formatStandings = ({ table }: { table: { club: string; points: number; rank: number }[] }) =>
  table.map(({ rank, club, points }) => `${rank} ${club} ${points}`)

test('stores the areas’ holders as a war’s result, final when it is confirmed and a day old', async () => {
  await setHour(0)
  const league = await announceLeague(createInput(await createClubWar(at(2))))
  // One area changes its holder twice during the war, and once more after it.
  await setHolder(skyBridge, 'Lakan', 2.2)
  await setHolder(skyBridge, 'Buwan', 2.5)
  await setHour(3.2)
  assert.equal(await storeAreaResults(db, clock.now()), 0)
  await setHour(3.5)
  await setHolder(skyBridge, null, 3.4)
  assert.equal(await storeAreaResults(db, clock.now()), 1)
  assert.equal(await storeAreaResults(db, clock.now()), 0)
  let page = await readPage(league)
  assert.deepEqual(formatStandings(page), ['1 Buwan 3', '1 Lakan 3'])
  assert.equal(page.wars[0].is_final, false)
  const [war] = (await readDeskLeague(league)).wars
  assert.equal(war.entered_by, null)
  await assertOk(confirmResult(war, referee))
  assert.equal((await readPage(league)).wars[0].is_final, false)
  await setHour(3.5 + 24)
  page = await readPage(league)
  assert.equal(page.wars[0].is_final, true)
  const [finalWar] = (await readDeskLeague(league)).wars.filter((row: { war: number }) => row.war === war.war)
  const correction = {
    league,
    event: finalWar.event,
    starts_at: finalWar.starts_at,
    version: finalWar.version,
    scores: [],
  }
  assertRefused(await callLeagues('result', correction), 409)
  await assertOk(
    callLeagues('cancel', { league, version: (await readDeskLeague(league)).version, reason: 'Test over' }),
  )
})

test('requires another operator to confirm an entered result and each correction', async () => {
  await setHour(30)
  const event = await createClubWar(at(10))
  const league = await announceLeague(
    createInput(event, { counts: 'places', points: '10, 7, 5', ends_at: at(33).toISOString() }),
  )
  const scores = [
    { club: 'buwan', value: 1 },
    { club: 'Amihan', value: 2 },
  ]
  for (const hoursWithoutWar of [11, 34]) assertRefused(await enterResult(league, event, hoursWithoutWar, scores), 422)
  assertRefused(await enterResult(league, event, 10, [{ club: 'Buwan', value: 4 }]), 422)
  assertRefused(await enterResult(league, event, 10, [...scores, { club: 'Buwan', value: 3 }]), 422)
  await assertOk(enterResult(league, event, 10, scores))
  assertRefused(await enterResult(league, event, 10, scores), 409)
  const shownWar = (await readDeskLeague(league)).wars[0]
  assert.deepEqual([shownWar.entered_by, shownWar.not_yet === null], [referee.user.UserID, false])
  assertRefused(await confirmResult(shownWar, referee), 403)
  await assertOk(confirmResult(shownWar))
  const [confirmedWar] = (await readDeskLeague(league)).wars
  assert.equal(confirmedWar.confirmed_by, colleague.user.UserID)
  const { starts_at, version } = confirmedWar
  await assertOk(callLeagues('result', { league, event, starts_at, version, scores: scores.slice(0, 1) }))
  const [correctedWar] = (await readDeskLeague(league)).wars
  assert.deepEqual([correctedWar.confirmed_by, correctedWar.scores.length], [null, 1])
  assert.deepEqual(formatStandings(await readPage(league)), ['1 Buwan 10'])
})

test('lets the only operator confirm a result that they entered', async () => {
  await setHour(30)
  const event = await createClubWar(at(10))
  const league = await announceLeague(
    createInput(event, { counts: 'places', points: '5', ends_at: at(31).toISOString() }),
  )
  await assertOk(enterResult(league, event, 10, []))
  const [war] = (await readDeskLeague(league)).wars
  const openings = await db
    .deleteFrom('staff_openings')
    .where('user_num', '=', colleague.user.UserNum)
    .returningAll()
    .execute()
  await assertOk(confirmResult(war, referee))
  await db.insertInto('staff_openings').values(openings).execute()
  assert.equal((await readDeskLeague(league)).wars[0].confirmed_by, referee.user.UserID)
})

test('bonuses and penalties have a reason, count at once, and also count for a renamed club', async () => {
  await setHour(30)
  const event = await createClubWar(at(10))
  const league = await announceLeague(createInput(event, { counts: 'places', points: '10, 7' }))
  const scores = [
    { club: 'Buwan', value: 1 },
    { club: 'Lakan', value: 2 },
  ]
  await assertOk(enterResult(league, event, 10, scores))
  await updateRows(db, 'clubs', { club: 7 }, { name: 'Bagong Buwan' })
  const adjustLeague = async (body: object) =>
    callLeagues('adjust', { league, version: (await readDeskLeague(league)).version, reason: 'Fair play', ...body })
  assertRefused(await adjustLeague({ kind: 'bonus', club: 'Nowhere', points: 1 }), 422)
  await assertOk(adjustLeague({ kind: 'penalty', club: 'bagong buwan', points: 4 }))
  await assertOk(adjustLeague({ kind: 'bonus', club: 'Lakan', points: 2 }))
  const page = await readPage(league)
  assert.deepEqual(formatStandings(page), ['1 Lakan 9', '2 Bagong Buwan 6'])
  assert.deepEqual(
    page.adjustments.map(({ points, reason }: { points: number; reason: string }) => [points, reason]),
    [
      [2, 'Fair play'],
      [-4, 'Fair play'],
    ],
  )
  await updateRows(db, 'clubs', { club: 7 }, { name: 'Buwan' })
})

test('lets another operator finalise a league permanently a day after its last change', async () => {
  await setHour(30)
  const event = await createClubWar(at(10))
  const league = await announceLeague(
    createInput(event, { counts: 'places', points: '10, 7', ends_at: at(33).toISOString() }),
  )
  const finalise = async (operator: typeof colleague = colleague) => {
    await operator.post('/api/confirmidentity', { UserPass: operator.form.userPassword })
    return callLeagues('finalise', { league, version: (await readDeskLeague(league)).version }, operator)
  }
  assertRefused(await finalise(), 409)
  await setHour(40)
  assert.equal((await readPage(league)).phase, 'decided')
  assert.equal((await finalise()).json().error, 'A war has no final result yet.')
  await assertOk(enterResult(league, event, 10, [{ club: 'Lakan', value: 1 }]))
  const [war] = (await readDeskLeague(league)).wars
  await assertOk(confirmResult(war))
  await setHour(60)
  await assertOk(
    callLeagues('adjust', {
      league,
      version: (await readDeskLeague(league)).version,
      kind: 'bonus',
      club: 'Buwan',
      points: 1,
      reason: 'Help',
    }),
  )
  await setHour(70)
  assert.match((await readDeskLeague(league, colleague)).not_yet, /Players may object until/)
  await setHour(84)
  assertRefused(await finalise(referee), 403)
  await assertOk(finalise())
  const page = await readPage(league)
  assert.deepEqual([page.phase, ...formatStandings(page)], ['finalised', '1 Lakan 10', '2 Buwan 1'])
  await assert.rejects(updateRows(db, 'league_scores', { war: war.war }, { value: 2 }), /do not change/)
  await assert.rejects(db.deleteFrom('league_adjustments').where('league', '=', league).execute(), /do not change/)
})

test('posts a league on Discord and prepares a post at the desk only when it is final', async () => {
  const discord = await startDiscord()
  await setHour(90)
  const event = await createClubWar(at(70))
  const leagueFields = { name: 'Rain_League', starts_at: at(60).toISOString(), ends_at: at(80).toISOString() }
  const league = await announceLeague(createInput(event, { ...leagueFields, counts: 'places', points: '10, 7, 5, 1' }))
  await discord.connect(db, 'wars')
  const scores = ['Lakan', 'Nowhere', 'Amihan', 'Habagat'].map((club, index) => ({ club, value: index + 1 }))
  await assertOk(enterResult(league, event, 70, scores))
  const [war] = (await readDeskLeague(league)).wars
  await assertOk(confirmResult(war))
  const preparePost = () => referee.post('/api/admin/posts', { kind: 'league', page: String(league) })
  assertRefused(await preparePost(), 409)
  await discord.deliver(site)
  assert.deepEqual(discord.posts, [])

  await setHour(115)
  await colleague.post('/api/confirmidentity', { UserPass: colleague.form.userPassword })
  await assertOk(callLeagues('finalise', { league, version: (await readDeskLeague(league)).version }, colleague))
  await discord.deliver(site)
  assert.deepEqual(discord.posts, [
    `Rain\\_League: final\nPlace 1: Lakan, 10 points\nPlace 2: Nowhere, 7 points\nPlace 3: Amihan, 5 points\n${site.publicUrl}/wars/${league}`,
  ])
  const picture = `/share/league/${league}.jpg`
  assert.deepEqual(discord.requests[0]?.body.embeds?.[0]?.image, { url: `${site.publicUrl}${picture}?v=1` })
  const { text, link, pictures } = await assertOk(preparePost())
  assert.ok(text.startsWith('Rain_League\n1. Lakan: 10 points\n') && text.endsWith(`\n${link}`), text)
  assert.deepEqual(pictures, { wide: picture, square: `${picture}?shape=square` })
  for (const picturePath of [picture, pictures.square]) assert.equal((await site.get(picturePath)).status, 200)
  const linkResponse = await site.send(link.slice(link.indexOf('/s/')), { redirect: 'manual' })
  assert.equal(linkResponse.headers.get('location'), `${site.publicUrl}/wars/${league}`)
  await db.deleteFrom('settings').where('name', '=', 'wars_webhook').execute()
})

test('a final league has prizes, titles and activity', async (t) => {
  await setHour(90)
  const [leader, member, blockedMember] = [await insertAccount(db), await insertAccount(db), await insertAccount(db)]
  const knownSince = at(0)
  const leaderCharacter = await insertCharacter(db, { user_num: leader, club: 7, known_since: knownSince })
  await insertCharacter(db, { user_num: leader, club: 7, known_since: knownSince })
  await insertCharacter(db, { user_num: member, club: 7, known_since: knownSince })
  await insertCharacter(db, { user_num: member, club: 8, known_since: knownSince })
  await insertCharacter(db, { user_num: blockedMember, club: 7, known_since: knownSince })
  await insertRows(db, 'hidden_characters', {
    cha_num: await insertCharacter(db, { user_num: await insertAccount(db), club: 7, known_since: knownSince }),
    reason: 'Cheating',
    hidden_by: null,
    hidden_at: at(1),
  })
  await insertRows(db, 'account_blocks', {
    user_num: blockedMember,
    reason: 'Bot',
    starts_at: at(1),
    ends_at: null,
    blocked_by: null,
  })
  await updateRows(db, 'clubs', { club: 7 }, { leader: leaderCharacter })
  const prizes = [
    { place: 1, gift: 'milleage', amount: 50, item: null },
    { place: 2, gift: 'r_coin', amount: 5, item: null },
  ]
  assertRefused(
    await callLeagues('save', createInput(await createClubWar(at(70)), { prizes: [{ ...prizes[0], amount: 0 }] })),
    422,
  )
  const createDecidedLeague = async (prizes_to: string) => {
    const event = await createClubWar(at(70))
    const times = { starts_at: at(60).toISOString(), ends_at: at(80).toISOString() }
    const rules = { counts: 'places', points: '10, 7', prizes, prizes_to }
    const league = await announceLeague(createInput(event, { ...times, ...rules }))
    const scores = [
      { club: 'Buwan', value: 1 },
      { club: 'Nowhere', value: 2 },
    ]
    await assertOk(enterResult(league, event, 70, scores))
    const [war] = (await readDeskLeague(league)).wars
    await assertOk(confirmResult(war))
    return league
  }
  const [leaderLeague, memberLeague] = [await createDecidedLeague('leader'), await createDecidedLeague('members')]
  await setHour(120)
  await colleague.post('/api/confirmidentity', { UserPass: colleague.form.userPassword })
  for (const league of [leaderLeague, memberLeague]) {
    const { version } = await readDeskLeague(league, colleague)
    const { message } = await assertOk(callLeagues('finalise', { league, version }, colleague))
    assert.match(message, league === leaderLeague ? / is final\. 1 prize sent\.$/ : / is final\. 2 prizes sent\.$/)
    assertRefused(await callLeagues('finalise', { league, version: version + 1 }, colleague), 409)
  }

  await t.test('sends the prizes to the leader or the members of the club', async () => {
    const sentGifts = await db
      .selectFrom('league_prizes as p')
      .innerJoin('letter_gifts as g', 'g.letter', 'p.letter')
      .select(['p.league', 'p.place', 'p.user_num', 'g.amount', 'g.currency'])
      .orderBy('p.league')
      .orderBy('p.user_num')
      .execute()
    const prizeFields = { place: 1, amount: 50, currency: 'milleage' }
    assert.deepEqual(sentGifts, [
      { league: leaderLeague, user_num: leader, ...prizeFields },
      { league: memberLeague, user_num: leader, ...prizeFields },
      { league: memberLeague, user_num: member, ...prizeFields },
    ])
    const [firstPrize, secondPrize] = (await readDeskLeague(memberLeague)).prizes
    assert.deepEqual(
      [firstPrize.players, firstPrize.club, secondPrize.why_not],
      [2, 'Buwan', 'The game has no club of this name.'],
    )
  })

  await t.test('lets operators who give gifts withdraw one player’s open prize (WAR-7)', async () => {
    const readSentPrizes = async (): Promise<Record<string, unknown>[]> =>
      (await referee.get(`/api/admin/leagues/prizes?league=${memberLeague}`)).json().rows
    const [leaderPrize, memberPrize] = await readSentPrizes()
    assert.deepEqual(
      [leaderPrize, memberPrize].map((row) => [row?.user_num, row?.place, row?.club, row?.state]),
      [
        [leader, 1, 'Buwan', 'open'],
        [member, 1, 'Buwan', 'open'],
      ],
    )
    const withdrawal = { prize: memberPrize?.prize, reason: 'Plays with two accounts' }
    assertRefused(await callLeagues('withdraw', withdrawal), 403)
    const giver = await createOperator(site, await createRole(site, 'letters.gift'))
    const withdraw = (fields: object) => giver.post('/api/admin/leagues/withdraw', { ...withdrawal, ...fields })
    assertRefused(await withdraw({ reason: '' }), 422)
    assertRefused(await withdraw({ prize: 0 }), 404)
    await assertOk(withdraw({}))
    assertRefused(await withdraw({}), 409)
    const claimedGift = { state: 'claimed', claimed: 1, ended_at: clock.now() } as const
    const { letter } = await db
      .selectFrom('league_prizes')
      .where('prize', '=', Number(leaderPrize?.prize))
      .select('letter')
      .executeTakeFirstOrThrow()
    await updateRows(db, 'letter_gifts', { letter }, claimedGift)
    assertRefused(await withdraw({ prize: leaderPrize?.prize }), 409)
    assert.deepEqual(
      (await readSentPrizes()).map(({ state }) => state),
      ['claimed', 'withdrawn'],
    )
    const [firstPrizeAfter] = (await readDeskLeague(memberLeague)).prizes
    assert.deepEqual([firstPrizeAfter.players, firstPrizeAfter.claimed, firstPrizeAfter.withdrawn], [2, 1, 1])
    const auditEntries = await db
      .selectFrom('audit_log as l')
      .innerJoin('audit_personal as p', 'p.entry', 'l.entry')
      .where('l.target_kind', '=', 'league')
      .where('l.player', '=', member)
      .select(['l.target_id', 'p.reason'])
      .execute()
    assert.deepEqual(auditEntries, [{ target_id: String(memberLeague), reason: withdrawal.reason }])
  })

  await t.test('shows the league in the club, the titles and the activity (WAR-8)', async () => {
    await recordActivity(db, { now: clock.now(), showTimes: false })
    site.cache.clear()
    const { leagues: leagueRanks } = (await site.get('/api/club/7')).json()
    assert.deepEqual(
      leagueRanks.map(({ league, place, points }: Record<string, number>) => [league, place, points]).slice(0, 2),
      [
        [memberLeague, 1, 10],
        [leaderLeague, 1, 10],
      ],
    )
    const { data: titles } = (await site.get('/api/titles')).json()
    const wonTitles = titles.filter(
      ({ id, kind }: { id: number; kind: string }) => kind === 'league' && [leaderLeague, memberLeague].includes(id),
    )
    assert.deepEqual(
      wonTitles.map(({ ChaNum, club }: { ChaNum: number; club: { GuName: string } }) => [ChaNum, club.GuName]),
      [
        [leaderCharacter, 'Buwan'],
        [leaderCharacter, 'Buwan'],
      ],
    )
    const [memberCharacter] = await db
      .selectFrom('characters')
      .where('user_num', '=', member)
      .select('cha_num')
      .execute()
    const { titles: memberTitles } = (await site.get(`/api/character/${memberCharacter?.cha_num}`)).json()
    assert.equal(memberTitles.filter(({ kind }: { kind: string }) => kind === 'league').length, 2)
    const { data: feed } = (await site.get('/api/activity')).json()
    const leagueActivity = feed.filter(
      ({ kind, league }: { kind: string; league: number }) =>
        kind === 'league' && [leaderLeague, memberLeague].includes(league),
    )
    assert.deepEqual(
      leagueActivity.map(({ club }: { club: { GuName: string } }) => club.GuName),
      ['Buwan', 'Buwan'],
    )
  })
})

test('a league’s rules cannot change after its first result, and players cannot see drafts', async () => {
  await setHour(30)
  const event = await createClubWar(at(10))
  const quizEvent = await createClubWar(at(10))
  await updateRows(db, 'events', { event: quizEvent }, { club_war: false })
  assertRefused(await callLeagues('save', createInput(quizEvent)), 422)
  assertRefused(await callLeagues('save', createInput(event, { points: '3, 2' })), 422)
  assertRefused(await callLeagues('save', createInput(event, { points: 'three' })), 422)
  const { league, version } = await assertOk(callLeagues('save', createInput(event)))
  assert.equal((await site.get(`/api/wars/league/${league}`)).status, 404)
  assertRefused(await enterResult(league, event, 10, []), 409)
  await assertOk(callLeagues('announce', { league, version }))
  await assertOk(enterResult(league, event, 10, []))
  const currentLeague = await readDeskLeague(league)
  const changeInput = { ...createInput(event), league, version: currentLeague.version }
  assertRefused(await callLeagues('save', { ...changeInput, points: '5' }), 409)
  assertRefused(await callLeagues('save', { ...changeInput, ends_at: at(9).toISOString() }), 422)
  await assertOk(callLeagues('save', { ...changeInput, name: 'Harvest League' }))
  assert.equal((await readPage(league)).name, 'Harvest League')
  await assertOk(callLeagues('cancel', { league, version: (await readDeskLeague(league)).version, reason: 'Too hot' }))
  assert.deepEqual([(await readPage(league)).phase, (await readPage(league)).cancelled_why], ['cancelled', 'Too hot'])
  const { leagues } = (await site.get('/api/wars')).json()
  assert.ok(leagues.every((row: { name: string }) => row.name !== 'Harvest League'))
})
