import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { type Context, Hono } from 'hono'
import { SHARE_PICTURE_CACHE_MS, SHARE_PICTURES_MAX_BYTES } from '#contract/limits.ts'
import {
  DEFAULT_PICTURE,
  SHARE_PICTURE_MAX_BYTES,
  SHARE_SIZES,
  SHARED_KINDS,
  type ShareShape,
} from '#contract/sharing.ts'
import { createQueue } from '#server/concurrency.ts'
import type { Deps } from '#server/deps.ts'
import { createNotFound, createSiteBusy } from '#server/errors.ts'
import { createPictureCache } from '#server/picture-cache.ts'
import { readSettings } from '#server/settings.ts'
import { loadSharp } from '../files/pictures.ts'
import { findFileHash, readSiteFile, selectFile } from '../files/store.ts'
import { readCharacterCard } from '../rankings/characters.ts'
import { drawCharacter, getPictureVersion, selectPictures } from '../rankings/draw-character.ts'
import { readTheme } from '../theme/queries.ts'
import { readCard } from './cards.ts'
import { type CardDrawing, drawCard } from './draw-card.ts'

/** A picture to draw. Its version changes with its content. */
export type Drawing = { version: string; draw: () => Promise<Buffer> }

/** The version of the drawing. Increase it when the same content is drawn in another way. */
const DRAWING_VERSION = 1

const toVersion = (content: unknown) =>
  createHash('sha256')
    .update(JSON.stringify([DRAWING_VERSION, content]))
    .digest('base64url')
    .slice(0, 22)

const CHARACTER_PATH = /^\/character\/([1-9][0-9]{0,14})\.jpg$/
const CARD_PATH = /^\/share\/([a-z]+)\/(\d{1,9}|\d{4}-\d\d)\.jpg$/
/** The files that can be used in the picture of a page. */
const FILE_PATH = /^\/[\w/-]+\.(webp|jpe?g|png|svg)$/

/**
 * Draws the pictures that messengers show for links, as JPEG (SHARE-1), one at a time. Each is stored under a name from its
 * content, so it is drawn once, and made-up addresses draw nothing.
 */
