import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import * as calls from '#contract/desk-leagues.ts'
import { formatPoints, parsePoints } from '#contract/desk-leagues.ts'
import type { CallAnswer, ValidInput } from '#contract/endpoint.ts'
import { formatGift } from '#contract/gifts.ts'
import { LEAGUE_OBJECTION_PERIOD_MS } from '#contract/leagues.ts'
import { formatManilaMinute } from '#contract/manila.ts'
import { formatPlural } from '#contract/numbers.ts'
import { type Prize, toPrize } from '#contract/prizes.ts'
import { isHeldByOther } from '#server/approvals/approvers.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { type RefusingCall, refuse } from '#server/errors.ts'
import { withdrawGift } from '#server/features/mailbox/gifts.ts'
import { describePrizes, hasPrizeItems, toOfferRows } from '#server/features/mailbox/prizes.ts'
import { createClubLookup } from '#server/features/rankings/clubs.ts'
import { parseCursorPair } from '#server/http/desk-lists.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import type { Staff } from '#server/http/staff.ts'
import { selectUserIds } from '#server/http/staff.ts'
import { selectCurrencyNames } from '#server/settings.ts'
import { countSentPrizes, findLeaguePrizes, listSentPrizes, payLeaguePrizes } from './league-prizes.ts'
import {
  findGameClub,
  findLeague,
  getFinalTime,
  getLeaguePhase,
  isFinal,
  type LeagueRow,
  listWarTimes,
  lockLeague,
  readStandings,
  recordChange,
  selectAdjustments,
  selectLeagueEvents,
  selectLeagueOffers,
  selectWars,
  storePlaces,
  writeWar,
} from './leagues.ts'

/** Locks and returns a league that still has the version that the operator saw. @throws Refusal 404, 409 */
async function lockLeagueVersion(
  tx: Db,
  endpoint: RefusingCall<'leagueNotFound' | 'conflict'>,
  { league, version }: { league: number; version: number },
): Promise<LeagueRow> {
  const row = await lockLeague(tx, league)
  if (row === undefined) throw refuse(endpoint, 'leagueNotFound')
  if (row.version !== version) throw refuse(endpoint, 'conflict')
  return row
}

const setState = (tx: Db, row: LeagueRow, values: Partial<LeagueRow>) =>
  tx
    .updateTable('leagues')
    .set({ ...values, version: row.version + 1 })
    .where('league', '=', row.league)
    .execute()

const selectClubWarEvents = (db: Db) =>
  db
    .selectFrom('events')
    .where('club_war', '=', true)
    .select(['event', 'title'])
    .orderBy('event', 'desc')
    .limit(50)
    .execute()

