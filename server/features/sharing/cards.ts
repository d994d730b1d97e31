import { DAY_MS } from '#contract/durations.ts'
import { getNextOccurrence } from '#contract/events.ts'
import { BOARD_NAMES } from '#contract/game.ts'
import { LEAGUE_PHASES } from '#contract/leagues.ts'
import { formatManilaDate, formatManilaMinute, formatMonth } from '#contract/manila.ts'
import { NEWS_TYPES } from '#contract/news.ts'
import { formatPlural } from '#contract/numbers.ts'
import type { SharedKind } from '#contract/sharing.ts'
import type { Deps } from '#server/deps.ts'
import { Refusal } from '#server/errors.ts'
import { findEvent } from '../events/queries.ts'
import { findNews } from '../news/queries.ts'
import { readClub, readClubRanking } from '../rankings/clubs.ts'
import { selectSeasons } from '../rankings/seasons.ts'
import { readTitles } from '../rankings/titles.ts'
import { findTournamentRow } from '../tournaments/queries.ts'
import { findVisibleLeague } from '../wars/leagues.ts'
import { readWars } from '../wars/queries.ts'

/** The content of a page's picture. */
export type Card = {
  /** A short line above the title. */
  kicker: string
  title: string
  lines: readonly string[]
  /** The address of the picture behind the text. */
  picture: string | null
  /** The school whose crest is behind the text, if there is no picture. */
  school?: number
}

const LINES_MAX = 5
/** For this time after a repeated event, its picture shows the result instead of the next time. */
const RESULT_DISPLAY_MS = 3 * DAY_MS

/** Returns null for a page that does not exist. */
type ReadCard = (deps: Deps, id: string) => Promise<Card | null>

const CARDS: Record<SharedKind, ReadCard> = {
  async news(deps, id) {
    const [item] = await findNews(deps, Number(id))
    if (item === undefined) return null
    const kicker = NEWS_TYPES[item.type]
    const lines = item.created_at === null ? [] : [formatManilaDate(item.created_at)]
    return { kicker, title: item.subject, lines, picture: item.img_thumbnail }
  },

  async event(deps, id) {
    const event = await findEvent(deps.db, Number(id), deps.now())
    if (event === undefined) return null
    const next = getNextOccurrence(event, deps.now().getTime())
    const [lastResult] = event.results
    const shownResult =
      lastResult !== undefined &&
      (next === undefined || lastResult.starts_at.getTime() > deps.now().getTime() - RESULT_DISPLAY_MS)
        ? lastResult
        : undefined
    const result = shownResult?.result.split('\n') ?? []
    const timeText =
      shownResult !== undefined || next === undefined
        ? formatManilaDate(shownResult?.starts_at ?? event.starts_at)
        : `${formatManilaMinute(next.from)}, Manila time`
    return {
      kicker: event.club_war ? 'Club war' : 'Event',
      title: event.title,
      lines: [event.cancelled ? 'Cancelled' : timeText, ...result, ...(event.prize === '' ? [] : [event.prize])],
      picture: event.picture,
    }
  },

  async wars(deps) {
    const { next, areas } = await readWars(deps)
    const holderLines = areas.flatMap(({ name, club }) => (club === null ? [] : [`${name}: ${club}`]))
    const lines =
      next === null
        ? holderLines
        : [`Next war ${formatManilaMinute(new Date(next.starts_at))}, Manila time`, ...holderLines]
    return { kicker: 'Areas and results', title: 'Club wars', lines, picture: null }
  },

  async month(deps, period) {
    const titles = (await readTitles(deps)).filter((title) => title.kind === 'month' && title.period === period)
    if (titles.length === 0) return null
    const lines = titles.flatMap(({ board, ChaName }) => (board === null ? [] : [`${BOARD_NAMES[board]}: ${ChaName}`]))
    return { kicker: 'The winners of the month', title: formatMonth(period), lines, picture: null }
  },

  async season(deps, id) {
    const season = (await selectSeasons(deps.db)).find((row) => row.season === Number(id))
    if (season === undefined) return null
    const titles = (await readTitles(deps)).filter((title) => title.kind === 'season' && title.id === season.season)
    const lines = titles.flatMap(({ board, ChaName }) => (board === null ? [] : [`${BOARD_NAMES[board]}: ${ChaName}`]))
    const kicker = `Season, ${formatMonth(season.first_month)} to ${formatMonth(season.last_month)}`
    return { kicker, title: season.name, lines: lines, picture: null }
  },

  async tournament(deps, id) {
    const row = await findTournamentRow(deps.db, Number(id))
    if (row === undefined || row.state === 'draft') return null
    const title = (await readTitles(deps)).find(
      ({ kind, id: titleId }) => kind === 'tournament' && titleId === Number(id),
    )
    const winner = title === undefined || row.winner === null ? [] : [`Won by ${row.winner}`]
    const lines = [`${formatManilaMinute(row.starts_at)}, Manila time`, ...winner]
    return { kicker: 'Tournament', title: row.name, lines, picture: null }
  },

  async league(deps, id) {
    const league = await findVisibleLeague(deps, Number(id))
    if (league === undefined) return null
    const lines = league.table.slice(0, LINES_MAX).map(({ rank, club, points }) => {
      return `${rank}. ${club}: ${formatPlural(points, 'point')}`
    })
    const kicker = `League of club wars: ${LEAGUE_PHASES[league.phase].toLowerCase()}`
    return { kicker, title: league.name, lines, picture: null }
  },

  async club(deps, id) {
    const club = Number(id)
    const ranking = await readClubRanking(deps)
    const rank = ranking.findIndex(({ GuNum }) => GuNum === club) + 1
    const clubRow = ranking[rank - 1] ?? (await readClub(deps, club))
    const areas = clubRow.areas.map((area) => (typeof area === 'string' ? area : area.name))
    const battles = [
      formatPlural(clubRow.wins, 'win'),
      formatPlural(clubRow.losses, 'loss', 'losses'),
      formatPlural(clubRow.draws, 'draw'),
    ]
    const lines = [battles.join(', '), formatPlural(clubRow.members, 'member')]
    return {
      kicker: rank === 0 ? 'Club' : `Club #${rank}`,
      title: clubRow.GuName,
      lines: areas.length === 0 ? lines : [...lines, `Holds ${areas.join(', ')}`],
      picture: null,
      school: clubRow.school,
    }
  },
}

/** Reads the content of a page's picture; null for a page that does not exist. */
export async function readCard(deps: Deps, kind: SharedKind, id: string): Promise<Card | null> {
  // The id of a month is like 2026-10; all other ids are whole numbers.
  if (/^\d+$/.test(id) === (kind === 'month')) return null
  try {
    const card = await CARDS[kind](deps, id)
    return card && { ...card, lines: card.lines.filter((line) => line.trim() !== '').slice(0, LINES_MAX) }
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null
    throw error
  }
}
