import { sql } from 'kysely'
import { formatTitle, getCharacter } from '#contract/characters.ts'
import type { CallAnswer } from '#contract/endpoint.ts'
import { BOARDS, type Board, findClassByCode, getClassCodes } from '#contract/game.ts'
import { COUNTED_RANKS_MAX, RANKING_SIZE } from '#contract/limits.ts'
import { getPreviousMonth, getStartOfDay } from '#contract/manila.ts'
import { ONLINE_COUNT_MAX_AGE_MS } from '#contract/players-online.ts'
import { DEFAULT_PICTURE } from '#contract/sharing.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { readSettings } from '#server/settings.ts'
import { readTheme } from '../theme/queries.ts'
import { selectDays } from './days.ts'
import { type CharacterCard, getPictureVersion, selectPictures } from './draw-character.ts'
import {
  isHidden,
  isPresented,
  isRanked,
  isSameCharacter,
  MEASURES,
  type Span,
  selectClubByCharacter,
  selectEmptyBoards,
  selectRanked,
  ZERO_UNRANKED,
} from './queries.ts'
import { selectSeasonBoard } from './season-boards.ts'
import { countSeason, findDivision, getSeasonState, type SeasonRow, selectSeasons, toSeason } from './seasons.ts'
import { filterTitles, readTitles } from './titles.ts'

/** The number of months that a character's page shows. */
const MONTHS_SHOWN = 12
/** The number of titles that are badges in the picture for links. */
const BADGES_DRAWN = 3
/** The number of tournaments that a character's page shows. */
const TOURNAMENTS_SHOWN = 12
/** The number of best ranks, within the first hundred, that a character's page shows. */
const RANKS_SHOWN = 4

/** `inClass` and `inSchool` are the ranks within the class and the school, on boards of the month and of all time. */
type RankedCharacter = { rank: number; value: number; school: number; cls: string; inClass?: number; inSchool?: number }
/** The first thousand ranks of an open board, by the characters' numbers. */
export type Ranks = Record<number, RankedCharacter>
type CharacterDeps = Pick<Deps, 'db' | 'now' | 'cache'>

/**
 * Reads the first thousand ranks of an open board. They are cached, because every board that a logged-in player opens
 * requests them.
 */
export async function readBoardRanks(
  { db, now, cache }: CharacterDeps,
  board: Board,
  options: { span: Span; season?: SeasonRow },
): Promise<Ranks> {
  const { span, season } = options
  return (await cache.getValue(`places ${span} ${board} ${season?.season ?? ''}`, async () => {
    const request = { board, now: now() }
    if (season === undefined) {
      const rows = await selectRanked(db, { ...request, span })
        .select(['c.cha_school', 'c.cha_class'])
        .limit(COUNTED_RANKS_MAX)
        .execute()
      return toRanks(rows)
    }
    const { rule } = await selectSeasonBoard(db, season.season, board)
    const { rows } = await sql<MeasuredCharacter>`
      select n.cha_num, n.value, c.cha_school, c.cha_class
      from ${countSeason(db, { season, rule, ...request, limit: COUNTED_RANKS_MAX })} n join characters c using (cha_num)
      order by n.value desc, n.cha_level desc, n.cha_num`.execute(db)
    return toRanks(rows)
  })) as Ranks
}

type MeasuredCharacter = { cha_num: number; value: number; cha_school: number; cha_class: string }

/** Assigns ranks to rows in the order of a board. */
export function toRanks(rows: readonly MeasuredCharacter[]): Ranks {
  const counts = new Map<string, number>()
  const nextRank = (group: string) => {
    const count = (counts.get(group) ?? 0) + 1
    counts.set(group, count)
    return count
  }
  return Object.fromEntries(
    rows.map(({ cha_num, value, cha_class, cha_school }, index) => {
      const cls = findClassByCode(cha_class)
      const groupRanks = {
        ...(cls !== undefined && { inClass: nextRank(cls) }),
        inSchool: nextRank(String(cha_school)),
        school: cha_school,
        cls: cha_class,
      }
      return [cha_num, { rank: index + 1, value: Number(value), ...groupRanks }]
    }),
  )
}

type RankChange = number | 'new' | null

