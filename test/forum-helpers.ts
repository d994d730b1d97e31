import assert from 'node:assert/strict'
import { DAY_MS } from '#contract/durations.ts'
import { createPlayer, type Player } from './account-helpers.ts'
import { insertCharacter, updateRows } from './factories.ts'
import type { TestApp } from './helpers.ts'

/**
 * The properties of a forum player: by default an old account with a confirmed email, a character and earlier posts.
 */
type Reputation = { confirmed?: boolean; level?: number | null; posts?: number; days?: number }

/** Creates a logged-in player, who can write in the forum by default. @returns the player with the character's name */
export async function createForumPlayer(
  site: TestApp,
  { confirmed = true, level = 50, posts = 20, days = 100 }: Reputation = {},
): Promise<Player & { name: string; userNum: number }> {
  const { db, clock } = site
  const player = await createPlayer(site)
  const userNum = player.user.UserNum
  const now = clock.now()
  await updateRows(
    db,
    'accounts',
    { user_num: userNum },
    { email_verified_at: confirmed ? now : null, created_at: new Date(now.getTime() - days * DAY_MS) },
  )
  const name = `Tala${userNum}`
  if (level !== null) await insertCharacter(db, { user_num: userNum, cha_name: name, cha_level: level })
  if (posts > 0) await db.insertInto('forum_members').values({ user_num: userNum, post_count: posts }).execute()
  return { ...player, name, userNum }
}

/** A typing time that the forum accepts from every writer. */
export const TYPING_TIME = { typing_ms: 60_000 }

type PostAnswer = { message: string; held: boolean; path: string }

/** Opens a topic. @returns the response, with the ids of the topic and of its opening post */
export async function openTopic(site: TestApp, writer: Player, fields: Record<string, unknown> = {}) {
  const answer = await writer.post('/api/forum/topics', {
    category: 100,
    title: 'Saan ang tambayan?',
    body: 'Kita-kits mamaya.',
    ...TYPING_TIME,
    ...fields,
  })
  assert.equal(answer.status, 200, answer.text)
  const postAnswer = answer.json() as PostAnswer
  const openingPost = await site.db
    .selectFrom('forum_posts')
    .where('author', '=', writer.user.UserNum)
    .where('title', '<>', '')
    .orderBy('post', 'desc')
    .select(['topic', 'post'])
    .executeTakeFirstOrThrow()
  return { ...postAnswer, ...openingPost }
}

/** Replies in a topic. @returns the response, with the id of the post and its number in the topic, null while it is held */
export async function postReply(site: TestApp, writer: Player, topic: number, body = 'Sige!', fields: object = {}) {
  const answer = await writer.post('/api/forum/posts', { topic, body, ...TYPING_TIME, ...fields })
  assert.equal(answer.status, 200, answer.text)
  const { post, number } = await site.db
    .selectFrom('forum_posts')
    .where('author', '=', writer.user.UserNum)
    .orderBy('post', 'desc')
    .select(['post', 'number'])
    .executeTakeFirstOrThrow()
  return { ...(answer.json() as PostAnswer), post, number }
}

/** Reads a topic as a guest. */
export async function readTopic(site: TestApp, topic: number, page = 1) {
  site.cache.clear()
  const answer = await site.get(`/api/forum/topics/${topic}?page=${page}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}
