import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'

/** The number of rows that are added to a world. */
export type Growth = { items: number; news: number; characters: number }

/**
 * Enlarges a demo world with rows composed of its texts: items in its categories, news over eleven years with the
 * demo's word frequencies, and characters with names like the demo's.
 */
export async function growWorld(db: Db, { items, news, characters }: Growth): Promise<void> {
  await sql`select setseed(0.5)`.execute(db)
  await sql`
    with demo as (
      select array_agg(item_name order by product_num) as names, array_agg(description order by product_num) as texts,
        array_agg(category_id order by product_num) as categories, count(*)::int as demos
      from shop_items)
    insert into shop_items (category_id, item_name, price, section, description, icon, position)
    select categories[1 + floor(random() * demos)::int], left(names[1 + floor(random() * demos)::int], 50) || ' ' || n,
      10 + floor(random() * 5000)::int, 1 + n % 2, texts[1 + floor(random() * demos)::int], 'item-mami.svg', demos + n
    from demo, generate_series(1, ${items}::int) n`.execute(db)
  await sql`
    with demo as (
      select array_agg(word) as words, count(*)::int as size
      from news, regexp_split_to_table(plain_text(content), ' ') word)
    insert into news (subject, type, author, content, created_at)
    select (text.words)[1] || ' ' || (text.words)[2] || ' ' || (text.words)[3] || ' ' || n, n % 3, 'GM Bituin',
      '<p>' || array_to_string(text.words, ' ') || '</p>', now() - n * interval '55 minutes'
    from demo, generate_series(1, ${news}::int) n, lateral (
      select array(select demo.words[1 + floor(random() * demo.size)::int] from generate_series(n, n + 99)) as words) text`.execute(
    db,
  )
  await sql`
    with demo as (
      select array_agg(cha_name order by cha_num) as names, array_agg(user_num order by cha_num) as owners, count(*)::int as size
      from characters)
    insert into characters (user_num, cha_name, cha_level, cha_class, cha_school, cha_pk_score, cha_pk_death, cha_mmr,
      cha_resu_score, cha_money, level_up_at, base_kills, base_deaths, base_resu)
    select owners[1 + n % size], names[1 + n % size] || n, 1 + floor(random() * 146)::int, (1 << (n % 10))::text, n % 3,
      floor(random() * 900)::int, floor(random() * 900)::int, 1000 + floor(random() * 2000)::int,
      floor(random() * 400)::int, floor(random() * 1e9)::bigint, now() - random() * interval '300 days',
      case when n % 3 = 0 then null else 0 end, 0, case when n % 3 = 1 then null else 0 end
    from demo, generate_series(1, ${characters}::int) n`.execute(db)
  await sql`vacuum analyze`.execute(db)
}

/**
 * Adds a long history to a demo world: a year of its characters' activity, and wars in final leagues of fifty wars,
 * each with a result, the ranks of eight clubs and two areas that change hands. The wars are older than the demo's.
 */
export async function growLife(db: Db, { activity, wars }: { activity: number; wars: number }): Promise<void> {
  await sql`
    insert into activity (activity, kind, day, happened_at, cha_num, level)
    select -row.nth, 'level', current_date - 1 - (row.nth * 365 / ${activity}::bigint)::int,
      now() - interval '1 day' - row.nth * (interval '365 days' / ${activity}::bigint), row.cha_num, row.level
    from (
      select c.cha_num, level, row_number() over (order by level, c.cha_num) as nth
      from characters c, generate_series(2, 2 + ${activity}::int / (select count(*)::int from characters)) level
    ) row
    where row.nth <= ${activity}
    on conflict do nothing`.execute(db)
  const oldWarTime = sql`date_trunc('hour', now()) - interval '400 days' - n * interval '1 day'`
  const { rows } = await sql<{ event: number }>`select min(event) as event from events where club_war`.execute(db)
  const event = rows[0]?.event
  await sql`
    insert into leagues (name, counts, points, starts_at, ends_at, state, created_at)
    select 'Past league ' || nth, 'places', '{5,4,3,2,1}', ${sql`now() - interval '400 days' - nth * interval '50 days'`},
      now() - interval '349 days' - nth * interval '50 days', 'announced', now() - interval '1000 days'
    from generate_series(1, ${wars}::int / 50) nth`.execute(db)
  await sql`
    insert into league_wars (league, event, starts_at, entered_at)
    select (select league from leagues where name = 'Past league ' || 1 + n / 50), ${event}, ${oldWarTime}, ${oldWarTime}
    from generate_series(0, ${wars}::int - 1) n`.execute(db)
  await sql`
    insert into league_scores (war, name, club, value)
    select w.war, c.name, c.club, 1 + (row_number() over (partition by w.war order by c.club)) % 8
    from league_wars w join leagues l on l.league = w.league and l.name like 'Past league %',
      (select club, name from clubs order by club limit 8) c`.execute(db)
  await sql`
    update leagues set state = 'finalised', finalised_at = now(), finalised_by = (select min(user_num) from accounts)
    where name like 'Past league %'`.execute(db)
  await sql`
    insert into event_results (event, starts_at, result, entered_at)
    select ${event}, ${oldWarTime}, 'A club holds two areas.', ${oldWarTime} from generate_series(0, ${wars}::int - 1) n`.execute(
    db,
  )
  await sql`
    insert into area_holders (area, area_name, club, since)
    select a.id, a.name, (select name from clubs order by club offset n % 8 limit 1), ${oldWarTime}
    from (select id, name from club_areas order by id limit 2) a, generate_series(0, ${wars}::int - 1) n`.execute(db)
  await sql`vacuum analyze`.execute(db)
}