/** Compares two ranks. A character in the first hundred that was not on the board before is new. */
function getRankChange(previousRank: number | undefined, rank: number | null, isComparable: boolean): RankChange {
  if (!isComparable || rank === null) return null
  if (previousRank === undefined) return rank <= RANKING_SIZE ? 'new' : null
  return previousRank - rank
}

/**
 * Returns a ranked character with its months, its seasons and its all-time ranks (RANK-15).
 *
 * @throws Refusal 404 for an unknown or hidden character, and for a character of a blocked account or of staff
 */
export async function readCharacter(deps: Deps, chaNum: number): Promise<CallAnswer<typeof getCharacter>> {
  const { db, now } = deps
  const selectMeasures = (span: Span) => BOARDS.map((board) => MEASURES[span][board].as(`${span}_${board}` as const))
  const character = await db
    .selectFrom('characters as c')
    .leftJoin('accounts as a', 'a.user_num', 'c.user_num')
    .where('c.cha_num', '=', chaNum)
    .where(isRanked(now()))
    .select(['c.cha_name', 'c.cha_level', 'c.cha_class', 'c.cha_school', 'c.level_up_at', KNOWN_SINCE])
    .select([
      ...selectMeasures('month'),
      ...selectMeasures('season'),
      ...selectMeasures('total'),
      isPresented(now()).as('is_presented'),
    ])
    .executeTakeFirst()
  if (character === undefined) throw refuse(getCharacter, 'characterNotFound')
  const createValueReader = (span: Span) => (board: Board) => Number(character[`${span}_${board}`] ?? 0)
  const ranks = await readRanks(deps, chaNum)
  const poster = await readPoster(db, character.cha_class)
  const club = await selectClubByCharacter(db, chaNum)
  return {
    ChaNum: chaNum,
    ChaName: character.cha_name,
    ChaLevel: character.cha_level,
    ChaClass: character.cha_class,
    ChaSchool: character.cha_school,
    ChaLevelUpDate: character.level_up_at,
    poster,
    picture: character.is_presented
      ? `/character/${chaNum}.jpg?v=${getPictureVersion(await toCharacterCard(deps, { ...character, cha_num: chaNum, ranks, poster }))}`
      : DEFAULT_PICTURE,
    club,
    online: await readIsOnline(deps, chaNum),
    ranks,
    averages: await readClassAverages(deps, character.cha_class),
    days: await selectDays(db, chaNum, character.since),
    months: await readMonths(deps, { chaNum, since: character.since, valueOn: createValueReader('month') }),
    seasons: await readSeasons(deps, { chaNum, since: character.since, valueOn: createValueReader('season') }),
    total: await readOpenRanks(deps, chaNum, { span: 'total', valueOn: createValueReader('total') }),
    titles: character.is_presented ? filterTitles(await readTitles(deps), { chaNum, club: club?.GuNum ?? null }) : [],
    tournaments: await readTournaments(db, chaNum, character.since),
  }
}

/**
 * Reads the data that a ranked character's picture shows (RANK-17).
 *
 * @throws Refusal 404 as `readCharacter` does, and for a character that is left out
 */
export async function readCharacterCard(
  deps: CharacterDeps & Pick<Deps, 'config'>,
  chaNum: number,
): Promise<CharacterCard> {
  const character = await deps.db
    .selectFrom('characters as c')
    .leftJoin('accounts as a', 'a.user_num', 'c.user_num')
    .where('c.cha_num', '=', chaNum)
    .where(isPresented(deps.now()))
    .select(['c.cha_name', 'c.cha_level', 'c.cha_class', 'c.cha_school'])
    .executeTakeFirst()
  if (character === undefined) throw refuse(getCharacter, 'characterNotFound')
  const ranks = await readRanks(deps, chaNum)
  return toCharacterCard(deps, {
    ...character,
    cha_num: chaNum,
    ranks,
    poster: await readPoster(deps.db, character.cha_class),
  })
}

type CardInput = {
  cha_num: number
  cha_name: string
  cha_level: number
  cha_class: string
  cha_school: number
  ranks: Awaited<ReturnType<typeof readRanks>>
  poster: Awaited<ReturnType<typeof readPoster>>
}

