import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/open.ts'
import { HOLDINGS } from '#server/db/schema.ts'

type SelectPart = (userNum: number) => RawBuilder<unknown>

/** Returns a table's part of the exported file, or an empty list if the table declares no personal data to copy. */
function toPart([table, { player = [], copy }]: (typeof HOLDINGS)[number]): [name: string, part: SelectPart][] {
  if (typeof copy !== 'object') return []
  const { part, columns, without = [], order = player } = copy
  const names = Array.isArray(columns) ? columns.map((column) => [column, column]) : Object.entries(columns ?? {})
  const row =
    columns === undefined
      ? sql`to_jsonb(t) - ${without}::text[]`
      : sql`jsonb_build_object(${sql.join(names.flatMap(([name, column]) => [sql.lit(name), sql.ref(column)]))})`
  const [accountColumn = ''] = [player].flat()
  const sortColumns = sql.join([order].flat().map((column) => sql.ref(column)))
  return [
    [
      part,
      (userNum) =>
        sql`select ${row} as row from ${sql.table(table)} t where ${sql.ref(accountColumn)} = ${userNum} order by ${sortColumns}`,
    ],
  ]
}

/**
 * The parts of the exported file: the account's rows, without purely technical columns. Tables declare their parts; parts
 * that join tables follow here.
 */
