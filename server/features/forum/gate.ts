import { sql } from 'kysely'
import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import {
  CHARACTER_NEEDED,
  FORUM_TEXTS,
  formatHourlyLimit,
  formatLevelNeeded,
  formatLinkLimit,
  formatSilence,
  type HoldReason,
} from '#contract/forum.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import { formatManilaMinute } from '#contract/manila.ts'
import type { Settings } from '#contract/settings.ts'
import type { Db } from '#server/db/open.ts'
import { Refusal } from '#server/errors.ts'
import { toPlainLetters } from './markdown.ts'

/** The facts about an account that decide whether it may write. */
export type Writer = {
  userNum: number
  isStaff: boolean
  hasVerifiedEmail: boolean
  /** The highest level of its characters; null for an account without characters. */
  level: number | null
  createdAt: Date
  /** The number of its visible posts. */
  posts: number
  silence: { reason: string; endsAt: Date } | null
}

/** The rules of a board. */
export type BoardRules = {
  category: number
  level_needed: number
  read_only: boolean
  hold_first: number
  hold_links: boolean
  hold_words: boolean
}

/** Selects the facts about an account that decide whether it may write. */
export async function selectWriter(db: Db, userNum: number, now: Date): Promise<Writer> {
  const { rows } = await sql<{
    is_staff: boolean
    email_verified_at: Date | null
    created_at: Date
    level: number | null
    posts: number
    reason: string | null
    ends_at: Date | null
  }>`
    select a.user_type >= ${sql.lit(ADMIN_USER_TYPE)} as is_staff, a.email_verified_at, a.created_at,
      (select max(c.cha_level) from characters c where c.user_num = a.user_num) as level,
      coalesce((select m.post_count from forum_members m where m.user_num = a.user_num), 0) as posts, s.reason, s.ends_at
    from accounts a left join lateral (
      select reason, ends_at from forum_silences s
      where s.user_num = a.user_num and s.lifted_at is null and s.starts_at <= ${now} and s.ends_at > ${now}
      order by ends_at desc limit 1) s on true
    where a.user_num = ${userNum}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('The account does not exist.')
  return {
    userNum,
    isStaff: row.is_staff,
    hasVerifiedEmail: row.email_verified_at !== null,
    level: row.level,
    createdAt: row.created_at,
    posts: row.posts,
    silence: row.ends_at === null ? null : { reason: row.reason ?? '', endsAt: row.ends_at },
  }
}

/** Locks an account for writing until the transaction ends, so limits count earlier posts. */
export async function lockWriter(tx: Db, userNum: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('forum writer ' || ${userNum}::text, 0))`.execute(tx)
}

/** Selects the rules of a board; undefined if there is no such board. */
export function selectRules(db: Db, category: number): Promise<BoardRules | undefined> {
  return db
    .selectFrom('forum_boards')
    .where('category', '=', category)
    .select(['category', 'level_needed', 'read_only', 'hold_first', 'hold_links', 'hold_words'])
    .executeTakeFirst()
}

type WritingRules = Pick<BoardRules, 'level_needed' | 'read_only'>

/** The requirements of every board. */
export const ANY_BOARD: WritingRules = { level_needed: 1, read_only: false }

/** Returns the requirement of a board that an account does not meet; null if it may write. Staff may write everywhere. */
export function findMissingRequirement(writer: Writer, rules: WritingRules): { code: string; text: string } | null {
  if (writer.isStaff) return null
  if (!writer.hasVerifiedEmail) return { code: 'confirmEmail', text: FORUM_TEXTS.confirmEmail }
  if (writer.level === null) return { code: 'character', text: CHARACTER_NEEDED }
  if (writer.level < rules.level_needed) return { code: 'level', text: formatLevelNeeded(rules.level_needed) }
  if (writer.silence !== null) {
    const text = formatSilence(formatManilaMinute(writer.silence.endsAt), writer.silence.reason)
    return { code: 'silenced', text }
  }
  return rules.read_only ? { code: 'readOnly', text: FORUM_TEXTS.readOnly } : null
}

/** @throws Refusal 403 with the requirement of the board that the account does not meet */
export function requireWriter(writer: Writer, rules: WritingRules): void {
  const requirement = findMissingRequirement(writer, rules)
  if (requirement !== null) throw new Refusal(403, requirement.code, requirement.text)
}

