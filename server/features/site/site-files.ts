import { Feed } from 'feed'
import { Hono } from 'hono'
import type { Settings } from '#contract/settings.ts'
import type { SiteTheme } from '#contract/theme.ts'
import { createExcerpt } from '#server/clean-html.ts'
import type { Deps } from '#server/deps.ts'
import { createTextAnswer, type WholeAnswer } from '#server/http/answer-cache.ts'
import { readSettings } from '#server/settings.ts'
import { listFreePages } from '../documents/published.ts'
import { listNews } from '../news/queries.ts'
import { readSiteTheme } from '../theme/queries.ts'
import { listOmittedPaths } from './describe.ts'
import { LISTED_TABLES, type ListedTable, selectSitemapFiles, selectSitemapPaths } from './queries.ts'

/** The query for the news of the RSS feed. */
const FEED_NEWS_QUERY = { type: 0, count: 20, paged: 0, latestflag: 0 }

/** Removes characters that XML forbids, and splits `]]>`, which would end a CDATA section. */
function cleanXmlText(text: string): string {
  return text.replace(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '').replaceAll(']]>', ']] >')
}

/** Writes a sitemap file (sitemaps.org), which is an index of other files or a list of addresses. */
function writeSitemap(kind: 'sitemapindex' | 'urlset', addresses: { address: string; lastmod?: string | undefined }[]) {
  const element = kind === 'sitemapindex' ? 'sitemap' : 'url'
  const lines = addresses.map(({ address, lastmod }) => {
    const lastmodElement = lastmod === undefined ? '' : `<lastmod>${lastmod}</lastmod>`
    return `<${element}><loc>${address}</loc>${lastmodElement}</${element}>`
  })
  return createTextAnswer(
    'application/xml; charset=utf-8',
    `<?xml version="1.0" encoding="UTF-8"?>\n<${kind} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${lines.join('\n')}\n</${kind}>\n`,
  )
}

const createNotFoundAnswer = (): WholeAnswer => ({
  status: 404,
  headers: new Headers({ 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }),
  body: Buffer.from('There is no such sitemap.'),
})

/** The background color, the same as `--ink` in web/ui/base.css and `theme-color` in web/root.tsx. */
const DEFAULT_GROUND = '#0A0C13'
/** The icons that scripts/bake-art.ts writes. */
const ICONS = [192, 512].flatMap((side) => {
  const icon = { sizes: `${side}x${side}`, type: 'image/png' }
  return [
    { src: `/art/icon-${side}.png`, ...icon, purpose: 'any' },
    { src: `/art/icon-maskable-${side}.png`, ...icon, purpose: 'maskable' },
  ]
})

/** The pictures that scripts/app-screens.ts takes of the demo world in the default theme. */
const SCREENSHOTS = [
  { src: '/screenshots/home-phone.webp', sizes: '360x780', form_factor: 'narrow', label: 'The home page on a phone' },
  {
    src: '/screenshots/home-computer.webp',
    sizes: '1440x900',
    form_factor: 'wide',
    label: 'The home page on a computer',
  },
]

/** Returns the icons of a theme, of 512 and 192 pixels, or the default icons. */
function listIcons(theme: SiteTheme | null) {
  const [largeIcon, mediumIcon] = theme?.pictures.icon ?? []
  if (largeIcon === undefined || mediumIcon === undefined) return ICONS
  const icon = { type: 'image/png', purpose: 'any' }
  return [
    { src: mediumIcon, sizes: '192x192', ...icon },
    { src: largeIcon, sizes: '512x512', ...icon },
  ]
}

/** Returns the web app manifest (W3C), which browsers use to add the site to a home screen. */
const describeApp = ({ site_name: appName, site_short_name }: Settings, theme: SiteTheme | null, demo: boolean) => ({
  name: appName,
  short_name: site_short_name || appName,
  description: `The home of ${appName}: news, rankings, guides and the item shop.`,
  id: '/',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  lang: 'en',
  dir: 'ltr',
  theme_color: theme?.ground ?? DEFAULT_GROUND,
  background_color: theme?.ground ?? DEFAULT_GROUND,
  icons: listIcons(theme),
  screenshots: theme === null && demo ? SCREENSHOTS.map((screenshot) => ({ ...screenshot, type: 'image/webp' })) : [],
})

/** The paths of the pages in the sitemap, and of the pages for players only, which search engines must not read. */
type SearchEnginePaths = { sitemapPaths: readonly string[]; playersOnlyPaths: readonly string[] }