export function createSharePictures(deps: Deps) {
  const browseDeps = { ...deps, db: deps.browseDb }
  const { publicQueue, now, log, config } = deps
  const pictureCache = createPictureCache(join(config.dataDir, 'pictures'), {
    maxBytes: SHARE_PICTURES_MAX_BYTES,
    maxAgeMs: SHARE_PICTURE_CACHE_MS,
    now,
  })
  const runOneByOne = createQueue({ concurrency: 1, maxWaiting: 20, maxWaitMs: 5000, createFullError: createSiteBusy })
  const pendingDrawings = new Map<string, Promise<Buffer>>()

  const readPicture = (url: string) => readSiteFile(browseDeps, url)

  async function findCharacterDrawing(chaNum: number): Promise<Drawing> {
    const characterCard = await readCharacterCard(browseDeps, chaNum)
    return { version: getPictureVersion(characterCard), draw: () => drawCharacter(characterCard, readPicture) }
  }

  async function findCardDrawing(name: string, id: string, shape: ShareShape): Promise<Drawing | null> {
    const kind = SHARED_KINDS.find((sharedKind) => sharedKind === name)
    const card = kind === undefined ? null : await readCard(browseDeps, kind, id)
    if (card === null) return null
    const [{ site_name: siteName }, { value: theme }] = await Promise.all([
      readSettings(browseDeps),
      readTheme(browseDeps),
    ])
    const { colors } = theme
    const drawing: CardDrawing = { ...card, shape, siteName, colors, pictures: selectPictures(theme.pictures) }
    return { version: toVersion(drawing), draw: () => drawCard(drawing, readPicture) }
  }

  /**
   * Returns the drawing of a file of the site; null for a file that is missing, and for uploads of players, which only
   * posts may show.
   */
  async function findFileDrawing(url: string): Promise<Drawing | null> {
    if (!FILE_PATH.test(url)) return null
    const hash = findFileHash(url)
    if (hash !== null && (await selectFile(browseDeps.db, hash))?.of_players !== false) return null
    if (hash === null && (await deps.frontend.findFile(url)) === null) return null
    const { colors } = (await readTheme(browseDeps)).value
    return { version: toVersion([url, colors.ground]), draw: () => fitFile(url, colors.ground) }
  }

  async function fitFile(url: string, background: string): Promise<Buffer> {
    const [sharp, bytes] = await Promise.all([loadSharp(), readPicture(url)])
    if (bytes === null) throw createNotFound()
    const { width: originalWidth, height: originalHeight } = await sharp(bytes).metadata()
    const isWide = originalWidth / originalHeight > 1.3 && originalWidth / originalHeight < 2.6
    const { width, height } = SHARE_SIZES.wide
    const picture = sharp(bytes, { density: 144 })
      .resize({ width, height, fit: isWide ? 'cover' : 'contain', background })
      .flatten({ background })
    for (const quality of [82, 70, 55]) {
      const jpeg = await picture.clone().jpeg({ quality, mozjpeg: true }).toBuffer()
      if (jpeg.length < SHARE_PICTURE_MAX_BYTES) return jpeg
    }
    return picture.blur(2).jpeg({ quality: 40, mozjpeg: true }).toBuffer()
  }

  /** Returns the drawing for an address; null if the address has no picture. @throws Refusal 404 for an unknown character */
  async function find(address: string): Promise<Drawing | null> {
    const { pathname, searchParams } = new URL(address, 'http://site.internal')
    const [, chaNum] = CHARACTER_PATH.exec(pathname) ?? []
    if (chaNum !== undefined) return findCharacterDrawing(Number(chaNum))
    const [, kind = '', id = ''] = CARD_PATH.exec(pathname) ?? []
    if (kind !== '') return findCardDrawing(kind, id, searchParams.get('shape') === 'square' ? 'square' : 'wide')
    return pathname === '/share/picture.jpg' ? findFileDrawing(searchParams.get('of') ?? '') : null
  }

  async function drawNow({ version, draw }: Drawing): Promise<Buffer> {
    const picture = await runOneByOne(() => publicQueue(draw))
    await pictureCache
      .write(`${version}.jpg`, picture)
      .catch((error) => log.warn({ err: error }, 'a picture could not be cached'))
    return picture
  }

  /** Draws a picture once for all concurrent requests. */
  function drawOnce(drawing: Drawing): Promise<Buffer> {
    const { version } = drawing
    const jpeg = pendingDrawings.get(version) ?? drawNow(drawing).finally(() => pendingDrawings.delete(version))
    pendingDrawings.set(version, jpeg)
    return jpeg
  }

  /** Draws a picture unless it is stored. @returns whether it was drawn */
  async function prepare(drawing: Drawing): Promise<boolean> {
    if (await pictureCache.has(`${drawing.version}.jpg`)) return false
    await drawOnce(drawing)
    return true
  }

  /**
   * Adds the version to the address of a page's picture, and begins to draw it, because messengers fetch a picture right
   * after its page. A page without a picture gets the default one.
   */
  async function announce(address: string): Promise<string> {
    const isFile = !/^\/(character|share)\//.test(address)
    const path = isFile ? `/share/picture.jpg?of=${encodeURIComponent(address)}` : address
    try {
      const drawing = await find(path)
      if (drawing === null) return DEFAULT_PICTURE
      prepare(drawing).catch((error) => log.debug({ err: error, address }, 'a share picture was not drawn ahead'))
      const url = new URL(path, 'http://site.internal')
      url.searchParams.set('v', drawing.version)
      return url.pathname + url.search
    } catch (error) {
      log.debug({ err: error, address }, 'a page has no share picture')
      return DEFAULT_PICTURE
    }
  }

  /** Requires caches to revalidate a picture at each use, because a name in it can be hidden or left out at any time. */
  async function respond(c: Context) {
    const drawing = await publicQueue(() => find(c.req.url))
    if (drawing === null) throw createNotFound()
    const headers = { ETag: `"${drawing.version}"`, 'Cache-Control': 'public, no-cache' }
    if (c.req.header('If-None-Match')?.includes(headers.ETag)) return c.body(null, 304, headers)
    const picture = (await pictureCache.read(`${drawing.version}.jpg`)) ?? (await drawOnce(drawing))
    return c.body(new Uint8Array(picture), 200, { ...headers, 'Content-Type': 'image/jpeg' })
  }

  const routes = new Hono()
  routes.get('/character/:file{[1-9][0-9]{0,14}\\.jpg}', respond)
  routes.get('/share/picture.jpg', respond)
  routes.get('/share/:kind{[a-z]{1,12}}/:file{[0-9-]{1,9}\\.jpg}', respond)
  return { routes, find, prepare, announce }
}

export type SharePictures = ReturnType<typeof createSharePictures>
