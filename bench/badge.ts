/**
 * What the number of unread letters and the first page of the mail box cost with 10,000 letters to everyone, against 10: for
 * juan, who has read all but the last ten, and for maria, who has read none.
 *
 * `nice -n 19 node bench/badge.ts`
 */
import { sql } from 'kysely'
import { ensureBuilt } from '#scripts/build.ts'
import type { Db } from '#server/db/open.ts'
import { compareWorlds } from './two-worlds.ts'

/** Adds letters of the last hour to everyone. */
const growMailbox = (letters: number) => async (db: Db) => {
  await sql`delete from letters`.execute(db)
  await sql`
    insert into letters (kind, subject, body, sent_by, sent_at, expires_at, copied_at)
    select 'staff', 'Letter ' || n, 'Words to everyone.', 3, now() - interval '1 hour', now() + interval '90 days', now()
    from generate_series(1, ${letters}::int) as n`.execute(db)
  await sql`
    insert into mailboxes (user_num, read_through)
    select user_num, (select max(letter) - 10 from letters) from accounts where user_id = 'juan'
    on conflict (user_num) do update set read_through = excluded.read_through`.execute(db)
}

await ensureBuilt(() => {})
for (const player of ['juan', 'maria']) {
  console.log(`As ${player}:`)
  await compareWorlds(['/api/mailbox/unread', '/api/mailbox'], {
    small: { name: 'letters_10', grow: growMailbox(10) },
    large: { name: 'letters_10000', grow: growMailbox(10_000) },
    as: [player, `${player}-demo-1`],
  })
}
