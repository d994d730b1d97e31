import { sql } from 'kysely'
import * as calls from '#contract/desk-letters.ts'
import { DESK_PAGE_SIZE } from '#contract/desk-list.ts'
import { schoolOfCode } from '#contract/game.ts'
import type { Db } from '#server/db/open.ts'
import { refuse } from '#server/errors.ts'
import { cursorNumber, cutPage } from '#server/http/desk-lists.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { type Audience, sendLetter } from './letters.ts'

type Given = {
  to: 'player' | 'everyone' | 'levels' | 'school' | 'buyers'
  user_id: string
  level_from: number | null
  level_to: number | null
  school: number | null
  bought: number | null
}

/** Whom a form names. @throws Refusal 422 for a player or an item that does not exist */
async function readAudience(db: Db, given: Given): Promise<number | Audience> {
  const { to, user_id, level_from: from, level_to, school, bought } = given
  if (to === 'levels' && from !== null && level_to !== null) return { levels: { from, to: level_to } }
  if (to === 'school' && school !== null) return { school }
  if (to === 'buyers' && bought !== null) {
    const item = await db
      .selectFrom('shop_items')
      .where('product_num', '=', bought)
      .select('product_num')
      .executeTakeFirst()
    if (item === undefined) throw refuse(calls.sendLetters, 'noItem')
    return { bought }
  }
  if (to !== 'player') return {}
  const account = await db
    .selectFrom('accounts')
    .where(sql`lower(user_id)`, '=', user_id.toLowerCase())
    .where('erased_at', 'is', null)
    .select('user_num')
    .executeTakeFirst()
  if (account === undefined) throw refuse(calls.sendLetters, 'noPlayer')
  return account.user_num
}

/** How many accounts an audience has now. */
async function countAudience(db: Db, to: number | Audience): Promise<number> {
  if (typeof to === 'number') return 1
  const { levels, school, bought } = to
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from accounts a where a.erased_at is null
      and (${levels?.from ?? null}::int is null or exists (select from characters c
        where c.user_num = a.user_num and c.cha_level between ${levels?.from ?? null}::int and ${levels?.to ?? null}::int))
      and (${school ?? null}::int is null or exists (select from characters c
        where c.user_num = a.user_num and c.cha_school = ${school ?? null}::int))
      and (${bought ?? null}::bigint is null or exists (select from purchases p
        where p.user_num = a.user_num and p.product_num = ${bought ?? null}::bigint))`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

type Sent = {
  to_num: number | null
  to_id: string | null
  level_from: number | null
  level_to: number | null
  school: number | null
  bought: number | null
  item_name: string | null
}

/** Whom a letter went to, for people. */
function describeAudience(row: Sent): { to: Given['to']; to_words: string } {
  if (row.to_num !== null) return { to: 'player', to_words: row.to_id ?? '' }
  if (row.level_from !== null) return { to: 'levels', to_words: `Levels ${row.level_from} to ${row.level_to}` }
  if (row.school !== null) return { to: 'school', to_words: schoolOfCode(row.school)?.name ?? `School ${row.school}` }
  if (row.bought !== null) return { to: 'buyers', to_words: `Buyers of ${row.item_name ?? row.bought}` }
  return { to: 'everyone', to_words: 'Everyone' }
}

/** The desk's calls about letters to players. */
export const letterDeskCalls: Mounted[] = [
  mount(calls.getSentLetters, async ({ after }, { deps: { db } }) => {
    const rows = await db
      .selectFrom('letters as l')
      .innerJoin('accounts as w', 'w.user_num', 'l.sent_by')
      .leftJoin('accounts as p', 'p.user_num', 'l.to_num')
      .leftJoin('shop_items as i', 'i.product_num', 'l.bought')
      .where('l.sent_by', 'is not', null)
      .$if(after !== '', (query) => query.where('l.letter', '<', cursorNumber(after)))
      .selectAll('l')
      .select((letter) => [
        'w.user_id as writer',
        'p.user_id as to_id',
        'i.item_name',
        letter
          .selectFrom('letter_states as s')
          .whereRef('s.letter', '=', 'l.letter')
          .where('s.read_at', 'is not', null)
          .select((s) => s.fn.countAll<number>().as('count'))
          .as('opened'),
      ])
      .orderBy('l.letter', 'desc')
      .limit(DESK_PAGE_SIZE + 1)
      .execute()
    return cutPage(
      rows,
      ({ letter }) => letter,
      (row) => ({
        ...row,
        ...describeAudience(row),
        sent_by: row.writer,
        sent_at: row.sent_at.toISOString(),
        expires_at: row.expires_at.toISOString(),
        opened: Number(row.opened ?? 0),
      }),
    )
  }),

  mount(calls.countRecipients, async (given, { deps: { db }, record }) => {
    const recipients = await countAudience(db, await readAudience(db, given))
    record({ target: ['letter', 'recipients'], after: { to: given.to, recipients } })
    return { recipients }
  }),

  mount(calls.sendLetters, async ({ subject, body, link, ...given }, { deps, staff, record }) => {
    const { db: tx, now } = deps
    const to = await readAudience(tx, given)
    const letter = await sendLetter(tx, { kind: 'staff', to, subject, body, link, sentBy: staff.userNum, now: now() })
    record({
      target: ['letter', letter],
      ...(typeof to === 'number' && { player: to }),
      after: { to: typeof to === 'number' ? 'one player' : to, subject, body, link },
      personal: ['subject', 'body'],
    })
    return { message: 'The letter is in the mail box now.', letter }
  }),
]