type ForumSettings = Pick<
  Settings,
  | 'forum_new_days'
  | 'forum_new_posts'
  | 'forum_new_hourly'
  | 'forum_hourly'
  | 'forum_new_links'
  | 'forum_typing_seconds'
>

/** Returns whether a player is new: the account is too young, or has too few visible posts. */
export function isNewPlayer(writer: Writer, settings: ForumSettings, now: Date): boolean {
  if (writer.isStaff) return false
  const isYoung = now.getTime() - writer.createdAt.getTime() < settings.forum_new_days * DAY_MS
  return isYoung || writer.posts < settings.forum_new_posts
}

/** Checks the hourly limit of posts of a locked account. @throws Refusal 429 over the limit */
export async function checkHourlyLimit(tx: Db, writer: Writer, settings: ForumSettings, now: Date): Promise<void> {
  if (writer.isStaff) return
  const max = isNewPlayer(writer, settings, now) ? settings.forum_new_hourly : settings.forum_hourly
  const { rows } = await sql<{ written: number; first: Date | null }>`
    select count(*)::int as written, min(created_at) as first from (
      select created_at from forum_posts where author = ${writer.userNum}
        and created_at > ${new Date(now.getTime() - HOUR_MS)}
      order by created_at desc limit ${max}) recent`.execute(tx)
  const { written = 0, first: oldestPost = null } = rows[0] ?? {}
  if (written < max) return
  const nextPostAt = (oldestPost ?? now).getTime() + HOUR_MS
  const retryAfterSeconds = Math.max(1, Math.ceil((nextPostAt - now.getTime()) / 1000))
  throw new Refusal(429, 'too-many', formatHourlyLimit(max), { retryAfterSeconds })
}

/** Lowercases a text and separates its words by single spaces. */
const foldText = (text: string) =>
  ` ${
    toPlainLetters(text)
      .toLowerCase()
      .replaceAll('ø', 'o')
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  } `

/** Returns the actions of the blocked terms in a text. Terms match whole words; accents and symbols are ignored. */
async function findBlockedTerms(db: Db, text: string): Promise<('hold' | 'refuse')[]> {
  const foldedText = foldText(text)
  const terms = await db.selectFrom('forum_watched_words').select(['word', 'action']).execute()
  return terms.filter(({ word }) => foldedText.includes(foldText(word))).map(({ action }) => action)
}

/** The text to check, with all that readers would see, and its number of links. */
type CheckedText = { text: string; links: number; typingMs: number | null }

/**
 * Returns the reasons to hold a text for a moderator. Without a reason, it appears at once.
 *
 * @param text `typingMs` is null for an edit, whose typing time is unknown
 * @throws Refusal 422 for refused words, and for too many links of a new player
 */
export async function findHoldReasons(
  tx: Db,
  {
    writer,
    rules,
    settings,
    text,
    now,
  }: { writer: Writer; rules: BoardRules; settings: ForumSettings; text: CheckedText; now: Date },
): Promise<HoldReason[]> {
  const termActions = await findBlockedTerms(tx, text.text)
  if (termActions.includes('refuse'))
    throw new Refusal(422, 'refusedWord', FORUM_TEXTS.refusedWord, createBodyError(FORUM_TEXTS.refusedWord))
  if (writer.isStaff) return []
  const isNew = isNewPlayer(writer, settings, now)
  const links = isNew ? text.links : 0
  if (links > settings.forum_new_links) {
    const message = formatLinkLimit(settings.forum_new_links)
    throw new Refusal(422, 'links', message, createBodyError(message))
  }
  const { typingMs } = text
  const holds: Record<HoldReason, boolean> = {
    'first posts': typingMs !== null && writer.posts < rules.hold_first,
    links: rules.hold_links && links > 0,
    words: isNew && rules.hold_words && termActions.includes('hold'),
    typing: isNew && typingMs !== null && typingMs < settings.forum_typing_seconds * 1000,
  }
  return (Object.keys(holds) as HoldReason[]).filter((reason) => holds[reason])
}

const createBodyError = (message: string) => ({ extra: { 'form-error': { body: [message] } } })