/** The calls of the desk that run leagues. */
export const leagueDeskCalls: MountedCall[] = [
  mount(calls.getDeskLeagues, async ({ after, state }, { deps: { browseDb: db, now } }) => {
    const lastCursor = after === '' ? null : parseCursorPair(after)
    const rows = await db
      .selectFrom('leagues')
      .selectAll()
      .$if(state !== '', (query) => query.where('state', '=', state as LeagueRow['state']))
      .$if(lastCursor !== null, (query) =>
        query.where((eb) =>
          eb(eb.refTuple('starts_at', 'league'), '<', eb.tuple(new Date(lastCursor?.[0] ?? 0), lastCursor?.[1] ?? 0)),
        ),
      )
      .orderBy('starts_at', 'desc')
      .orderBy('league', 'desc')
      .limit(DESK_PAGE_SIZE + 1)
      .execute()
    const shownRows = rows.slice(0, DESK_PAGE_SIZE)
    const tables = await readStandings(db, shownRows)
    const lastRow = rows.length > DESK_PAGE_SIZE ? shownRows.at(-1) : undefined
    return {
      rows: shownRows.map((row) => ({
        ...row,
        phase: getLeaguePhase(row, now()),
        leader: tables.get(row.league)?.[0]?.name ?? null,
      })),
      next: lastRow === undefined ? null : `${lastRow.starts_at.getTime()}.${lastRow.league}`,
    }
  }),

  mount(calls.getLeagueEvents, async (_, { deps: { db } }) => ({ choices: await selectClubWarEvents(db) })),

  mount(calls.getDeskLeague, async ({ league }, { deps, staff }) => {
    const row = await findLeague(deps.db, Number(league))
    if (row === undefined) throw refuse(calls.getDeskLeague, 'leagueNotFound')
    return readDeskLeague(deps, row, staff)
  }),

  mount(calls.getLeaguePrizes, (filters, { deps }) => listSentPrizes(deps.browseDb, filters)),

  mount(calls.saveLeague, async (input, context) => {
    const { league, version, before, after } = await saveLeague(context.deps, input, context.staff.userNum)
    context.record({ target: ['league', league], ...(before && { before }), after })
    return { message: `${input.name} is saved.`, league, version }
  }),

  mount(calls.announceLeague, async (input, { deps: { db: tx }, record }) => {
    const row = await lockLeagueVersion(tx, calls.announceLeague, input)
    if (row.state !== 'draft') throw refuse(calls.announceLeague, 'notDraft')
    await setState(tx, row, { state: 'announced' })
    record({ target: ['league', row.league], before: { state: 'draft' }, after: { state: 'announced' } })
    return { message: `${row.name} is announced.` }
  }),

  mount(calls.cancelLeague, async ({ reason, ...input }, { deps: { db: tx }, record }) => {
    const row = await lockLeagueVersion(tx, calls.cancelLeague, input)
    const { state, name } = row
    if (state === 'finalised' || state === 'cancelled') throw refuse(calls.cancelLeague, 'over')
    if (state === 'draft') await tx.deleteFrom('leagues').where('league', '=', row.league).execute()
    else await setState(tx, row, { state: 'cancelled', cancelled_why: reason })
    const newState = state === 'draft' ? 'deleted' : 'cancelled'
    record({ target: ['league', row.league], before: { state }, after: { state: newState }, reason })
    return { message: `${name} is ${newState}.` }
  }),

  mount(calls.enterWarResult, async (input, { deps: { db: tx, now: clock }, staff, record }) => {
    const { league, event, version, scores } = input
    const [now, starts_at] = [clock(), new Date(input.starts_at)]
    const row = await lockLeague(tx, league)
    if (row === undefined) throw refuse(calls.enterWarResult, 'leagueNotFound')
    if (row.state === 'draft') throw refuse(calls.enterWarResult, 'draft')
    if (row.state !== 'announced') throw refuse(calls.enterWarResult, 'over')
    const isSameWar = (war: { event: number; starts_at: Date }) =>
      war.event === event && war.starts_at.getTime() === starts_at.getTime()
    const warBefore = (await selectWars(tx, row)).find(isSameWar)
    if ((warBefore?.version ?? null) !== version) throw refuse(calls.enterWarResult, 'conflict')
    if (warBefore !== undefined && isFinal(warBefore, now)) throw refuse(calls.enterWarResult, 'final')
    if (warBefore === undefined) {
      const warTime = (await listWarTimes(tx, row)).find(isSameWar)
      if (warTime === undefined || warTime.ends_at > now) throw refuse(calls.enterWarResult, 'notThen')
    }
    if (row.counts === 'places' && scores.some(({ value }) => value > row.points.length))
      throw refuse(calls.enterWarResult, 'noPoints')
    await writeWar(
      tx,
      { league, event, starts_at, by: staff.userNum, now },
      scores.map(({ club, value }) => ({ name: club, value })),
    )
    const formatScores = (clubs: readonly { name: string; value: number }[]) =>
      clubs.map(({ name, value }) => `${name}: ${value}`).join(', ')
    record({
      target: ['league', league],
      ...(warBefore && { before: { scores: formatScores(warBefore.scores) } }),
      after: {
        event,
        starts_at: starts_at.toISOString(),
        scores: formatScores(scores.map(({ club, value }) => ({ name: club, value }))),
      },
    })
    return { message: 'The result is entered. It is final when it is confirmed and 24 hours old.' }
  }),

  mount(calls.confirmWarResult, async ({ war, version }, { deps: { db: tx, now: clock }, staff, record }) => {
    const now = clock()
    const warRow = await tx.selectFrom('league_wars').where('war', '=', war).select('league').executeTakeFirst()
    const row = warRow && (await lockLeague(tx, warRow.league))
    const storedWar = await tx.selectFrom('league_wars').where('war', '=', war).selectAll().executeTakeFirst()
    if (row === undefined || storedWar === undefined) throw refuse(calls.confirmWarResult, 'warNotFound')
    if (row.state !== 'announced') throw refuse(calls.confirmWarResult, 'over')
    if (storedWar.version !== version) throw refuse(calls.confirmWarResult, 'conflict')
    if (storedWar.confirmed_at !== null) throw refuse(calls.confirmWarResult, 'confirmed')
    const isOnlyOperator = !(await isHeldByOther(tx, 'tournaments.write', staff.userNum))
    if (storedWar.entered_by === staff.userNum && !isOnlyOperator) throw refuse(calls.confirmWarResult, 'own')
    await tx
      .updateTable('league_wars')
      .set({ confirmed_at: now, confirmed_by: staff.userNum, version: version + 1 })
      .where('war', '=', war)
      .execute()
    const finalAt = getFinalTime({ entered_at: storedWar.entered_at, confirmed_at: now }) ?? now
    record({
      target: ['league', row.league],
      before: { confirmed: false },
      after: { confirmed: true, event: storedWar.event, starts_at: storedWar.starts_at.toISOString() },
      ...(isOnlyOperator && { reason: 'confirmed alone, because no other operator can confirm results' }),
    })
    return {
      message:
        finalAt <= now
          ? 'The result is final.'
          : `Confirmed. The result is final from ${formatManilaMinute(finalAt)} on.`,
    }
  }),

  mount(calls.adjustLeague, async (input, { deps: { db: tx, now }, staff, record }) => {
    const { league, kind, reason } = input
    const row = await lockLeagueVersion(tx, calls.adjustLeague, input)
    if (row.state === 'draft') throw refuse(calls.adjustLeague, 'draft')
    if (row.state !== 'announced') throw refuse(calls.adjustLeague, 'over')
    const table = (await readStandings(tx, [row])).get(league) ?? []
    const club =
      table.find(({ name }) => name.toLowerCase() === input.club.toLowerCase()) ?? (await findGameClub(tx, input.club))
    if (club === undefined) throw refuse(calls.adjustLeague, 'clubNotFound')
    const points = kind === 'bonus' ? input.points : -input.points
    await tx
      .insertInto('league_adjustments')
      .values({ league, name: club.name, club: club.club, points, reason, made_at: now(), made_by: staff.userNum })
      .execute()
    await recordChange(tx, league, { by: staff.userNum, now: now() })
    record({ target: ['league', league], after: { club: club.name, points }, reason })
    return { message: `${club.name} has a ${kind}.` }
  }),

  mount(calls.finaliseLeague, async (input, { deps: { db: tx, now: clock }, staff, record, consumePayout }) => {
    const now = clock()
    const row = await lockLeagueVersion(tx, calls.finaliseLeague, input)
    if (row.state !== 'announced') throw refuse(calls.finaliseLeague, 'over')
    const blockReason = await findFinaliseBlockReason(tx, row, staff, now)
    if (blockReason !== null) throw refuse(calls.finaliseLeague, blockReason.code)
    await setState(tx, row, { state: 'finalised', finalised_at: now, finalised_by: staff.userNum })
    const table = (await readStandings(tx, [row])).get(row.league) ?? []
    await storePlaces(tx, row.league, table)
    const prizes = await findLeaguePrizes(tx, row, table, now)
    const prizeCount = await payLeaguePrizes(tx, prizes, { row, by: staff.userNum, now }, consumePayout)
    record({
      target: ['league', row.league],
      before: { state: 'announced' },
      after: { state: 'finalised', prizes: prizeCount },
    })
    return {
      message:
        prizeCount === 0 ? `${row.name} is final.` : `${row.name} is final. ${formatPlural(prizeCount, 'prize')} sent.`,
    }
  }),

  mount(calls.withdrawLeaguePrize, async ({ prize, reason }, { deps: { db: tx, now }, record }) => {
    const prizeRow = await tx.selectFrom('league_prizes').where('prize', '=', prize).selectAll().executeTakeFirst()
    if (prizeRow === undefined) throw refuse(calls.withdrawLeaguePrize, 'prizeNotFound')
    const { league, place, user_num, letter } = prizeRow
    if (!(await withdrawGift(tx, letter, now()))) throw refuse(calls.withdrawLeaguePrize, 'gone')
    record({
      target: ['league', league],
      player: user_num,
      before: { prize: 'sent' },
      after: { prize: 'withdrawn', place },
      reason,
    })
    return { message: 'The prize has been withdrawn.' }
  }),
]

