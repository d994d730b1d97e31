import { sql } from 'kysely'
import type { DiscordChannel } from '#contract/discord.ts'
import { HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { formatRepeats, getNextOccurrence } from '#contract/events.ts'
import { formatMonth, getNextDay, getStartOfDay, isMidnight } from '#contract/manila.ts'
import { formatPlural } from '#contract/numbers.ts'
import { DEFAULT_PICTURE, getSharePicturePath, WARS_PICTURE } from '#contract/sharing.ts'
import type { Db } from '#server/db/open.ts'
import { escapeForDiscord as escapeText } from '#server/discord.ts'

/** A message, whose title links to `path`, a page of this site. */
export type Embed = { title: string; text?: string; path: string; at?: Date | null; picture?: string | null }

type FindEmbed = (db: Db, subject: { id: number; parts: string[]; now: Date }) => Promise<Embed | null>

const TEXT_MAX = 1500
const LINES_MAX = 20
/** The number of places of a league that a message lists. */
const PLACES_MAX = 3

/** Formats a time as markup that Discord shows in each reader's time zone. */
const formatTime = (moment: Date, style: 'F' | 'R') => `<t:${Math.floor(moment.getTime() / 1000)}:${style}>`

/** Formats the end of a period. One at midnight in Manila is shown as 23:59 of the last day (TEXT-4). */
const formatEnd = (end: Date) => formatTime(isMidnight(end) ? new Date(end.getTime() - MINUTE_MS) : end, 'F')

const findNews: FindEmbed = async (db, { id }) => {
  const row = await db
    .selectFrom('news')
    .where('id', '=', id)
    .where('published', '=', true)
    .select(['subject', 'created_at as at'])
    .executeTakeFirst()
  return row === undefined
    ? null
    : { title: escapeText(row.subject), path: `/topic/${id}`, at: row.at, picture: getSharePicturePath('news', id) }
}

/** Finds the message about a planned, starting or cancelled event, or about the result of a club war. */
const findEvent: FindEmbed = async (db, { id, parts: [kind, startSeconds], now }) => {
  const row = await db
    .selectFrom('events')
    .where('event', '=', id)
    .where('visible', '=', true)
    .selectAll()
    .executeTakeFirst()
  if (row === undefined) return null
  const name = escapeText(row.title)
  const commonFields = { path: `/events/${id}`, picture: getSharePicturePath('event', id) }
  const at = new Date(Number(startSeconds) * 1000)
  if (kind === 'result') {
    const resultRow = await db
      .selectFrom('event_results')
      .where('event', '=', id)
      .where('starts_at', '=', at)
      .select('result')
      .executeTakeFirst()
    return resultRow === undefined
      ? null
      : { ...commonFields, title: `${name}: result`, text: escapeText(resultRow.result), at }
  }
  const occurrence = getNextOccurrence(row, now.getTime())
  if (occurrence === undefined) return null
  const startsAt = new Date(occurrence.from)
  if (row.cancelled_why !== '')
    return kind === 'soon'
      ? null
      : { ...commonFields, title: `${name} is cancelled`, text: escapeText(row.cancelled_why), at: startsAt }
  if (kind === 'cancelled') return null
  if (kind === 'soon')
    return at <= now || occurrence.from !== at.getTime()
      ? null
      : { ...commonFields, title: `${name} begins soon`, text: `It begins ${formatTime(at, 'R')}.`, at }
  const repeats = row.repeats === 'once' ? '' : `, ${formatRepeats(row).replace(/^Every/, 'every')}`
  return { ...commonFields, title: name, text: `${formatTime(startsAt, 'F')}${repeats}`, at: startsAt }
}

/** Finds the message about the areas that changed owners on a day in Manila. */
async function findAreas(db: Db, day: string): Promise<Embed | null> {
  const changes = await db
    .selectFrom('area_holders as h')
    .innerJoin('club_areas as a', 'a.id', 'h.area')
    .where('a.visible', '=', true)
    .where('h.since', '>=', getStartOfDay(day))
    .where('h.since', '<', getStartOfDay(getNextDay(day)))
    .select(['a.name', 'h.club', 'h.since'])
    .orderBy('h.change', 'desc')
    .limit(LINES_MAX)
    .execute()
  const lines = changes.map(({ name, club }) =>
    club === null ? `No club holds ${escapeText(name)}.` : `${escapeText(club)} holds ${escapeText(name)}.`,
  )
  return lines.length === 0
    ? null
    : {
        title: 'Areas changed hands',
        text: lines.join('\n'),
        path: '/wars',
        at: changes[0]?.since ?? null,
        picture: WARS_PICTURE,
      }
}

const findMonth: FindEmbed = async (db, { parts: [period = ''] }) => {
  const row = await db
    .selectFrom('ranking_periods')
    .where('period', '=', period)
    .select('closed_at as at')
    .executeTakeFirst()
  // The message and its picture name no players, because a player who is hidden later would stay visible on Discord.
  return row === undefined
    ? null
    : {
        title: `${formatMonth(period)} is over`,
        text: 'The final rankings of all five boards are on the site.',
        path: `/rankings?period=${period}`,
        at: row.at,
        picture: DEFAULT_PICTURE,
      }
}

/** Finds the message about a final league, with the clubs in its first places. */
async function findLeague(db: Db, league: number): Promise<Embed | null> {
  const row = await db
    .selectFrom('leagues')
    .where('league', '=', league)
    .where('state', '=', 'finalised')
    .select(['name', 'finalised_at as at'])
    .executeTakeFirst()
  if (row === undefined) return null
  const places = await db
    .selectFrom('league_places')
    .where('league', '=', league)
    .where('place', '<=', PLACES_MAX)
    .select(['name', 'place', 'points'])
    .orderBy('place')
    .orderBy('name')
    .limit(LINES_MAX)
    .execute()
  const lines = places.map(({ name, place, points }) => {
    return `Place ${place}: ${escapeText(name)}, ${formatPlural(points, 'point')}`
  })
  return {
    title: `${escapeText(row.name)}: final`,
    text: lines.join('\n') || 'No club scored.',
    path: `/wars/${league}`,
    at: row.at,
    picture: getSharePicturePath('league', league),
  }
}

const findTournament: FindEmbed = async (db, { id, parts: [kind] }) => {
  const row = await db
    .selectFrom('tournaments')
    .where('tournament', '=', id)
    .where('state', '<>', 'draft')
    .selectAll()
    .executeTakeFirst()
  if (row === undefined) return null
  const name = escapeText(row.name)
  const path = `/rankings/tournament/${id}`
  const picture = getSharePicturePath('tournament', id)
  if (kind === 'final')
    return {
      title: `${name}: final`,
      text: 'The results and the bracket are on the site.',
      path,
      at: row.finalised_at,
      picture: DEFAULT_PICTURE,
    }
  if (row.state === 'cancelled')
    return { title: `${name} is cancelled`, text: escapeText(row.cancelled_why), path, picture }
  const text = `Begins ${formatTime(row.starts_at, 'F')}. Registration until ${formatEnd(row.registration_until)}.`
  return { title: name, text, path, at: row.starts_at, picture }
}

const findTopic: FindEmbed = async (db, { id }) => {
  const row = await db
    .selectFrom('forum_topics')
    .where('topic', '=', id)
    .where(
      sql<boolean>`exists (select from settings where name = 'forum_webhook_board' and value = to_jsonb(category))`,
    )
    .where('state', '=', 'visible')
    .select(['title', 'category', 'picture', 'created_at as at'])
    .executeTakeFirst()
  return row === undefined ? null : { ...row, title: escapeText(row.title), path: `/forum/${row.category}/${id}` }
}

/** Finds the message about the deliveries that failed in an hour in Manila and are still undelivered. */
async function findDeliveries(db: Db, [day = '', hour = '']: string[]): Promise<Embed | null> {
  const from = new Date(getStartOfDay(day).getTime() + Number(hour) * HOUR_MS)
  const failedDeliveries = await db
    .selectFrom('deliveries')
    .where('failed_at', '>=', from)
    .where('failed_at', '<', new Date(from.getTime() + HOUR_MS))
    .select('delivery')
    .orderBy('delivery')
    .limit(LINES_MAX + 1)
    .execute()
  const numbers = failedDeliveries.slice(0, LINES_MAX).map(({ delivery }) => delivery)
  return numbers.length === 0
    ? null
    : {
        title: 'Deliveries failed',
        text: `Numbers ${numbers.join(', ')}${failedDeliveries.length > LINES_MAX ? ' and more' : ''}.`,
        path: '/admin/orders?stage=failed',
        at: from,
      }
}

const findAlert: FindEmbed = async (db, { id, parts: [kind] }) => {
  const row = await db
    .selectFrom('alerts')
    .where('alert', '=', id)
    .select(['detail', 'since', 'over_at'])
    .executeTakeFirst()
  if (row === undefined) return null
  const [title, at] = kind === 'over' ? ['✅ A problem is over', row.over_at] : ['⚠️ Something is wrong', row.since]
  return { title, text: escapeText(row.detail), path: '/admin/health', at }
}

const FINDERS: Record<DiscordChannel, (db: Db, subject: string, now: Date) => Promise<Embed | null>> = {
  news: (db, subject, now) => findNews(db, parseSubject(subject, now)),
  events: (db, subject, now) => findEvent(db, parseSubject(subject, now)),
  wars(db, subject, now) {
    const [kind, object = ''] = subject.split(' ')
    if (kind === 'areas') return findAreas(db, object)
    return kind === 'league' ? findLeague(db, Number(object)) : findEvent(db, parseSubject(subject, now))
  },
  months: (db, subject, now) => findMonth(db, { id: 0, parts: [subject], now }),
  tournaments: (db, subject, now) => findTournament(db, parseSubject(subject, now)),
  forum: (db, subject, now) => findTopic(db, parseSubject(subject, now)),
  // The message to staff has only a number and a link, because personal data must not leave the site.
  tickets: async (_db, subject) => ({ title: `Ticket ${subject}`, path: `/admin/tickets/${subject}` }),
  appeals: async (_db, subject) => ({ title: `Appeal ${subject}`, path: '/admin/appeals?state=waiting' }),
  deliveries: (db, subject) => findDeliveries(db, subject.split(' ')),
  alert: (db, subject, now) => findAlert(db, parseSubject(subject, now)),
}

function parseSubject(subject: string, now: Date) {
  const [id = '', ...parts] = subject.split(' ')
  return { id: Number(id), parts, now }
}

/**
 * Returns the message about an object in its current state, without the name of a player (DISCORD-4); null if the object
 * must no longer have a message (DISCORD-3).
 */
export const findEmbed = (db: Db, { channel, subject }: { channel: DiscordChannel; subject: string }, now: Date) =>
  FINDERS[channel](db, subject, now)

type EmbedContext = { name: string; publicUrl: string; version?: number }

/** Returns a message in Discord's form, whose mentions notify no one. With a new version Discord fetches the picture again. */
export function toMessage({ title, text, path, at, picture }: Embed, { name, publicUrl, version = 1 }: EmbedContext) {
  const embed = {
    title: title.slice(0, 256),
    ...(text !== undefined && { description: text.slice(0, TEXT_MAX) }),
    url: publicUrl + path,
    ...(at && { timestamp: at.toISOString() }),
    ...(picture && { image: { url: `${publicUrl}${picture}?v=${version}` } }),
    footer: { text: name },
  }
  return { embeds: [embed], allowed_mentions: { parse: [] } }
}