async function toCharacterCard(deps: CharacterDeps & Pick<Deps, 'config'>, input: CardInput): Promise<CharacterCard> {
  const [{ site_name }, { value: theme }] = await Promise.all([readSettings(deps), readTheme(deps)])
  const club = await selectClubByCharacter(deps.db, input.cha_num)
  const subject = { chaNum: input.cha_num, club: club?.GuNum ?? null }
  const titles = filterTitles(await readTitles(deps), subject).slice(0, BADGES_DRAWN)
  return {
    name: input.cha_name,
    level: input.cha_level,
    cls: input.cha_class,
    school: input.cha_school,
    place: input.ranks[0] ?? null,
    titles: titles.map(({ kind, ...title }) => ({ kind, text: formatTitle({ kind, ...title }) })),
    siteName: site_name,
    poster: input.poster?.picture ?? null,
    colors: theme.colors,
    pictures: selectPictures(theme.pictures),
  }
}

/**
 * Returns whether a character is online; null if operators do not show that, or if the game sent no report in the last
 * minutes (STATUS-4).
 */
async function readIsOnline(deps: Deps, chaNum: number): Promise<boolean | null> {
  if (!(await readSettings(deps)).show_who_plays) return null
  const since = new Date(deps.now().getTime() - ONLINE_COUNT_MAX_AGE_MS)
  const sync = await deps.db
    .selectFrom('game_sync')
    .innerJoin('bridges', 'bridges.bridge', 'game_sync.bridge')
    .where('revoked_at', 'is', null)
    .where('online_at', '>=', since)
    .select(sql<boolean>`${chaNum}::bigint = any(online_characters)`.as('online'))
    .executeTakeFirst()
  return sync?.online ?? null
}

/** Returns the picture of a class in the published class guide. */
async function readPoster(db: Db, code: string) {
  const cls = findClassByCode(code)
  if (cls === undefined) return null
  const { rows } = await sql<{ picture: string | null; text: string | null }>`
    select c.value->>'picture' as picture, c.value->>'picture_text' as text
    from documents d, jsonb_each(d.published->'classes') c where d.name = 'classes' and c.key = ${cls}`.execute(db)
  const [poster] = rows
  return poster?.picture == null ? null : { picture: poster.picture, text: poster.text ?? '' }
}

/** Returns the best ranks of a character on the boards of the open month, overall, in its class and in its school. */
async function readRanks(deps: CharacterDeps, chaNum: number) {
  const empty = await selectEmptyBoards(deps.db)
  const ranks = await Promise.all(
    BOARDS.filter((board) => !empty.includes(board)).map(async (board) => {
      const standing = (await readBoardRanks(deps, board, { span: 'month' }))[chaNum]
      if (standing === undefined || standing.value <= 0) return []
      const { rank, inClass, inSchool } = standing
      // An overall rank implies at least the same rank in the class and the school.
      return [
        { board, of: 'all' as const, rank },
        { board, of: 'class' as const, rank: inClass === rank ? undefined : inClass },
        { board, of: 'school' as const, rank: inSchool === rank ? undefined : inSchool },
      ]
    }),
  )
  return ranks
    .flat()
    .flatMap(({ rank, ...group }) => (rank === undefined || rank > RANKING_SIZE ? [] : [{ ...group, rank }]))
    .sort((a, b) => a.rank - b.rank || BOARDS.indexOf(a.board) - BOARDS.indexOf(b.board))
    .slice(0, RANKS_SHOWN)
}

/** Returns the rounded averages of a class's ranked characters on the boards of the open month. */
async function readClassAverages({ db, now, cache }: CharacterDeps, code: string) {
  const cls = findClassByCode(code)
  if (cls === undefined) return []
  return (await cache.getValue(`class averages ${cls}`, async () => {
    const empty = await selectEmptyBoards(db)
    const boards = BOARDS.filter((board) => !empty.includes(board))
    const selectAverage = (board: Board) => {
      const value = MEASURES.month[board]
      const counted = ZERO_UNRANKED[board] ? sql` filter (where ${value} > 0)` : sql``
      return sql<string | null>`round(avg(${value})${counted})`.as(board)
    }
    const row = await db
      .selectFrom('characters as c')
      .leftJoin('accounts as a', 'a.user_num', 'c.user_num')
      .where('c.cha_class', 'in', getClassCodes(cls))
      .where(isRanked(now()))
      .select(boards.map(selectAverage))
      .executeTakeFirstOrThrow()
    // The average of impossibly high counters can exceed the range of a number.
    const toSafeNumber = (text: string) =>
      Math.min(Number.MAX_SAFE_INTEGER, Math.max(Number.MIN_SAFE_INTEGER, Number(text)))
    return boards.flatMap((board) => {
      const text = row[board]
      return text === null ? [] : [{ board, value: toSafeNumber(text) }]
    })
  })) as { board: Board; value: number }[]
}