type FinaliseBlockReason = { code: 'running' | 'open' | 'early' | 'own'; text: string }

/** Finds why this operator cannot finalise an announced league now. Returns null if they can. */
async function findFinaliseBlockReason(
  db: Db,
  row: LeagueRow,
  staff: Staff,
  now: Date,
): Promise<FinaliseBlockReason | null> {
  const { errors } = calls.finaliseLeague
  const createReason = (code: FinaliseBlockReason['code'], text: string = errors[code].message) => ({ code, text })
  if (now < row.ends_at) return createReason('running')
  const wars = await selectWars(db, row)
  const finalWars = new Set(wars.filter((war) => isFinal(war, now)).map(toKey))
  const allWars = [...wars, ...(await listWarTimes(db, row))]
  if (allWars.some((war) => !finalWars.has(toKey(war)))) return createReason('open')
  if (row.last_change_at !== null) {
    const objectionsEnd = new Date(row.last_change_at.getTime() + LEAGUE_OBJECTION_PERIOD_MS)
    if (now < objectionsEnd)
      return createReason('early', `Players may object until ${formatManilaMinute(objectionsEnd)}.`)
  }
  const isOwnChange = row.last_change_by === staff.userNum && (await isHeldByOther(db, 'prizes.pay', staff.userNum))
  return isOwnChange ? createReason('own') : null
}

