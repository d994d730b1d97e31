import { Hono } from 'hono'
import { LAUNCHER_NEWS_COUNT, LAUNCHER_PICTURE_PX, type Launcher, launcherSchema } from '#contract/launcher.ts'
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
const DEFAULTS = { icon: '/art/icon-192.png', ground: '#0A0C13' }

/**
 * Creates the response of a document. Shared caches store it for as short a time as responses of calls, because it shows the
 * game's state.
 */
const createAnswer = (
  contentType: string,
  body: Buffer<ArrayBuffer>,
  headers: Record<string, string> = {},
): WholeAnswer => ({
  status: 200,
  headers: new Headers({ 'Content-Type': contentType, 'Cache-Control': 'public, max-age=0, s-maxage=30', ...headers }),
  body,
})

/** Serves `/launcher`, `/launcher.json` and the picture of the page (LAUNCHER-1, LAUNCHER-2). */
export function createLauncherDocuments(deps: Deps) {
  const browseDeps = { ...deps, db: deps.browseDb }

  async function describeLauncher(): Promise<Launcher> {
    const { publicUrl } = deps
    const toAbsoluteUrl = (address: string) => new URL(address, `${publicUrl}/`).href
    const [settings, status, { data: news }, downloads] = await Promise.all([
      readSettings(browseDeps),
      readServerStatus(browseDeps),
      listNews(browseDeps, { type: 0, count: LAUNCHER_NEWS_COUNT, paged: 0, latestflag: 0 }),
      selectDownloads(browseDeps.db),
    ])
    const maintenance = findMaintenance(settings.maintenance, deps.now())
    const isInMaintenance = maintenance !== null && Date.parse(maintenance.from) <= deps.now().getTime()
    const [event] = status.events
    return launcherSchema.parse({
      name: settings.site_name,
      site: publicUrl,
      state: isInMaintenance
        ? 'maintenance'
        : status.up === null || status.demo
          ? 'unknown'
          : status.up
            ? 'up'
            : 'down',
      players: isInMaintenance || status.demo ? null : status.players,
      maintenance: maintenance && { ...maintenance, until: maintenance.until || null },
      event: event
        ? {
            id: event.event,
            title: event.title,
            starts_at: event.starts_at,
            address: toAbsoluteUrl(`/events/${event.event}`),
          }
        : null,
      news: news.map(({ id, subject, created_at, img_thumbnail, IsShowThumbnail }) => ({
        id,
        subject,
        published_at: created_at,
        address: toAbsoluteUrl(`/news?topic=${id}`),
        picture: IsShowThumbnail === 1 && img_thumbnail !== null ? toAbsoluteUrl(img_thumbnail) : null,
      })),
      downloads: downloads.map((download) => ({
        name: download.link_name,
        address: toAbsoluteUrl(download.link_address),
        version: download.link_version,
        size: download.link_size,
      })),
    })
  }

  /** Draws the site's icon as a JPEG, which every engine reads. */
  async function drawPicture(): Promise<Buffer<ArrayBuffer>> {
    const theme = await readSiteTheme(browseDeps)
    const bytes = await readSiteFile(browseDeps, theme?.pictures.icon?.[0] ?? DEFAULTS.icon)
    const sharp = await loadSharp()
    const side = LAUNCHER_PICTURE_PX
    const ground = theme?.ground ?? DEFAULTS.ground
    const resizedIcon =
      bytes === null ? null : await sharp(bytes).resize(side, side, { fit: 'contain', background: ground })
    const picture = resizedIcon ?? sharp({ create: { width: side, height: side, channels: 3, background: ground } })
    return Buffer.from(await picture.flatten({ background: ground }).jpeg({ quality: 80 }).toBuffer())
  }

  const documents = new Hono()
  documents.get('/launcher', (c) =>
    deps.cache.respond(c.req.raw, '/launcher', async () =>
      createAnswer(
        'text/html; charset=utf-8',
        Buffer.from(String(await renderLauncher(await describeLauncher(), deps.now()))),
      ),
    ),
  )
  documents.get('/launcher.json', (c) =>
    deps.cache.respond(c.req.raw, '/launcher.json', async () =>
      createAnswer('application/json', Buffer.from(JSON.stringify(await describeLauncher())), ANY_ORIGIN),
    ),
  )
  documents.get('/launcher.jpg', (c) =>
    deps.cache.respond(c.req.raw, '/launcher.jpg', async () => createAnswer('image/jpeg', await drawPicture())),
  )
  return documents
}