/** The time since which a ChaNum belongs to this character; 1970 for characters that no bridge has sent. */
export const KNOWN_SINCE = sql<Date>`case when c.game_user_num is null then to_timestamp(0) else c.known_since end`.as(
  'since',
)

type Subject = { chaNum: number; since: Date; valueOn: (board: Board) => number }

/** Selects the tournaments of a character, the latest first. */
async function readTournaments(db: Db, chaNum: number, since: Date) {
  const { rows } = await sql<{
    tournament: number
    name: string
    club: string | null
    starts_at: Date
    state: 'announced' | 'drawn' | 'finalised'
    place: number | null
    entries: number
  }>`
    select t.tournament, t.name, e.club, t.starts_at, t.state, e.place, (
      select count(*)::int from tournament_entries o
      where o.tournament = t.tournament and (t.state = 'announced' or o.seed is not null)) as entries
    from tournament_entries e join tournaments t using (tournament)
    where e.cha_num = ${chaNum} and e.registered_at >= ${since}
      and (t.state = 'announced' or (t.state in ('drawn', 'finalised') and e.seed is not null))
    order by t.starts_at desc limit ${TOURNAMENTS_SHOWN}`.execute(db)
  return rows
}

type OpenBoards = { span: 'month' | 'total'; valueOn: (board: Board) => number }

/** Returns the current ranks of a character on the boards of the open month or of all time. */
async function readOpenRanks(deps: CharacterDeps, chaNum: number, { span, valueOn }: OpenBoards) {
  const empty = await selectEmptyBoards(deps.db)
  const places = await Promise.all(
    BOARDS.map(async (board) => {
      const value = valueOn(board)
      if (empty.includes(board)) return []
      if (ZERO_UNRANKED[board] && value <= 0) return []
      return [{ board, rank: (await readBoardRanks(deps, board, { span }))[chaNum]?.rank ?? null, value }]
    }),
  )
  return places.flat()
}

type ArchivedRank = { period: string; board: Board; place: number; value: number }

/** Selects the visible ranks of a character in its last closed months. */
async function selectArchivedRanks(db: Db, { chaNum, since }: Subject): Promise<ArchivedRank[]> {
  const { rows } = await sql<ArchivedRank>`
    with months as (
      select distinct r.period from ranking_archive r join ranking_periods p on p.period = r.period and p.closed_at >= ${since}
      where r.cha_num = ${chaNum} and r.taken_out_at is null
      order by r.period desc limit ${MONTHS_SHOWN + 1}),
    figures as (
      select r.period, r.board, r.cha_num, r.cha_level,
        case r.board when 'resu' then r.resu when 'mmr' then r.mmr when 'level' then r.cha_level
          when 'richest' then r.money else r.kills end as value
      from ranking_archive r join ranking_periods p on p.period = r.period and p.closed_at is not null
      where r.period in (select period from months) and r.taken_out_at is null and not ${isHidden('r')}),
    places as (
      select *, row_number() over (partition by period, board order by value desc, cha_level desc, cha_num) as place
      from figures where value > 0 or board not in ('resu', 'killer'))
    select period, board, place, value from places where cha_num = ${chaNum} order by period desc`.execute(db)
  return rows.map((row) => ({ ...row, place: Number(row.place), value: Number(row.value) }))
}

