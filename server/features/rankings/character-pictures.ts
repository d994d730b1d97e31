import { join } from 'node:path'
import { Hono } from 'hono'
import { SHARE_PICTURE_CACHE_MS, SHARE_PICTURES_MAX_BYTES } from '#contract/limits.ts'
import { createQueue } from '#server/concurrency.ts'
import type { Deps } from '#server/deps.ts'
import { siteBusy } from '#server/errors.ts'
import { createPictureCache } from '#server/picture-cache.ts'
import { readSiteFile } from '../files/store.ts'
import { readShown } from './characters.ts'
import { drawCharacter, getPictureVersion, type Shown } from './draw-character.ts'

/**
 * Serves the pictures that messengers show for the pages of characters, at `/character/{ChaNum}.jpg` (RANK-17). A
 * picture is drawn at the first request and stored under a name from its content, so no made-up address costs a
 * drawing: an unknown number is a 404, and parameters change nothing. One is drawn at a time, as public work.
 */
export function characterPictures(deps: Deps) {
  const { browseDb, publicQueue, now, log, config } = deps
  const pictureCache = createPictureCache(join(config.dataDir, 'pictures'), {
    maxBytes: SHARE_PICTURES_MAX_BYTES,
    maxAgeMs: SHARE_PICTURE_CACHE_MS,
    now,
  })
  const runOneByOne = createQueue({ concurrency: 1, maxWaiting: 20, maxWaitMs: 5000, createFullError: siteBusy })
  const drawn = new Map<string, Promise<Buffer>>()

  const read = (url: string) => readSiteFile({ ...deps, db: browseDb }, url)

  async function draw(name: string, shown: Shown): Promise<Buffer> {
    const picture = await runOneByOne(() => publicQueue(() => drawCharacter(shown, read)))
    await pictureCache.write(name, picture).catch((error) => log.warn({ err: error }, 'a picture could not be cached'))
    return picture
  }

  /** Draws a picture once for all who ask for it at the same time. */
  function drawOnce(name: string, shown: Shown): Promise<Buffer> {
    const running = drawn.get(name) ?? draw(name, shown).finally(() => drawn.delete(name))
    drawn.set(name, running)
    return running
  }

  const pictures = new Hono()
  pictures.get('/character/:file{[1-9][0-9]{0,14}\\.jpg}', async (c) => {
    const chaNum = Number.parseInt(c.req.param('file'), 10)
    const shown = await publicQueue(() => readShown({ ...deps, db: browseDb }, chaNum))
    const version = getPictureVersion(shown)
    const headers = { ETag: `"${version}"`, 'Cache-Control': 'public, max-age=3600' }
    if (c.req.header('If-None-Match')?.includes(headers.ETag)) return c.body(null, 304, headers)
    const name = `${version}.jpg`
    const picture = (await pictureCache.read(name)) ?? (await drawOnce(name, shown))
    return c.body(new Uint8Array(picture), 200, { ...headers, 'Content-Type': 'image/jpeg' })
  })
  return pictures
}
