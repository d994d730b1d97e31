import { getNewsAll, getSpecificNews } from '#contract/news.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { findNews, listNews, nearestNews } from './service.ts'

/** The calls of the news (NEWS-8, NEWS-10). */
export const newsCalls: Mounted[] = [
  mount(getNewsAll, { nearest: nearestNews, read: (input, { deps }) => listNews(deps, input) }),
  mount(getSpecificNews, async ({ id }, { deps }) => ({ data: await findNews(deps, id) })),
]