async function readMonths(deps: CharacterDeps, subject: Subject) {
  const { chaNum, valueOn } = subject
  const periods = await deps.db
    .selectFrom('ranking_periods')
    .select(['period', 'closed_at'])
    .orderBy('period', 'desc')
    .execute()
  const archivedRanks = await selectArchivedRanks(deps.db, subject)
  const existingPeriods = new Set(periods.map(({ period }) => period))
  const findRank = (period: string, board: Board) =>
    archivedRanks.find((row) => row.period === period && row.board === board)?.place
  const addMoves = <Place extends { board: Board; rank: number | null }>(period: string, places: readonly Place[]) => {
    const previousMonth = getPreviousMonth(getStartOfDay(`${period}-01`)).id
    return places.map((place) => ({
      ...place,
      moved: getRankChange(findRank(previousMonth, place.board), place.rank, existingPeriods.has(previousMonth)),
    }))
  }
  const openPeriod = periods.find(({ closed_at }) => closed_at === null)
  const closedPeriods = [...new Set(archivedRanks.map(({ period }) => period))].slice(0, MONTHS_SHOWN)
  const selectRanks = (period: string) =>
    BOARDS.flatMap((board) => {
      const row = archivedRanks.find((archivedRank) => archivedRank.period === period && archivedRank.board === board)
      return row === undefined ? [] : [{ board, rank: row.place, value: row.value }]
    })
  return [
    ...(openPeriod === undefined
      ? []
      : [
          {
            period: openPeriod.period,
            open: true,
            places: addMoves(openPeriod.period, await readOpenRanks(deps, chaNum, { span: 'month', valueOn })),
          },
        ]),
    ...closedPeriods.map((period) => ({ period, open: false, places: addMoves(period, selectRanks(period)) })),
  ]
}

async function readSeasons(deps: CharacterDeps, { chaNum, since, valueOn }: Subject) {
  const { db } = deps
  const seasons = (await selectSeasons(db)).filter((season) => getSeasonState(season) !== 'planned')
  const boards = await db.selectFrom('season_boards').selectAll().execute()
  const endedSeasons = seasons
    .filter(({ ended_at }) => ended_at !== null && ended_at >= since)
    .map(({ season }) => season)
  // Uses all three columns of the primary key, because the table has no other index.
  const standings =
    endedSeasons.length === 0
      ? []
      : await db
          .selectFrom('season_standings')
          .where('season', 'in', endedSeasons)
          .where('board', 'in', BOARDS)
          .where('cha_num', '=', chaNum)
          .selectAll()
          .execute()
  const findRankIn = (season: SeasonRow | undefined, board: Board) =>
    standings.find((row) => row.season === season?.season && row.board === board)?.rank
  const seasonRows = await Promise.all(
    seasons.map(async (season, index) => {
      const previousSeason = seasons[index + 1]
      const places = await Promise.all(
        boards
          .filter((board) => board.season === season.season)
          .map(async ({ board, rule, floors }) => {
            const standing = standings.find((row) => row.season === season.season && row.board === board)
            const isRunning = getSeasonState(season) === 'running'
            const place = isRunning ? (await readBoardRanks(deps, board, { span: 'season', season }))[chaNum] : standing
            const value = place?.value ?? (isRunning && rule === 'growth' ? valueOn(board) : 0)
            if (value <= 0) return []
            const rank = place?.rank ?? null
            const rankChange = getRankChange(findRankIn(previousSeason, board), rank, previousSeason !== undefined)
            return [{ board, rank, value, division: findDivision(value, season.divisions, floors), moved: rankChange }]
          }),
      )
      const order = places.flat().sort((a, b) => BOARDS.indexOf(a.board) - BOARDS.indexOf(b.board))
      const { name, first_month, last_month, state } = toSeason(season)
      return { season: season.season, name, first_month, last_month, state, places: order }
    }),
  )
  return seasonRows.filter(({ places }) => places.length > 0)
}

/** Selects the characters on the boards of a closed month that have no page. */
export async function selectUnlinked({ db, now }: Deps, period: string): Promise<number[]> {
  const { rows } = await sql<{ cha_num: number }>`
    select distinct r.cha_num from ranking_archive r
    join ranking_periods p on p.period = r.period
    left join (characters c left join accounts a using (user_num))
      on c.cha_num = r.cha_num and ${isSameCharacter(sql`coalesce(p.closed_at, 'infinity')`)}
    where r.period = ${period} and not coalesce(${isRanked(now())}, false)`.execute(db)
  return rows.map(({ cha_num }) => cha_num)
}