const toKey = ({ event, starts_at }: { event: number; starts_at: Date }) => `${event} ${starts_at.getTime()}`

async function readDeskLeague(
  deps: Pick<Deps, 'db' | 'now' | 'cache'>,
  row: LeagueRow,
  staff: Staff,
): Promise<CallAnswer<typeof calls.getDeskLeague>> {
  const { db } = deps
  const now = deps.now()
  const { league, state } = row
  const [standings, findClub, wars, times, events, choices, adjustments, canOtherConfirm, sentPrizes, currencies] =
    await Promise.all([
      readStandings(db, [row]),
      createClubLookup(deps),
      selectWars(db, row),
      listWarTimes(db, row),
      selectLeagueEvents(db, league),
      selectClubWarEvents(db),
      selectAdjustments(db, league),
      isHeldByOther(db, 'tournaments.write', staff.userNum),
      countSentPrizes(db, league),
      selectCurrencyNames(db),
    ])
  const table = standings.get(league) ?? []
  const prizes = await findLeaguePrizes(db, row, table, now)
  const userIds = await selectUserIds(db, [
    row.last_change_by,
    row.finalised_by,
    ...wars.flatMap(({ entered_by, confirmed_by }) => [entered_by, confirmed_by]),
  ])
  const nameOperator = (userNum: number | null) => (userNum === null ? null : (userIds.get(userNum) ?? null))
  const warKeys = new Set(wars.map(toKey))
  const warsWithoutResult = times.filter((time) => time.ends_at <= now && !warKeys.has(toKey(time)))
  return {
    ...row,
    phase: getLeaguePhase(row, now),
    events: events.map(({ event }) => event),
    choices: [...choices, ...events.filter(({ event }) => !choices.some((choice) => choice.event === event))],
    offers: prizes.map(({ offer }) => offer),
    prizes: prizes.map(({ offer, club, players, blockReason }) => ({
      place: offer.place,
      words: formatGift(offer, currencies),
      // A final league shows the prizes that were sent, because members may have left the club since.
      club: sentPrizes.get(offer.place)?.club ?? club,
      why_not: sentPrizes.has(offer.place) ? null : blockReason,
      players: state === 'finalised' ? (sentPrizes.get(offer.place)?.players ?? 0) : players.length,
      claimed: sentPrizes.get(offer.place)?.claimed ?? 0,
      withdrawn: sentPrizes.get(offer.place)?.withdrawn ?? 0,
    })),
    table: table.map(({ name, club, ...rest }) => ({ ...rest, ...findClub(name, club) })),
    wars: [
      ...warsWithoutResult.map((time) => ({ ...time, ...NO_RESULT })),
      ...wars.map(({ event_from, event_until, visible: _, scores, ...war }) => ({
        ...war,
        ends_at: new Date(war.starts_at.getTime() + event_until.getTime() - event_from.getTime()),
        entered_by: nameOperator(war.entered_by),
        confirmed_by: nameOperator(war.confirmed_by),
        final_at: getFinalTime(war),
        is_final: isFinal(war, now),
        not_yet:
          war.confirmed_at === null && war.entered_by === staff.userNum && canOtherConfirm
            ? calls.confirmWarResult.errors.own.message
            : null,
        scores: scores.map(({ name, value, points }) => ({ club: name, value, points })),
      })),
    ].toSorted((a, b) => b.starts_at.getTime() - a.starts_at.getTime() || a.event - b.event),
    next_at: times.find(({ ends_at }) => ends_at > now)?.starts_at ?? null,
    adjustments: adjustments.map(({ name, made_by_id, club: _, ...rest }) => ({
      ...rest,
      club: name,
      made_by: made_by_id,
    })),
    last_change_by: nameOperator(row.last_change_by),
    finalised_by: nameOperator(row.finalised_by),
    not_yet: state === 'announced' ? ((await findFinaliseBlockReason(db, row, staff, now))?.text ?? null) : null,
  }
}

