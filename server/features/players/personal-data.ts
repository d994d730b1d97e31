import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/open.ts'

/** What of an account's row is not told even to the person: what a login or a link could be made of. */
const SECRETS = ['password_hash', 'second_password_hash', 'secret_answer_hash']

/** Each part of the file: rows of the account, without what only tells processes something. */
const PARTS: Record<string, (userNum: number) => RawBuilder<unknown>> = {
  account: (n) => sql`select to_jsonb(a) - ${SECRETS}::text[] as row from accounts a where user_num = ${n}`,
  characters: (n) => sql`select to_jsonb(c) as row from characters c where user_num = ${n} order by cha_num`,
  ledger: (n) => sql`
    select jsonb_build_object('currency', currency, 'delta', delta, 'balance_after', balance_after, 'reason', reason,
      'reference', reference, 'created_at', created_at) as row
    from ledger where user_num = ${n} order by entry`,
  purchases: (n) => sql`select to_jsonb(p) as row from purchases p where user_num = ${n} order by ordinal`,
  deliveries: (n) => sql`select to_jsonb(d) as row from deliveries d where user_num = ${n} order by ordinal, unit`,
  vouchers: (n) => sql`select to_jsonb(t) as row from topups t where user_num = ${n} order by ordinal`,
  cart: (n) => sql`select to_jsonb(l) as row from cart_lines l where user_num = ${n} order by seq`,
  logins: (n) => sql`
    select to_jsonb(s) - ${['token_hash', 'session_id']}::text[] as row from sessions s where user_num = ${n} order by session_id`,
  history: (n) => sql`select to_jsonb(e) - 'event' as row from account_events e where user_num = ${n} order by event`,
  places: (n) => sql`select to_jsonb(k) as row from known_places k where user_num = ${n} order by seen_at`,
  whitelist: (n) =>
    sql`select to_jsonb(w) as row from whitelisted_addresses w where user_num = ${n} order by created_at`,
  second_factors: (n) => sql`
    select jsonb_build_object('kind', kind, 'name', name, 'created_at', created_at, 'last_used_at', last_used_at) as row
    from account_factors where user_num = ${n} order by factor`,
  blocks: (n) => sql`
    select jsonb_build_object('reason', reason, 'starts_at', starts_at, 'ends_at', ends_at, 'lifted_at', lifted_at) as row
    from account_blocks where user_num = ${n} order by block`,
  mails: (n) => sql`
    select jsonb_build_object('subject', m.subject, 'created_at', m.created_at, 'sent_at', m.sent_at) as row
    from mail_outbox m join accounts a on lower(a.user_email) = lower(m.to_address)
    where a.user_num = ${n} order by m.mail`,
  letters: (n) => sql`
    select jsonb_build_object('subject', subject, 'body', body, 'sent_at', sent_at) as row
    from letters where to_num = ${n} order by letter`,
  tickets: (n) => sql`
    select jsonb_build_object('number', t.number, 'category', t.category, 'subject', t.subject, 'state', t.state,
      'character', t.cha_name, 'address', t.address, 'created_at', t.created_at, 'messages', (
        select jsonb_agg(jsonb_build_object('from', m.writer, 'author', m.author, 'message', m.body,
          'created_at', m.created_at, 'pictures_webp_base64', (
            select coalesce(jsonb_agg(encode(s.content, 'base64') order by s.position), '[]')
            from ticket_screenshots s where s.message = m.message)) order by m.message)
        from ticket_messages m where m.ticket = t.ticket)) as row
    from tickets t where t.user_num = ${n} and t.merged_into is null order by t.ticket`,
  forum_posts: (n) => sql`
    select jsonb_build_object('topic', t.title, 'text', p.body, 'state', p.state, 'written_at', p.created_at,
      'edited_at', p.edited_at, 'earlier_texts', (
        select coalesce(jsonb_agg(r.body order by r.revision), '[]') from forum_revisions r where r.post = p.post)) as row
    from forum_posts p join forum_topics t on t.topic = p.topic where p.author = ${n} order by p.post`,
  forum_likes: (n) =>
    sql`select to_jsonb(l) - 'user_num' as row from forum_likes l where user_num = ${n} order by liked_at, post`,
  forum_votes: (n) => sql`
    select jsonb_build_object('question', p.question, 'answer', o.words) as row
    from forum_votes v join forum_polls p on p.topic = v.topic
    join forum_poll_options o on o.topic = v.topic and o.option = v.option where v.user_num = ${n} order by v.topic, v.option`,
  forum_reports: (n) => sql`
    select to_jsonb(r) - ${['user_num', 'case_num']}::text[] as row from forum_reports r
    where user_num = ${n} order by reported_at`,
  forum_silences: (n) => sql`
    select jsonb_build_object('reason', reason, 'starts_at', starts_at, 'ends_at', ends_at, 'lifted_at', lifted_at) as row
    from forum_silences where user_num = ${n} order by silence`,
}

/**
 * Everything stored about a person, for that person: what staff wrote to each other is not part of it, because it can
 * name others.
 *
 * @param about what the file says it is
 */
export async function exportPersonalData(db: Db, userNum: number, about: Record<string, string>): Promise<string> {
  const parts = await Promise.all(
    Object.entries(PARTS).map(async ([name, select]) => {
      const { rows } = await sql<{ row: unknown }>`${select(userNum)}`.execute(db)
      const values = rows.map(({ row }) => row)
      return [name, name === 'account' ? values[0] : values] as const
    }),
  )
  return `${JSON.stringify({ ...about, ...Object.fromEntries(parts) }, null, 2)}\n`
}
