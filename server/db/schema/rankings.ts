import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Board } from '#contract/game.ts'
import type { LeagueMeasure, PrizeRecipient } from '#contract/leagues.ts'
import type { SeasonRule } from '#contract/seasons.ts'
import type { MatchOutcome, TournamentFormat } from '#contract/tournaments.ts'
import type { Holdings } from './holdings.ts'
import type { JsonListColumn } from './json.ts'

/** Characters, rankings, seasons and tournaments. */
export interface RankingsTables {
  characters: Characters
  clubs: Clubs
  club_marks: ClubMarks
  club_alliances: { club: number; leader: number }
  ranking_periods: RankingPeriods
  ranking_archive: RankingArchive
  shown_per_school: { school: number; characters: number }
  character_days: { cha_num: number; day: string; cha_level: number; place: number }
  activity: Activity
  hidden_characters: { cha_num: number; reason: string; hidden_by: number | null; hidden_at: Date }
  ranking_corrections: RankingCorrections
  seasons: Seasons
  season_boards: SeasonBoards
  season_characters: {
    season: number
    cha_num: number
    cha_name: string
    cha_level: number
    cha_class: string
    cha_school: number
  }
  season_standings: { season: number; board: Board; cha_num: number; rank: number; value: number }
  tournaments: Tournaments
  tournament_offers: TournamentOffers
  tournament_entries: TournamentEntries
  tournament_matches: TournamentMatches
  tournament_prizes: TournamentPrizes
  leagues: Leagues
  league_events: { league: number; event: number }
  league_wars: LeagueWars
  league_scores: { war: number; name: string; club: number | null; value: number }
  league_adjustments: LeagueAdjustments
  league_offers: Omit<TournamentOffers, 'tournament'> & { league: number }
  league_prizes: LeaguePrizes
  league_places: { league: number; name: string; club: number | null; place: number; points: number }
}

type Clubs = {
  club: number
  name: string
  /** A character's number. */
  leader: number | null
  wins: Generated<number>
  losses: Generated<number>
  draws: Generated<number>
  founded_at: Date | null
}

type ClubMarks = {
  club: number
  version: number
  form: string
  /** A PNG file; null for a mark of another form. */
  picture: Uint8Array | null
  read_at: Date
  hidden_at: Date | null
}

type Characters = {
  cha_num: Generated<number>
  /** The account of the site; null if the character's game account is not linked. */
  user_num: number | null
  /** The account in the game; null for characters of the demo world. */
  game_user_num: Generated<number | null>
  /** Why rankings and search leave the character out. */
  kept_out: Generated<'' | 'staff' | 'blocked' | 'deleted' | 'missing'>
  /** Whether the name from the game was unusable and replaced. */
  odd_name: Generated<boolean>
  cha_name: string
  cha_level: number
  cha_class: string
  cha_school: number
  club: Generated<number | null>
  cha_pk_score: Generated<number>
  cha_pk_death: Generated<number>
  cha_mmr: Generated<number>
  cha_resu_score: Generated<number>
  cha_money: Generated<number>
  level_up_at: Date | null
  known_since: Generated<Date>
  base_kills: Generated<number>
  base_deaths: Generated<number>
  base_resu: Generated<number>
  month_kills: GeneratedAlways<number>
  month_deaths: GeneratedAlways<number>
  month_resu: GeneratedAlways<number>
  /** The sum of the amounts by which the game's counter has fallen. */
  past_kills: Generated<number>
  past_deaths: Generated<number>
  past_resu: Generated<number>
  /** The value when the running season began. */
  start_level: Generated<number | null>
  start_mmr: Generated<number | null>
  start_money: Generated<number | null>
  start_kills: Generated<number | null>
  start_resu: Generated<number | null>
}

type Activity = {
  activity: Generated<number>
  kind: 'level' | 'first' | 'record' | 'area' | 'tournament' | 'club' | 'news' | 'event' | 'league'
  day: string
  happened_at: Date | null
  cha_num: number | null
  level: number | null
  class: string | null
  board: Board | null
  value: number | null
  period: string | null
  club: number | null
  change: number | null
  tournament: number | null
  news: number | null
  event: number | null
  league: Generated<number | null>
}

type RankingPeriods = {
  period: string
  starts_at: Date
  ends_at: Date
  opened_at: Date
  closed_at: Date | null
  /** When the values of a closed month were read from the game; null without a game. */
  values_at: Generated<Date | null>
}

type RankingArchive = {
  period: string
  board: 'resu' | 'mmr' | 'level' | 'richest' | 'killer'
  rank: number
  cha_num: number
  cha_name: string
  cha_level: number
  cha_class: string
  cha_school: number
  kills: number
  deaths: number
  mmr: number
  resu: number
  money: number
  level_up_at: Date | null
  taken_out_at: Date | null
}

type Seasons = {
  season: Generated<number>
  name: string
  first_month: string
  last_month: string
  divisions: JsonListColumn<{ name: string; share: number }>
  version: Generated<number>
  created_by: number | null
  created_at: Date
  begun_at: Date | null
  end_asked_at: Date | null
  ended_at: Date | null
  final_asked_at: Date | null
  finalised_at: Date | null
}

type SeasonBoards = {
  season: number
  board: Board
  rule: SeasonRule
  ranked: Generated<number>
  /** The lowest value of each division, highest division first; empty while no character is ranked. */
  floors: Generated<number[]>
  counted_at: Date | null
}