/** Serves robots.txt, sitemap.xml with the files that it names, the web app manifest, and the RSS feed of the news. */
export function createSiteFiles(
  deps: Deps,
  { sitemapPaths, playersOnlyPaths }: SearchEnginePaths = { sitemapPaths: [], playersOnlyPaths: [] },
) {
  const { publicUrl, cache, browseDb, now } = deps
  const routes = new Hono()
  routes.get('/robots.txt', (c) =>
    cache.respond(c.req.raw, '/robots.txt', async () => {
      const rules = ['/api/', '/admin', ...playersOnlyPaths].map((path) => `Disallow: ${path}`)
      const lines = ['User-agent: *', ...rules, 'Allow: /', '', `Sitemap: ${publicUrl}/sitemap.xml`, '']
      return createTextAnswer('text/plain; charset=utf-8', lines.join('\n'))
    }),
  )
  routes.get('/sitemap.xml', (c) =>
    cache.respond(c.req.raw, '/sitemap.xml', async () => {
      const fileNames = await Promise.all(
        LISTED_TABLES.map(async (table) =>
          (await selectSitemapFiles(browseDb, table, now())).map((file) => `${table}-${file}`),
        ),
      )
      const names = ['pages', ...fileNames.flat()]
      return writeSitemap(
        'sitemapindex',
        names.map((name) => ({ address: `${publicUrl}/sitemap-${name}.xml` })),
      )
    }),
  )
  routes.get('/sitemap-pages.xml', (c) =>
    cache.respond(c.req.raw, '/sitemap-pages.xml', async () => {
      const omittedPaths = await listOmittedPaths(deps)
      const freePaths = (await listFreePages(deps)).map(({ path }) => path)
      const paths = [...sitemapPaths.filter((path) => !omittedPaths.includes(path)), ...freePaths]
      return writeSitemap(
        'urlset',
        paths.map((path) => ({ address: publicUrl + path })),
      )
    }),
  )
  routes.get(`/:name{sitemap-(?:${LISTED_TABLES.join('|')})-[1-9][0-9]{0,8}\\.xml}`, (c) => {
    const [, table, file] = c.req.param('name').split(/[-.]/)
    return cache.respond(c.req.raw, `/sitemap ${table} ${file}`, async () => {
      const paths = await selectSitemapPaths(browseDb, table as ListedTable, Number(file), now())
      return paths.length === 0
        ? createNotFoundAnswer()
        : writeSitemap(
            'urlset',
            paths.map(({ path, lastmod }) => ({ address: publicUrl + path, lastmod })),
          )
    })
  })
  routes.get('/manifest.webmanifest', (c) =>
    cache.respond(c.req.raw, '/manifest.webmanifest', async () =>
      createTextAnswer(
        'application/manifest+json',
        JSON.stringify(describeApp(await readSettings(deps), await readSiteTheme(deps), deps.config.demo)),
      ),
    ),
  )
  routes.get('/feed.xml', (c) =>
    cache.respond(c.req.raw, '/feed.xml', async () => {
      const { data } = await listNews(deps, FEED_NEWS_QUERY)
      const { site_name } = await readSettings(deps)
      const name = cleanXmlText(site_name)
      const feed = new Feed({
        title: `News | ${name}`,
        description: `News, events and guides of ${name}.`,
        id: `${publicUrl}/news`,
        link: `${publicUrl}/news`,
        language: 'en',
        favicon: `${publicUrl}${(await readSiteTheme(deps))?.pictures.icon?.at(-1) ?? '/art/favicon.svg'}`,
        copyright: name,
        feedLinks: { rss: `${publicUrl}/feed.xml` },
        updated: new Date(data.find((item) => item.created_at !== null)?.created_at ?? deps.now()),
      })
      for (const item of data) {
        if (item.created_at === null) continue
        const link = `${publicUrl}/news?topic=${item.id}`
        feed.addItem({
          title: cleanXmlText(item.subject),
          id: link,
          link,
          description: cleanXmlText(createExcerpt(item.content, 200)),
          content: cleanXmlText(
            item.content.replaceAll('href="/', `href="${publicUrl}/`).replaceAll('src="/', `src="${publicUrl}/`),
          ),
          author: [{ name: cleanXmlText(item.author) }],
          date: new Date(item.created_at),
        })
      }
      return createTextAnswer('application/rss+xml; charset=utf-8', feed.rss2())
    }),
  )
  return routes
}
