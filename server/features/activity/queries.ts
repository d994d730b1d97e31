import { type RawBuilder, sql } from 'kysely'
import { ACTIVITY_PAGE_SIZE, type listActivity } from '#contract/activity.ts'
import type { CallAnswer, ValidInput } from '#contract/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import { isPresented, isRanked, isSameCharacter } from '#server/features/rankings/queries.ts'
import { readSettings } from '#server/settings.ts'

type Feed = CallAnswer<typeof listActivity>

/** Builds the JSON object with the fields of one kind of entry. */
const buildFields = (values: Record<string, RawBuilder<unknown>>) =>
  sql`jsonb_build_object(${sql.join(Object.entries(values).flatMap(([name, value]) => [sql.lit(name), value]))})`

const CHARACTER = buildFields({
  ChaNum: sql`c.cha_num`,
  ChaName: sql`c.cha_name`,
  ChaClass: sql`c.cha_class`,
  ChaSchool: sql`c.cha_school`,
})

/**
 * Reads a page of the feed (ACTIVITY-1). It joins the current names, so characters that are hidden, blocked or deleted,
 * or whose player chose to be left out (ACTIVITY-4), have no entries. Records of kills, and times, are included only if the
 * site shows who plays (ACTIVITY-3).
 */
export async function readActivity(
  deps: Pick<Deps, 'db' | 'config' | 'cache' | 'now'>,
  { before, only, size = ACTIVITY_PAGE_SIZE }: ValidInput<typeof listActivity>,
): Promise<Feed> {
  const { db, now } = deps
  const { show_who_plays } = await readSettings(deps)
  const limit = Math.min(Math.max(size, 1), ACTIVITY_PAGE_SIZE)
  const isMember = sql`select from characters c left join accounts a on a.user_num = c.user_num where c.club = clubs.club and ${isRanked(now())}`
  const buildClub = (name: RawBuilder<unknown>) =>
    buildFields({
      GuName: name,
      GuNum: sql`(select min(clubs.club) from clubs where clubs.name = ${name} and exists (${isMember}))`,
    })
  const { rows } = await sql<{ row: Feed['data'][number] }>`
    select jsonb_build_object('activity', entry.activity, 'kind', entry.kind, 'day', entry.day,
      'at', ${show_who_plays ? sql`entry.happened_at` : sql`null`}) || case entry.kind
      when 'level' then ${buildFields({ character: CHARACTER, level: sql`entry.level` })}
      when 'first' then ${buildFields({ character: CHARACTER, level: sql`entry.level`, class: sql`entry.class` })}
      when 'record' then ${buildFields({ character: CHARACTER, board: sql`entry.board`, value: sql`entry.value`, period: sql`entry.period` })}
      when 'area' then ${buildFields({ area: sql`area.name`, club: buildClub(sql`holder.club`) })}
      when 'tournament' then ${buildFields({ character: CHARACTER, club: sql`winner.club`, tournament: sql`tournaments.tournament`, name: sql`tournaments.name` })}
      when 'league' then ${buildFields({
        league: sql`leagues.league`,
        name: sql`leagues.name`,
        club: sql`case when league_winner.club_name is null then null else ${buildClub(sql`league_winner.club_name`)} end`,
      })}
      when 'club' then ${buildFields({ club: buildFields({ GuNum: sql`clubs.club`, GuName: sql`clubs.name` }) })}
      when 'news' then ${buildFields({ news: sql`news.id`, subject: sql`news.subject` })}
      else ${buildFields({ event: sql`events.event`, title: sql`events.title`, starts_at: sql`events.starts_at` })} end as row
    from activity entry
    left join tournaments on tournaments.tournament = entry.tournament and tournaments.state = 'finalised'
    left join tournament_entries winner on winner.tournament = tournaments.tournament and winner.place = 1
    left join characters c on c.cha_num = coalesce(entry.cha_num, winner.cha_num)
    left join accounts a on a.user_num = c.user_num
    left join clubs on clubs.club = entry.club
    left join area_holders holder on holder.change = entry.change
    left join club_areas area on area.id = holder.area and area.visible
    left join news on news.id = entry.news and news.published and news.created_at <= ${now()}
    left join events on events.event = entry.event and events.visible and events.cancelled_why = ''
    left join leagues on leagues.league = entry.league and leagues.state = 'finalised'
    left join lateral (
      select case when count(*) = 1 then min(name) end as club_name from league_places
      where league_places.league = leagues.league and place = 1) league_winner on true
    where ${before === undefined ? sql`true` : sql`entry.activity < ${before}`}
      and ${only === 'game' ? sql`entry.kind not in ('news', 'event')` : sql`true`}
      and case
        when entry.kind in ('level', 'first', 'record') then ${isPresented(now())}
          and (${sql.lit(show_who_plays)} or entry.board is distinct from 'killer')
        when entry.kind = 'tournament' then c.cha_num is not null and ${isPresented(now())} and ${isSameCharacter(sql`winner.registered_at`)}
        when entry.kind = 'area' then area.id is not null
        when entry.kind = 'league' then leagues.league is not null
        when entry.kind = 'club' then exists (${isMember})
        when entry.kind = 'news' then news.id is not null
        else events.event is not null end
    order by entry.activity desc limit ${limit + 1}`.execute(db)
  const data = rows.slice(0, limit).map(({ row }) => row)
  return { data, next: rows.length > limit ? (data.at(-1)?.activity ?? null) : null }
}
