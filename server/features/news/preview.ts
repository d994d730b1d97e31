import { getSpecificNews, type NewsItem } from '#contract/news.ts'
import { answerOf, type FindDraft } from '#server/preview.ts'
import { cleanHtml } from './clean-html.ts'
import { selectDeskNewsItem } from './desk-queries.ts'

/** A news item's page with its draft. */
export const findNewsDraft: FindDraft = async ({ db, now }, id) => {
  const item = await selectDeskNewsItem(db, Number(id), now())
  if (item === undefined) return undefined
  const { subject, type, author, content, picture, show_picture } = item.text
  const shown: NewsItem = {
    id: item.id,
    subject: subject === '' ? 'Untitled' : subject,
    content: cleanHtml(content),
    type,
    created_at: (item.created_at ?? now()).toISOString(),
    author,
    img_thumbnail: picture,
    IsShowThumbnail: show_picture && picture !== null ? 1 : 0,
  }
  return {
    path: `/topic/${id}`,
    answer: answerOf(getSpecificNews, (input) => (Number(input.id) === item.id ? { data: [shown] } : undefined)),
  }
}