export const PERSONAL_DATA: Record<string, SelectPart> = {
  ...Object.fromEntries(HOLDINGS.flatMap(toPart)),
  activity: (userNum) => sql`
    select jsonb_build_object('character', c.cha_name, 'kind', v.kind, 'day', v.day, 'at', v.happened_at, 'level', v.level,
      'board', v.board, 'value', v.value, 'month', v.period) as row
    from activity v join characters c using (cha_num) where c.user_num = ${userNum} order by v.activity`,
  mails: (userNum) => sql`
    select jsonb_build_object('subject', m.subject, 'created_at', m.created_at, 'sent_at', m.sent_at) as row
    from mail_outbox m join accounts a on lower(a.user_email) = lower(m.to_address)
    where a.user_num = ${userNum} order by m.mail`,
  letters: (userNum) => sql`
    select jsonb_build_object('kind', l.kind, 'subject', l.subject, 'body', l.body, 'sent_at', l.sent_at,
      'read_at', s.read_at, 'deleted_at', s.deleted_at) as row
    from letters l left join letter_states s on s.user_num = ${userNum} and s.letter = l.letter
    where l.to_num = ${userNum} or s.letter is not null order by l.letter`,
  gifts_sent: (userNum) => sql`
    select jsonb_build_object('to', gift_addressee(g), 'item', i.item_name, 'price', g.value, 'state', g.state,
      'sent_at', g.sent_at, 'ended_at', g.ended_at) as row
    from letter_gifts g join shop_items i using (product_num)
    where g.buyer = ${userNum} order by g.letter`,
  gifts_received: (userNum) => sql`
    select jsonb_build_object('from', a.user_id, 'item', i.item_name, 'quantity', g.quantity, 'currency', g.currency,
      'amount', g.amount, 'state', case when c.letter is null then g.state else 'claimed' end, 'sent_at', g.sent_at,
      'claimed_at', c.claimed_at) as row
    from letter_gifts g left join gift_claims c on c.letter = g.letter and c.user_num = ${userNum}
    left join accounts a on a.user_num = g.buyer left join shop_items i using (product_num)
    where g.recipient = ${userNum} or c.letter is not null order by g.letter`,
  capsule_draws: (userNum) => sql`
    select jsonb_build_object('capsule', c.name, 'item', i.item_name, 'round', d.round, 'number', d.number,
      'out_of', d.out_of, 'drawn_at', d.drawn_at) as row
    from capsule_draws d join capsules c using (capsule) join shop_items i using (product_num)
    where d.user_num = ${userNum} order by d.draw`,
  wishes: (userNum) => sql`
    select jsonb_build_object('item', i.item_name, 'wished_at', w.wished_at) as row
    from wishes w join shop_items i using (product_num) where w.user_num = ${userNum} order by w.wished_at`,
  push_devices: (userNum) => sql`
    select jsonb_build_object('service', split_part(endpoint, '/', 3), 'kinds', kinds, 'made_at', made_at) as row
    from push_subscriptions where user_num = ${userNum} order by subscription`,
  event_reminders: (userNum) => sql`
    select jsonb_build_object('event', e.title, 'asked_at', r.asked_at) as row
    from event_reminders r join events e using (event) where r.user_num = ${userNum} order by r.asked_at`,
  votes: (userNum) => sql`
    select jsonb_build_object('list', s.name, 'voted_at', v.voted_at, 'was_rewarded', v.reward is not null) as row
    from votes v join vote_sites s using (site) where v.user_num = ${userNum} order by v.voted_at`,
  invitations: (userNum) => sql`
    select jsonb_build_object('was', case when user_num = ${userNum} then 'invited by a friend' else 'a friend invited' end,
      'invited_at', invited_at, 'rewarded_at', rewarded_at) as row
    from invitations where ${userNum} in (user_num, inviter) order by invited_at`,
  tournaments: (userNum) => sql`
    select jsonb_build_object('tournament', t.name, 'character', e.cha_name, 'club', e.club, 'registered_at',
      e.registered_at, 'checked_in_at', e.checked_in_at, 'seed', e.seed, 'place', e.place, 'prizes', (
        select coalesce(jsonb_agg(jsonb_build_object('place', p.place, 'made_at', p.made_at) order by p.prize), '[]')
        from tournament_prizes p where p.entry = e.entry and p.user_num = ${userNum})) as row
    from tournament_entries e join tournaments t using (tournament) where e.user_num = ${userNum} order by e.entry`,
  leagues: (userNum) => sql`
    select jsonb_build_object('league', l.name, 'club', p.club, 'place', p.place, 'made_at', p.made_at) as row
    from league_prizes p join leagues l using (league) where p.user_num = ${userNum} order by p.prize`,
  game_account: (userNum) => sql`
    select jsonb_build_object('game_user_num', l.game_user_num, 'proof', l.proof, 'linked_at', l.linked_at,
      'game_user_id', g.game_user_id, 'state', g.state, 'imported_as', i.user_id, 'imported_at', i.imported_at) as row
    from accounts a left join game_links l using (user_num) left join game_accounts g using (user_num)
    left join game_imports i using (user_num)
    where a.user_num = ${userNum} and (l.user_num is not null or g.user_num is not null or i.user_num is not null)`,
  tickets: (userNum) => sql`
    select jsonb_build_object('number', t.number, 'category', t.category, 'subject', t.subject, 'state', t.state,
      'character', t.cha_name, 'address', t.address, 'created_at', t.created_at, 'messages', (
        select jsonb_agg(jsonb_build_object('from', m.writer, 'author', m.author, 'message', m.body,
          'created_at', m.created_at, 'pictures_webp_base64', (
            select coalesce(jsonb_agg(encode(s.content, 'base64') order by s.position), '[]')
            from ticket_screenshots s where s.message = m.message)) order by m.message)
        from ticket_messages m where m.ticket = t.ticket)) as row
    from tickets t where t.user_num = ${userNum} and t.merged_into is null order by t.ticket`,
  forum_topics: (userNum) => sql`
    select jsonb_build_object('board', b.name, 'title', t.title, 'state', t.state, 'created_at', t.created_at) as row
    from forum_topics t join forum_boards b using (category) where t.author = ${userNum} order by t.topic`,
  forum_posts: (userNum) => sql`
    select jsonb_build_object('topic', t.title, 'text', p.body, 'state', p.state, 'written_at', p.created_at,
      'edited_at', p.edited_at, 'earlier_texts', (
        select coalesce(jsonb_agg(r.body order by r.revision), '[]') from forum_revisions r where r.post = p.post)) as row
    from forum_posts p join forum_topics t on t.topic = p.topic where p.author = ${userNum} order by p.post`,
  forum_watches: (userNum) => sql`
    select jsonb_build_object('topic', t.title, 'watched_at', w.watched_at) as row
    from forum_watches w join forum_topics t using (topic) where w.user_num = ${userNum} order by w.watched_at`,
  forum_bookmarks: (userNum) => sql`
    select jsonb_build_object('topic', t.title, 'bookmarked_at', m.bookmarked_at) as row
    from forum_bookmarks m join forum_topics t using (topic) where m.user_num = ${userNum} order by m.bookmarked_at`,
  forum_reading: (userNum) => sql`
    select jsonb_build_object('topic', t.title, 'read_to_post', m.number) as row
    from forum_read_marks m join forum_topics t using (topic) where m.user_num = ${userNum} order by m.topic`,
  forum_boards_read: (userNum) => sql`
    select jsonb_build_object('board', b.name, 'read_at', m.read_at) as row
    from forum_board_marks m join forum_boards b using (category) where m.user_num = ${userNum} order by m.category`,
  forum_visits: (userNum) => sql`
    select jsonb_build_object('topic', t.title, 'day', v.day) as row
    from forum_views v join forum_topics t using (topic) where v.viewer = 'account ' || ${userNum}::bigint order by v.day, v.topic`,
  forum_votes: (userNum) => sql`
    select jsonb_build_object('question', p.question, 'answer', o.words) as row
    from forum_votes v join forum_polls p on p.topic = v.topic
    join forum_poll_options o on o.topic = v.topic and o.option = v.option where v.user_num = ${userNum} order by v.topic, v.option`,
}

/**
 * Returns all stored data about a person, for that person. Excludes internal notes of staff, because they can name other
 * people.
 *
 * @param about describes the file, and is its first part
 */
export async function exportPersonalData(db: Db, userNum: number, about: Record<string, string>): Promise<string> {
  const parts = await Promise.all(
    Object.entries(PERSONAL_DATA).map(async ([name, selectPart]) => {
      const { rows } = await sql<{ row: unknown }>`${selectPart(userNum)}`.execute(db)
      const values = rows.map(({ row }) => row)
      return [name, name === 'account' ? values[0] : values] as const
    }),
  )
  return `${JSON.stringify({ ...about, ...Object.fromEntries(parts) }, null, 2)}\n`
}
