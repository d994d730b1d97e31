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
 * Reads a page of the feed (ACTIVITY-1). It joins the current names, so characters that are hidden, blocked, deleted or
 * left out have no entries. Records of kills, and times, are included only if the site shows who plays.
 */
export async function readActivity(
  deps: Pick<Deps, 'db' | 'config' | 'cache' | 'now'>,
  { before, only, size = ACTIVITY_PAGE_SIZE }: ValidInput<typeof listActivity>,
): Promise<Feed> {
  const { db, now } = deps
  const { show_who_plays } = await readSettings(deps)
  const limit = Math.min(Math.max(size, 1), ACTIVITY_PAGE_SIZE)
  const isMember = sql`select from characters c left join accounts a on a.user_num = c.user_num where c.club = g.club and ${isRanked(now())}`
  const buildClub = (name: RawBuilder<unknown>) =>
    buildFields({
      GuName: name,
      GuNum: sql`(select min(g.club) from clubs g where g.name = ${name} and exists (${isMember}))`,
    })
  const { rows } = await sql<{ row: Feed['data'][number] }>`
    select jsonb_build_object('activity', v.activity, 'kind', v.kind, 'day', v.day,
      'at', ${show_who_plays ? sql`v.happened_at` : sql`null`}) || case v.kind
      when 'level' then ${buildFields({ character: CHARACTER, level: sql`v.level` })}
      when 'first' then ${buildFields({ character: CHARACTER, level: sql`v.level`, class: sql`v.class` })}
      when 'record' then ${buildFields({ character: CHARACTER, board: sql`v.board`, value: sql`v.value`, period: sql`v.period` })}
      when 'area' then ${buildFields({ area: sql`r.name`, club: buildClub(sql`h.club`) })}
      when 'tournament' then ${buildFields({ character: CHARACTER, club: sql`e.club`, tournament: sql`t.tournament`, name: sql`t.name` })}
      when 'league' then ${buildFields({
        league: sql`u.league`,
        name: sql`u.name`,
        club: sql`case when w.club_name is null then null else ${buildClub(sql`w.club_name`)} end`,
      })}
      when 'club' then ${buildFields({ club: buildFields({ GuNum: sql`g.club`, GuName: sql`g.name` }) })}
      when 'news' then ${buildFields({ news: sql`n.id`, subject: sql`n.subject` })}
      else ${buildFields({ event: sql`p.event`, title: sql`p.title`, starts_at: sql`p.starts_at` })} end as row
    from activity v
    left join tournaments t on t.tournament = v.tournament and t.state = 'finalised'
    left join tournament_entries e on e.tournament = t.tournament and e.place = 1
    left join characters c on c.cha_num = coalesce(v.cha_num, e.cha_num)
    left join accounts a on a.user_num = c.user_num
    left join clubs g on g.club = v.club
    left join area_holders h on h.change = v.change
    left join club_areas r on r.id = h.area and r.visible
    left join news n on n.id = v.news and n.published and n.created_at <= ${now()}
    left join events p on p.event = v.event and p.visible and p.cancelled_why = ''
    left join leagues u on u.league = v.league and u.state = 'finalised'
    left join lateral (
      select case when count(*) = 1 then min(p.name) end as club_name from league_places p
      where p.league = u.league and p.place = 1) w on true
    where ${before === undefined ? sql`true` : sql`v.activity < ${before}`}
      and ${only === 'game' ? sql`v.kind not in ('news', 'event')` : sql`true`}
      and case
        when v.kind in ('level', 'first', 'record') then ${isPresented(now())}
          and (${sql.lit(show_who_plays)} or v.board is distinct from 'killer')
        when v.kind = 'tournament' then c.cha_num is not null and ${isPresented(now())} and ${isSameCharacter(sql`e.registered_at`)}
        when v.kind = 'area' then r.id is not null
        when v.kind = 'league' then u.league is not null
        when v.kind = 'club' then exists (${isMember})
        when v.kind = 'news' then n.id is not null
        else p.event is not null end
    order by v.activity desc limit ${limit + 1}`.execute(db)
  const data = rows.slice(0, limit).map(({ row }) => row)
  return { data, next: rows.length > limit ? (data.at(-1)?.activity ?? null) : null }
}