type RankingCorrections = {
  correction: Generated<number>
  period: string
  cha_num: number
  kind: 'corrected' | 'taken out' | 'put back'
  before: ColumnType<Record<string, unknown>, string, never>
  after: ColumnType<Record<string, unknown>, string, never>
  reason: string
  corrected_by: number | null
  corrected_at: Date
}

type Tournaments = {
  tournament: Generated<number>
  name: string
  about: Generated<string>
  kind: 'players' | 'clubs'
  format: TournamentFormat
  third_place: Generated<boolean>
  level_from: Generated<number>
  level_to: number | null
  max_entries: number
  registration_from: Date
  registration_until: Date
  checkin_from: Date
  checkin_until: Date
  starts_at: Date
  state: Generated<'draft' | 'announced' | 'drawn' | 'finalised' | 'cancelled'>
  groups: number | null
  advance: number | null
  last_result_at: Date | null
  last_result_by: number | null
  finalised_at: Date | null
  finalised_by: number | null
  cancelled_why: Generated<string>
  created_by: number | null
  created_at: Date
  version: Generated<number>
}

type TournamentOffers = {
  tournament: number
  place: number
  currency: 'r_coin' | 'milleage' | null
  amount: number | null
  product_num: number | null
  quantity: number | null
}

type TournamentEntries = {
  entry: Generated<number>
  tournament: number
  user_num: number
  cha_num: number
  cha_name: string
  cha_level: number
  cha_class: string
  cha_school: number
  club: string | null
  registered_at: Date
  checked_in_at: Date | null
  seed: number | null
  place: number | null
}

type TournamentMatches = {
  match: Generated<number>
  tournament: number
  stage: number
  grp: number
  round: number
  number: number
  entry1: number | null
  entry2: number | null
  state: 'open' | 'ready' | 'done' | 'bye' | 'unneeded'
  outcome: MatchOutcome | null
  score1: number | null
  score2: number | null
  winner: number | null
  result_by: number | null
  result_at: Date | null
  starts_at: Date | null
  version: Generated<number>
}

type TournamentPrizes = {
  prize: Generated<number>
  tournament: number
  place: number
  entry: number
  user_num: number
  letter: number
  made_at: Date
  made_by: number
  replaced_at: Date | null
}

type Leagues = {
  league: Generated<number>
  name: string
  about: Generated<string>
  counts: LeagueMeasure
  points: number[]
  starts_at: Date
  ends_at: Date
  state: Generated<'draft' | 'announced' | 'finalised' | 'cancelled'>
  cancelled_why: Generated<string>
  last_change_at: Date | null
  last_change_by: number | null
  finalised_at: Date | null
  finalised_by: number | null
  created_by: number | null
  created_at: Date
  version: Generated<number>
  prizes_to: Generated<PrizeRecipient>
}

type LeaguePrizes = {
  prize: Generated<number>
  league: number
  place: number
  club: string
  user_num: number
  letter: number
  made_at: Date
  made_by: number
}

type LeagueWars = {
  war: Generated<number>
  league: number
  event: number
  starts_at: Date
  entered_at: Date
  /** Null for a result from the game's areas. */
  entered_by: number | null
  confirmed_at: Date | null
  confirmed_by: number | null
  version: Generated<number>
}

type LeagueAdjustments = {
  adjustment: Generated<number>
  league: number
  name: string
  club: number | null
  points: number
  reason: string
  made_at: Date
  made_by: number
}

export const rankingsHoldings: Holdings<RankingsTables> = {
  characters: {
    player: 'user_num',
    erase: 'delete',
    copy: { part: 'characters', order: 'cha_num' },
    policy: 'Characters',
  },
  clubs: { notPersonal: ['name'] },
  club_marks: { notPersonal: ['form', 'picture'] },
  club_alliances: {},
  ranking_periods: { notPersonal: ['period'] },
  ranking_archive: { erasedSeparately: ['cha_name'], notPersonal: ['period', 'board', 'cha_class'] },
  shown_per_school: {},
  character_days: {},
  activity: {
    notPersonal: ['kind', 'class', 'board', 'period'],
    copy: 'activity',
    policy: 'What your characters achieved',
  },
  hidden_characters: { staffTexts: ['reason'] },
  ranking_corrections: {
    erasedSeparately: ['before', 'after'],
    staffTexts: ['reason'],
    notPersonal: ['period', 'kind'],
  },
  seasons: { notPersonal: ['name', 'first_month', 'last_month', 'divisions'] },
  season_boards: { notPersonal: ['board', 'rule', 'floors'] },
  season_characters: { erasedSeparately: ['cha_name'], notPersonal: ['cha_class'] },
  season_standings: { notPersonal: ['board'] },
  tournaments: { notPersonal: ['name', 'about', 'kind', 'format', 'state', 'cancelled_why'] },
  tournament_offers: { notPersonal: ['currency'] },
  tournament_entries: {
    player: 'user_num',
    erasedSeparately: ['cha_name'],
    notPersonal: ['cha_class', 'club'],
    copy: 'tournaments',
    policy: 'Characters',
  },
  tournament_matches: { notPersonal: ['state', 'outcome'] },
  tournament_prizes: { player: 'user_num', copy: 'tournaments', policy: 'Characters' },
  leagues: { notPersonal: ['name', 'about', 'counts', 'state', 'cancelled_why', 'prizes_to'] },
  league_events: {},
  league_wars: {},
  league_scores: { notPersonal: ['name'] },
  league_adjustments: { staffTexts: ['reason'], notPersonal: ['name'] },
  league_offers: { notPersonal: ['currency'] },
  league_places: { notPersonal: ['name'] },
  league_prizes: { player: 'user_num', notPersonal: ['club'], copy: 'leagues', policy: 'Characters' },
}
