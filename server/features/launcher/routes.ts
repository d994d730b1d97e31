import { Hono } from 'hono'
import { LAUNCHER_NEWS, LAUNCHER_PICTURE_PX, type Launcher, launcherSchema } from '#contract/launcher.ts'
import type { Deps } from '#server/deps.ts'
import type { WholeAnswer } from '#server/http/answer-cache.ts'
import { ANY_ORIGIN } from '#server/http/answer-calls.ts'
import { readSettings } from '#server/settings.ts'
import { selectDownloads } from '../downloads/queries.ts'
import { loadSharp } from '../files/pictures.ts'
import { readSiteFile } from '../files/store.ts'
import { listNews } from '../news/queries.ts'
import { findMaintenance, readServerStatus } from '../site/describe.ts'
import { readSiteTheme } from '../theme/queries.ts'
import { renderLauncher } from './page.ts'

/** The icon of scripts/bake-art.ts, and the background of the default theme. */
const ORIGINAL = { icon: '/art/icon-192.png', ground: '#0A0C13' }

/** Creates the response of a document. Shared caches store it for as short a time as responses of calls, because it shows the game's state. */
const answer = (type: string, body: Buffer<ArrayBuffer>, more: Record<string, string> = {}): WholeAnswer => ({
  status: 200,
  headers: new Headers({ 'Content-Type': type, 'Cache-Control': 'public, max-age=0, s-maxage=30', ...more }),
  body,
})

/** Serves `/launcher`, `/launcher.json` and the picture of the page (LAUNCHER-1, LAUNCHER-2). */
export function createLauncherDocuments(deps: Deps) {
  const browsing = { ...deps, db: deps.browseDb }

  async function describe(): Promise<Launcher> {
    const { publicUrl } = deps
    const complete = (address: string) => new URL(address, `${publicUrl}/`).href
    const [settings, status, { data: news }, downloads] = await Promise.all([
      readSettings(browsing),
      readServerStatus(browsing),
      listNews(browsing, { type: 0, count: LAUNCHER_NEWS, paged: 0, latestflag: 0 }),
      selectDownloads(browsing.db),
    ])
    const maintenance = findMaintenance(settings.maintenance, deps.now())
    const isPaused = maintenance !== null && Date.parse(maintenance.from) <= deps.now().getTime()
    const [event] = status.events
    return launcherSchema.parse({
      name: settings.site_name,
      site: publicUrl,
      state: isPaused ? 'maintenance' : status.up === null || status.demo ? 'unknown' : status.up ? 'up' : 'down',
      players: isPaused || status.demo ? null : status.players,
      maintenance: maintenance && { ...maintenance, until: maintenance.until || null },
      event: event
        ? {
            id: event.event,
            title: event.title,
            starts_at: event.starts_at,
            address: complete(`/events/${event.event}`),
          }
        : null,
      news: news.map(({ id, subject, created_at, img_thumbnail, IsShowThumbnail }) => ({
        id,
        subject,
        published_at: created_at,
        address: complete(`/news?topic=${id}`),
        picture: IsShowThumbnail === 1 && img_thumbnail !== null ? complete(img_thumbnail) : null,
      })),
      downloads: downloads.map((one) => ({
        name: one.link_name,
        address: complete(one.link_address),
        version: one.link_version,
        size: one.link_size,
      })),
    })
  }

  /** Draws the site's icon as a JPEG, which every engine reads. */
  async function drawPicture(): Promise<Buffer<ArrayBuffer>> {
    const theme = await readSiteTheme(browsing)
    const bytes = await readSiteFile(browsing, theme?.pictures.icon?.[0] ?? ORIGINAL.icon)
    const sharp = await loadSharp()
    const side = LAUNCHER_PICTURE_PX
    const ground = theme?.ground ?? ORIGINAL.ground
    const drawn = bytes === null ? null : await sharp(bytes).resize(side, side, { fit: 'contain', background: ground })
    const picture = drawn ?? sharp({ create: { width: side, height: side, channels: 3, background: ground } })
    return Buffer.from(await picture.flatten({ background: ground }).jpeg({ quality: 80 }).toBuffer())
  }

  const documents = new Hono()
  documents.get('/launcher', (c) =>
    deps.cache.respond(c.req.raw, '/launcher', async () =>
      answer('text/html; charset=utf-8', Buffer.from(String(await renderLauncher(await describe(), deps.now())))),
    ),
  )
  documents.get('/launcher.json', (c) =>
    deps.cache.respond(c.req.raw, '/launcher.json', async () =>
      answer('application/json', Buffer.from(JSON.stringify(await describe())), ANY_ORIGIN),
    ),
  )
  documents.get('/launcher.jpg', (c) =>
    deps.cache.respond(c.req.raw, '/launcher.jpg', async () => answer('image/jpeg', await drawPicture())),
  )
  return documents
}
