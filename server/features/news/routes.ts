import { getNewsAll, getSpecificNews } from '#contract/news.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { type FindDraft, findPreviewAnswer } from '#server/preview.ts'
import { selectDeskNewsItem } from './desk-queries.ts'
import { findNews, listNews, normalizeRequest, toNewsItem } from './queries.ts'

/** The calls of the news (NEWS-8, NEWS-10). */
export const newsCalls: MountedCall[] = [
  mount(getNewsAll, { nearest: normalizeRequest, read: (input, { deps }) => listNews(deps, input) }),
  mount(getSpecificNews, async ({ id }, { deps }) => ({ data: await findNews(deps, id) })),
]

/** Finds a news item's draft for the preview of its page. */
export const findNewsDraft: FindDraft = async ({ db, now }, id) => {
  const item = await selectDeskNewsItem(db, Number(id), now())
  if (item === undefined) return undefined
  const { subject, ...text } = item.text
  const row = { ...text, id: item.id, subject: subject || 'Untitled', created_at: item.created_at ?? now() }
  const preview = getSpecificNews.output.parse({ data: [toNewsItem(row)] })
  return {
    path: `/topic/${id}`,
    answer: findPreviewAnswer(getSpecificNews, (input) => (Number(input.id) === item.id ? preview : undefined)),
  }
}
