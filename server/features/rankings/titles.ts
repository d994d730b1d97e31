import { sql } from 'kysely'
import type { getTitles } from '#contract/characters.ts'
import type { CallAnswer } from '#contract/endpoint.ts'
import { type Board, CLASS_NAMES, formatClass } from '#contract/game.ts'
import { formatMonth } from '#contract/manila.ts'
import type { Deps } from '#server/deps.ts'
import { isHidden, isPresented, isSameCharacter } from './queries.ts'

type Title = CallAnswer<typeof getTitles>['data'][number]
type TitleRow = Omit<Title, 'name'> & { name: string; period: string | null }

/** The number of newest closed months, seasons, tournaments and leagues whose titles are read. */
const MONTHS_READ = 36
const SEASONS_READ = 20
const TOURNAMENTS_READ = 200
const LEAGUES_READ = 100
/** The number of newest titles for a first at a level that are read. */
const FIRSTS_READ = 200

/**
 * Reads the titles of ranked characters and of clubs, the newest first. Titles go to the first of each board of a closed
 * month and of a final season, the winners of tournaments and leagues, and the first of a class at each tenth level and at
 * the highest level. If the first of a month's board is hidden, the next character gets the title. Titles of blocked and
 * left-out characters are omitted.
 */
export async function readTitles({ db, now, cache }: Pick<Deps, 'db' | 'now' | 'cache'>): Promise<Title[]> {
  return (await cache.getValue('titles', async () => {
    const { rows } = await sql<TitleRow>`
      with figures as (
        select r.period, r.board, r.cha_num, r.cha_level, p.closed_at,
          case r.board when 'resu' then r.resu when 'mmr' then r.mmr when 'level' then r.cha_level
            when 'richest' then r.money else r.kills end as value
        from ranking_archive r
        join (select period, closed_at from ranking_periods where closed_at is not null
          order by period desc limit ${MONTHS_READ}) p using (period)
        where r.taken_out_at is null and not ${isHidden('r')}),
      months as (
        select distinct on (period, board) period, board, cha_num, closed_at from figures
        where value > 0 or board not in ('resu', 'killer')
        order by period, board, value desc, cha_level desc, cha_num),
      won as (
        select 'month' as kind, period, '' as name, board, cha_num, closed_at as won_at, closed_at as known_at, null::bigint as id,
          null::int as level, null::bigint as club
        from months
        union all
        select 'season', null, s.name, n.board, n.cha_num, s.finalised_at, s.finalised_at, s.season, null, null
        from (select * from seasons where finalised_at is not null order by first_month desc limit ${SEASONS_READ}) s
        join season_standings n on n.season = s.season and n.rank = 1
        union all
        select 'tournament', null, t.name, null, e.cha_num, t.starts_at, e.registered_at, t.tournament, null, null
        from (select * from tournaments where state = 'finalised' order by starts_at desc limit ${TOURNAMENTS_READ}) t
        join tournament_entries e on e.tournament = t.tournament and e.place = 1
        union all
        select 'league', null, l.name, null, m.cha_num, l.finalised_at, 'infinity', l.league, null, g.club
        from (select * from leagues where state = 'finalised' order by finalised_at desc limit ${LEAGUES_READ}) l
        join league_places p on p.league = l.league and p.place = 1
        join clubs g on g.club = p.club
        cross join lateral (
          select c.cha_num from characters c left join accounts a on a.user_num = c.user_num
          where c.club = g.club and ${isPresented(now())} and not ${isHidden('c')}
          order by (c.cha_num = g.leader) desc nulls last, c.cha_level desc, c.cha_num limit 1) m
        union all
        select 'first', null, f.class, null, f.cha_num, f.day::timestamp at time zone 'Asia/Manila', 'infinity', null, f.level, null
        from (
          select v.* from (
            select a.*, max(level) over (partition by class) as best from activity a where kind = 'first') v
          where v.level % 10 = 0 or v.level = v.best
          order by v.activity desc limit ${FIRSTS_READ}) f)
      select w.kind, w.period, w.name, w.board, w.won_at, w.id, w.level, c.cha_num as "ChaNum", c.cha_name as "ChaName",
        c.cha_class as "ChaClass", c.cha_school as "ChaSchool",
        (select json_build_object('GuNum', g.club, 'GuName', g.name) from clubs g where g.club = w.club) as club
      from won w join characters c on c.cha_num = w.cha_num left join accounts a on a.user_num = c.user_num
      where ${isPresented(now())} and ${isSameCharacter(sql`w.known_at`)} and not ${isHidden('c')}
      order by w.won_at desc, w.kind, w.board, w.id, w.name`.execute(db)
    return rows.map(({ period, name, board, id, ...row }) => ({
      ...row,
      period,
      board: board as Board | null,
      id: id === null ? null : Number(id),
      name: period !== null ? formatMonth(period) : row.kind === 'first' ? formatClassName(name) : name,
    }))
  })) as Title[]
}

/** Filters the titles that a character or its club has won. */
export const filterTitles = (titles: readonly Title[], { chaNum, club }: { chaNum: number; club: number | null }) =>
  titles.filter((title) => (title.club === null ? title.ChaNum === chaNum : title.club.GuNum === club))

const formatClassName = (name: string) => {
  const cls = CLASS_NAMES.find((className) => className === name)
  return cls === undefined ? name : formatClass(cls)
}
