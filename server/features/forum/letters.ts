import { sql } from 'kysely'
import { FORUM_MENTIONS_MAX, getForumPostPath } from '#contract/forum.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { sendLetter, sendLetterToEach } from '#server/features/mailbox/letters.ts'
import { selectAuthors } from './queries.ts'

/** A post that has just become visible. */
export type VisiblePost = { topic: number; category: number; title: string; number: number; author: number }

/**
 * Finds the accounts of mentions by a character's name or, for an operator without a character, by the name for players.
 *
 * @returns accounts by name in lower case
 */
export async function findMentionedUsers(db: Db, names: readonly string[]): Promise<Map<string, number>> {
  if (names.length === 0) return new Map()
  const { rows } = await sql<{ name: string; user_num: number }>`
    select distinct on (name) name, user_num from (
      select lower(staff_name) as name, user_num, 1 as nth from accounts a
      where staff_name <> '' and lower(staff_name) = any(${names}::text[]) and user_type >= ${sql.lit(ADMIN_USER_TYPE)} and erased_at is null
        and not exists (select from characters c where c.user_num = a.user_num)
      union all
      select lower(cha_name), user_num, 2 from characters where user_num is not null and lower(cha_name) = any(${names}::text[])) found
    order by name, nth`.execute(db)
  return new Map(rows.slice(0, FORUM_MENTIONS_MAX).map(({ name, user_num }) => [name, user_num]))
}

const shorten = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`

/**
 * Sends letters to the players whom a new post mentions, and to the watchers of its topic who have read it since the
 * last letter. Runs in the transaction in which the post appears.
 */
export async function notifyOfPost(
  tx: Db,
  deps: Pick<Deps, 'limits' | 'now'>,
  post: VisiblePost,
  mentionedUsers: readonly number[],
): Promise<void> {
  const now = deps.now()
  const name = (await selectAuthors(tx, [post.author]))(post.author).name
  const link = getForumPostPath(post.category, post.topic, post.number)
  const recipients: number[] = []
  for (const userNum of new Set(mentionedUsers)) {
    if (userNum === post.author) continue
    if (await deps.limits.count('forumMentions', post.author, tx)) recipients.push(userNum)
  }
  if (recipients.length > 0)
    await sendLetterToEach(tx, recipients, {
      kind: 'forum',
      subject: shorten(`${name} mentioned you: ${post.title}`, 120),
      body: `${name} mentioned you in the forum, in the topic “${post.title}”.`,
      link,
      now,
    })
  const { rows } = await sql<{ user_num: number }>`
    update forum_watches set notified = true
    where topic = ${post.topic} and not notified and user_num <> ${post.author} returning user_num`.execute(tx)
  const watchers = rows.map(({ user_num }) => user_num).filter((userNum) => !recipients.includes(userNum))
  if (watchers.length > 0)
    await sendLetterToEach(tx, watchers, {
      kind: 'forum',
      subject: shorten(`New reply: ${post.title}`, 120),
      body: `${name} replied in the topic “${post.title}”, which you are watching. You will get the next letter about it after you have read it.`,
      link,
      now,
    })
}

/** Notifies an author that a moderator approved their post. Runs in the transaction of the decision. */
export async function notifyOfApproval(
  tx: Db,
  { author, title, link, now }: { author: number; title: string; link: string; now: Date },
): Promise<void> {
  await sendLetter(tx, {
    kind: 'forum',
    to: author,
    subject: shorten(`Your post is now in the forum: ${title}`, 120),
    body: `A moderator has approved your post in “${title}”. Everyone can see it now.`,
    link,
    now,
  })
}

/** Sends an author the reason why a moderator rejected their post. Runs in the transaction of the decision. */
export async function notifyOfRejection(
  tx: Db,
  { author, title, reason, body, now }: { author: number; title: string; reason: string; body: string; now: Date },
): Promise<void> {
  await sendLetter(tx, {
    kind: 'forum',
    to: author,
    subject: shorten(`Your post was not accepted: ${title}`, 120),
    body: `A moderator did not accept your post in “${title}”.\n\nReason: ${reason}\n\nWhat you wrote:\n${shorten(body, 3000)}`,
    now,
  })
}