const NO_RESULT = {
  war: null,
  version: null,
  entered_at: null,
  entered_by: null,
  confirmed_at: null,
  confirmed_by: null,
  final_at: null,
  is_final: false,
  not_yet: null,
  scores: [],
}

type LeagueInput = ValidInput<typeof calls.saveLeague>

/**
 * Creates a draft, or changes a league. A league with a result allows changes only of its name, text and end.
 *
 * @returns the league's id and version, and the values before and after for the audit log
 * @throws Refusal 404, 409, 422 as the call declares
 */
async function saveLeague({ db: tx, now }: Pick<Deps, 'db' | 'now'>, input: LeagueInput, author: number) {
  const { league: leagueId, version, events, prizes, ...form } = input
  const values = {
    ...form,
    points: parsePoints(input.points) ?? [],
    starts_at: new Date(input.starts_at),
    ends_at: new Date(input.ends_at),
  }
  const eventIds = [...new Set(events)].sort((a, b) => a - b)
  const valuesAfter = toAuditValues(values, eventIds, prizes)
  if (leagueId === null) {
    await assertClubWars(tx, eventIds)
    const { league } = await tx
      .insertInto('leagues')
      .values({ ...values, created_by: author, created_at: now() })
      .returning('league')
      .executeTakeFirstOrThrow()
    await writeEvents(tx, league, eventIds)
    await writeOffers(tx, league, prizes)
    return { league, version: 1, before: null, after: valuesAfter }
  }
  const row = await lockLeagueVersion(tx, calls.saveLeague, { league: leagueId, version })
  if (row.state === 'finalised' || row.state === 'cancelled') throw refuse(calls.saveLeague, 'over')
  const valuesBefore = toAuditValues(
    row,
    (await selectLeagueEvents(tx, leagueId)).map(({ event }) => event),
    (await selectLeagueOffers(tx, leagueId)).map(toPrize),
  )
  const lastWar = await tx
    .selectFrom('league_wars')
    .where('league', '=', leagueId)
    .select((eb) => eb.fn.max('starts_at').as('at'))
    .executeTakeFirst()
  if (lastWar?.at != null) {
    const hasSameFixedFields = FIXED_FIELDS.every((field) => String(valuesBefore[field]) === String(valuesAfter[field]))
    if (!hasSameFixedFields) throw refuse(calls.saveLeague, 'begun')
    if (lastWar.at >= values.ends_at) throw refuse(calls.saveLeague, 'pastWar')
  } else {
    await assertClubWars(tx, eventIds)
    await tx.deleteFrom('league_events').where('league', '=', leagueId).execute()
    await writeEvents(tx, leagueId, eventIds)
    await tx.deleteFrom('league_offers').where('league', '=', leagueId).execute()
    await writeOffers(tx, leagueId, prizes)
  }
  await setState(tx, row, values)
  return { league: leagueId, version: version + 1, before: valuesBefore, after: valuesAfter }
}

const FIXED_FIELDS = ['counts', 'points', 'starts_at', 'events', 'prizes', 'prizes_to'] as const

type AuditedColumns = Pick<LeagueRow, 'name' | 'about' | 'counts' | 'points' | 'starts_at' | 'ends_at' | 'prizes_to'>

/** Describes a league for the audit log. */
const toAuditValues = (
  { name, about, counts, points, starts_at, ends_at, prizes_to }: AuditedColumns,
  events: readonly number[],
  prizes: readonly Prize[],
) => ({
  name,
  about,
  counts,
  points: formatPoints(points),
  starts_at: starts_at.toISOString(),
  ends_at: ends_at.toISOString(),
  events: events.join(', '),
  prizes: describePrizes(prizes),
  prizes_to,
})

/** @throws Refusal 422 unless all are club wars */
async function assertClubWars(tx: Db, events: readonly number[]): Promise<void> {
  const clubWars = await tx
    .selectFrom('events')
    .where('event', 'in', events)
    .where('club_war', '=', true)
    .select('event')
    .execute()
  if (clubWars.length < events.length) throw refuse(calls.saveLeague, 'eventNotFound')
}

const writeEvents = (tx: Db, league: number, events: readonly number[]) =>
  tx
    .insertInto('league_events')
    .values(events.map((event) => ({ league, event })))
    .execute()

async function writeOffers(tx: Db, league: number, prizes: readonly Prize[]): Promise<void> {
  if (!(await hasPrizeItems(tx, prizes))) throw refuse(calls.saveLeague, 'itemNotFound')
  if (prizes.length === 0) return
  await tx
    .insertInto('league_offers')
    .values(toOfferRows(prizes).map((offer) => ({ league, ...offer })))
    .execute()
}
