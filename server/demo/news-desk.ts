import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import type { Db } from '#server/db/open.ts'

/** What waits at the desk of the news: two drafts, an event that is scheduled, and changes of a published guide. */
export async function insertNewsDesk(tx: Db, now: Date, gm: number): Promise<void> {
  const at = (ms: number) => new Date(now.getTime() + ms)
  const blank = { picture: null, show_picture: true }
  const drafts = [
    {
      subject: 'Christmas party on the rooftop: what we still need',
      type: 2 as const,
      author: 'GM Sinag',
      content:
        '<p>The rooftop is ours from December 12 on. Before we announce it:</p><ul><li>Who brings the lights?</li><li>Prizes: 3 parols, 1 ride, and what else?</li></ul>',
      saved_at: at(-5 * HOUR_MS),
    },
    {
      subject: 'How to trade without being cheated',
      type: 1 as const,
      author: 'GM Alon',
      content:
        '<p>Both sides put everything into the window, both sides look twice, then both press. Nothing else is a trade.</p>',
      saved_at: at(-2 * DAY_MS),
    },
  ]
  for (const { saved_at, ...text } of drafts) {
    const { id } = await tx
      .insertInto('news')
      .values({ ...blank, ...text, published: false, created_at: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('news_drafts')
      .values({ news: id, version: 4, is_open: true, ...blank, ...text, saved_at, saved_by: gm })
      .execute()
  }

  const event = {
    subject: 'Weekend of double Milleage',
    type: 2 as const,
    author: 'GM Sinag',
    picture: '/art/news-02.webp',
    show_picture: true,
    content:
      '<p>From Friday, 6:00 PM, to Sunday, midnight, Manila time, every Milleage drop counts twice. Bring a friend: a party of four gets a little more.</p>',
  }
  const { id: eventId } = await tx
    .insertInto('news')
    .values({ ...event, published: true, created_at: at(3 * DAY_MS), first_published_at: at(-HOUR_MS) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const saved = { saved_at: at(-HOUR_MS), saved_by: gm }
  await tx
    .insertInto('news_drafts')
    .values({ news: eventId, version: 6, is_open: false, ...event, ...saved })
    .execute()
  await tx
    .insertInto('news_revisions')
    .values({ news: eventId, kind: 'published', ...event, ...saved })
    .execute()

  const guide = await tx
    .selectFrom('news')
    .where('type', '=', 1)
    .where('created_at', 'is not', null)
    .where('published', '=', true)
    .orderBy('created_at', 'desc')
    .select(['id', 'subject', 'type', 'author', 'content', 'picture', 'show_picture'])
    .executeTakeFirstOrThrow()
  const { id: news, ...text } = guide
  const earlier = { ...text, subject: 'First night on campus', saved_at: at(-3 * DAY_MS), saved_by: gm }
  await tx
    .insertInto('news_revisions')
    .values([
      { news, kind: 'published' as const, ...earlier },
      { news, kind: 'published' as const, ...text, saved_at: at(-4 * HOUR_MS), saved_by: gm },
    ])
    .execute()
  const content = `${text.content}\n<h2>Level 20 and beyond</h2>\n<p>To be written.</p>`
  await tx
    .insertInto('news_drafts')
    .values({ news, version: 9, is_open: true, ...text, content, saved_at: at(-20 * MINUTE_MS), saved_by: gm })
    .execute()
}
