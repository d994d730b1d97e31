import { Feed } from 'feed'
import { Hono } from 'hono'
import type { Deps } from '#server/deps.ts'
import type { WholeAnswer } from '#server/http/packed-answer.ts'
import { excerpt } from '../news/clean-html.ts'
import { listNews } from '../news/service.ts'
import { listVisibleItems } from '../shop/service.ts'

const SHARED = 'public, max-age=300, s-maxage=300'
const NEWEST = { type: 0, count: 50, paged: 0, latestflag: 0 }

/** Text that is safe in a feed: without characters that XML forbids or the end of a CDATA section. */
function forXml(text: string): string {
  return text.replace(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '').replaceAll(']]>', ']] >')
}

/** Every item readers may see, newest first, read page by page. */
async function listEveryNews(deps: Deps) {
  const first = await listNews(deps, { ...NEWEST, paged: 1 })
  const rest: (typeof first.data)[] = []
  for (let paged = 2; paged <= first.last_page; paged++) rest.push((await listNews(deps, { ...NEWEST, paged })).data)
  return [...first.data, ...rest.flat()]
}

const wholeText = (type: string, text: string): WholeAnswer => ({
  status: 200,
  headers: new Headers({ 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': SHARED }),
  body: Buffer.from(text),
})

/** The paths of pages: those that search engines are shown, and those of players only. */
type Listing = { listed: readonly string[]; playersOnly: readonly string[] }

/** Serves robots.txt, sitemap.xml and the RSS feed of the news. */
export function siteDocuments(deps: Deps, { listed, playersOnly }: Listing = { listed: [], playersOnly: [] }) {
  const { publicUrl, config, cache } = deps
  const documents = new Hono()
  documents.get('/robots.txt', (c) => {
    c.header('Cache-Control', 'public, max-age=3600')
    const rules = ['/api/', '/admin', ...playersOnly].map((path) => `Disallow: ${path}`)
    return c.text(['User-agent: *', ...rules, 'Allow: /', '', `Sitemap: ${publicUrl}/sitemap.xml`, ''].join('\n'))
  })
  documents.get('/sitemap.xml', (c) =>
    cache.respond(c.req.raw, '/sitemap.xml', async () => {
      const [data, items] = await Promise.all([listEveryNews(deps), listVisibleItems(deps)])
      const paths = [...listed, ...items.map((productNum) => `/itemshop/${productNum}`)]
      const pages = paths.map((path) => `<url><loc>${publicUrl}${path}</loc></url>`)
      const news = data.map(
        ({ id, created_at }) =>
          `<url><loc>${publicUrl}/news?topic=${id}</loc>${created_at === null ? '' : `<lastmod>${created_at}</lastmod>`}</url>`,
      )
      const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${[...pages, ...news].join('\n')}\n</urlset>\n`
      return wholeText('application/xml', xml)
    }),
  )
  documents.get('/feed.xml', (c) =>
    cache.respond(c.req.raw, '/feed.xml', async () => {
      const { data } = await listNews(deps, { ...NEWEST, count: 20 })
      const feed = new Feed({
        title: `News | ${config.appName}`,
        description: `News, events and guides of ${config.appName}.`,
        id: `${publicUrl}/news`,
        link: `${publicUrl}/news`,
        language: 'en',
        favicon: `${publicUrl}/art/favicon.svg`,
        copyright: config.appName,
        feedLinks: { rss: `${publicUrl}/feed.xml` },
        updated: new Date(data.find((item) => item.created_at !== null)?.created_at ?? deps.now()),
      })
      for (const item of data) {
        if (item.created_at === null) continue
        const link = `${publicUrl}/news?topic=${item.id}`
        feed.addItem({
          title: forXml(item.subject),
          id: link,
          link,
          description: forXml(excerpt(item.content, 200)),
          content: forXml(
            item.content.replaceAll('href="/', `href="${publicUrl}/`).replaceAll('src="/', `src="${publicUrl}/`),
          ),
          author: [{ name: forXml(item.author) }],
          date: new Date(item.created_at),
        })
      }
      return wholeText('application/rss+xml', feed.rss2())
    }),
  )
  return documents
}
