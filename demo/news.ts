import MarkdownIt from 'markdown-it'
import { z } from 'zod'
import { wholeNumber } from '#content/files.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import type { Db } from '#server/db/open.ts'
import { readTexts, timeSpan } from './read.ts'
import { subtractMs, type World } from './world.ts'

const TYPES = { news: 0, guide: 1, event: 2 } as const

/** `age` is the time since publication or, for an unpublished item, since it was saved. */
const newsHead = z.strictObject({
  subject: z.string().max(60),
  type: z.enum(['news', 'guide', 'event']).transform((type) => TYPES[type]),
  author: z.string(),
  state: z.enum(['published', 'draft', 'scheduled']).default('published'),
  age: timeSpan,
  /** The time until the item is published. */
  appears: timeSpan.optional(),
  /** Whether the item has a date. The oldest guide has none, to show 'No date available'. */
  dated: z.literal('no').optional(),
  /** The number of a drawing in art/news. */
  picture: wholeNumber.optional(),
  body: z.string(),
})

const markdown = new MarkdownIt()

/** Converts a text to HTML with each row of a table on one line. */
const toHtml = (text: string) =>
  markdown
    .render(text)
    .trimEnd()
    .replace(/<t(head|r)>.*?<\/t\1>/gs, (rows) => rows.replaceAll('\n', ''))

const isPatchNotes = (subject: string) => subject.startsWith('Patch notes')

/** Reads the news, newest first. */
const readNews = () =>
  readTexts('news/*.md', newsHead)
    .sort((a, b) => a.age - b.age)
    .map(({ picture, ...text }) => ({
      ...text,
      picture: picture === undefined ? null : `/art/news-${String(picture).padStart(2, '0')}.webp`,
    }))

/** Inserts the published news. */
export async function insertNews(tx: Db, { now }: World): Promise<void> {
  const publishedNews = readNews().filter(({ state }) => state === 'published')
  const rows = publishedNews.reverse().map(({ subject, type, author, age, dated, picture, body }) => ({
    subject,
    type,
    author,
    content: `\n${toHtml(body)}`,
    picture,
    show_picture: picture !== null,
    patch_notes: isPatchNotes(subject),
    first_published_at: subtractMs(now, age),
    announced_at: now,
    created_at: dated === 'no' ? null : subtractMs(now, age),
  }))
  await tx.insertInto('news').values(rows).execute()
}

/** Inserts the unpublished news: drafts, a scheduled event, and changes of a published guide. */
export async function insertNewsDesk(tx: Db, { now, gm }: World): Promise<void> {
  const unpublishedNews = readNews().filter(({ state }) => state !== 'published')
  const sortedNews = unpublishedNews.sort((a, b) => a.state.localeCompare(b.state))
  for (const { state, subject, type, author, age, appears, picture, body } of sortedNews) {
    // The editor writes no line breaks between blocks.
    const text = {
      subject,
      type,
      author,
      content: toHtml(body).replaceAll('\n', ''),
      picture,
      show_picture: true,
      patch_notes: false,
    }
    const savedFields = { ...text, saved_at: subtractMs(now, age), saved_by: gm }
    const isDraft = state === 'draft'
    const times = isDraft
      ? { published: false, created_at: null }
      : { published: true, created_at: subtractMs(now, -(appears ?? 0)), first_published_at: subtractMs(now, age) }
    const { id } = await tx
      .insertInto('news')
      .values({ ...text, ...times })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('news_drafts')
      .values({ news: id, version: isDraft ? 4 : 6, is_open: isDraft, ...savedFields })
      .execute()
    if (isDraft) continue
    await tx
      .insertInto('news_revisions')
      .values({ news: id, kind: 'published', ...savedFields })
      .execute()
  }
  await changeNewestGuide(tx, { now, gm })
}

async function changeNewestGuide(tx: Db, { now, gm }: Pick<World, 'now' | 'gm'>): Promise<void> {
  const { id: news, ...text } = await tx
    .selectFrom('news')
    .where('type', '=', TYPES.guide)
    .where('created_at', 'is not', null)
    .where('published', '=', true)
    .orderBy('created_at', 'desc')
    .select(['id', 'subject', 'type', 'author', 'content', 'picture', 'show_picture', 'patch_notes'])
    .executeTakeFirstOrThrow()
  const published = { news, kind: 'published' as const, ...text, saved_by: gm }
  await tx
    .insertInto('news_revisions')
    .values([
      { ...published, subject: 'First night on campus', saved_at: subtractMs(now, 3 * DAY_MS) },
      { ...published, saved_at: subtractMs(now, 4 * HOUR_MS) },
    ])
    .execute()
  const content = `${text.content}\n<h2>Level 20 and beyond</h2>\n<p>To be written.</p>`
  const draft = { news, version: 9, is_open: true, ...text, content }
  await tx
    .insertInto('news_drafts')
    .values({ ...draft, saved_at: subtractMs(now, 20 * MINUTE_MS), saved_by: gm })
    .execute()
}
