import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Media, MediaKind } from '#contract/media.ts'
import { updateRows } from '#test/factories.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp({ world: 'demo' })

/** The maximum size of a film of the demo world, because players pay for mobile data. */
const MOVIE_MAX_BYTES = 620_000

const listMedia = async (kind: string): Promise<Media[]> => {
  const answer = await site.get(`/api/media/${kind}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json().data
}

test('returns each kind separately, in the operators’ order, with exactly its fields', async () => {
  for (const kind of ['gallery', 'wallpaper', 'movie'] satisfies MediaKind[]) {
    const rows = await site.db.selectFrom('media').where('kind', '=', kind).select(['id', 'position']).execute()
    const data = await listMedia(kind)
    assert.deepEqual(
      data.map(({ id }) => id),
      rows.sort((a, b) => a.position - b.position || a.id - b.id).map(({ id }) => id),
    )
    for (const entry of data) {
      assert.deepEqual(Object.keys(entry), [
        'id',
        'title',
        'description',
        'alt',
        'credit',
        'created_at',
        'picture',
        'previews',
        'files',
        'captions',
        'seconds',
      ])
      assert.ok(entry.title && entry.alt && entry.credit && entry.previews.length > 0, entry.title)
    }
  }
})

test('the demo world has ten pictures, wallpapers for each screen and films with captions', async () => {
  assert.ok((await listMedia('gallery')).length >= 10)
  for (const { files } of await listMedia('wallpaper')) {
    assert.deepEqual(
      files.map(({ width, height }) => `${width}x${height}`),
      ['1920x1080', '2560x1440', '1080x2400'],
    )
  }
  const movies = await listMedia('movie')
  assert.ok(movies.length >= 2)
  for (const { captions, files, seconds } of movies) {
    assert.ok(captions.length > 0 && seconds !== null && seconds > 5)
    assert.deepEqual(
      files.map(({ type }) => type),
      ['video/webm', 'video/mp4'],
    )
    for (const { url } of captions) await stat(join(import.meta.dirname, '../../../web/public', url))
    for (const { url } of files) {
      const { size } = await stat(join(import.meta.dirname, '../../../web/public', url))
      assert.ok(size < MOVIE_MAX_BYTES, `${url} is ${size} bytes`)
    }
  }
})

test('orders entries by position, and omits hidden ones', async () => {
  const listBefore = await listMedia('gallery')
  await updateRows(site.db, 'media', { id: listBefore[0]?.id ?? 0 }, { visible: false })
  await updateRows(site.db, 'media', { id: listBefore[4]?.id ?? 0 }, { position: -1 })
  site.cache.clear()
  const listAfter = await listMedia('gallery')
  assert.equal(listAfter.length, listBefore.length - 1)
  assert.equal(listAfter[0]?.id, listBefore[4]?.id)
  assert.ok(listAfter.every(({ id }) => id !== listBefore[0]?.id))
})

test('returns no size for a file on another site or outside of the public folders', async () => {
  const files = ['https://example.com/a.jpg', '/art/../../../package.json', '/art/nothing-here.jpg'].map((url) => ({
    url,
    type: 'image/jpeg',
    width: 10,
    height: 10,
  }))
  const [wallpaper] = await listMedia('wallpaper')
  await updateRows(site.db, 'media', { id: wallpaper?.id ?? 0 }, { files: JSON.stringify(files) })
  site.cache.clear()
  const [changedWallpaper] = await listMedia('wallpaper')
  assert.deepEqual(
    changedWallpaper?.files.map(({ bytes }) => bytes),
    [null, null, null],
  )
})

test('returns empty lists of files for an entry that has only a picture', async () => {
  const { id } = await site.db
    .insertInto('media')
    .values({ kind: 'gallery', position: 999, title: 'Isa pa', picture: '/art/share.png', created_at: site.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  site.cache.clear()
  const entry = (await listMedia('gallery')).at(-1)
  assert.deepEqual([entry?.id, entry?.previews, entry?.files, entry?.captions, entry?.seconds], [id, [], [], [], null])
})

test('refuses an unknown kind with a message, and the OpenAPI document lists the kinds', async () => {
  const { status, json } = await site.get('/api/media/podcasts')
  assert.equal(status, 422)
  assert.equal(json().error, 'Kind must be gallery, wallpaper or movie.')
  const { paths } = (await site.get('/api/openapi.json')).json()
  assert.deepEqual(paths['/media/{kind}'].get.parameters[0].schema.enum, ['gallery', 'wallpaper', 'movie'])
})

test('answers 304 to a request with the ETag of the list', async () => {
  const { headers } = await site.get('/api/media/movie')
  const etag = headers.get('etag') ?? ''
  assert.match(etag, /^W\/"/)
  const cachedResponse = await site.get('/api/media/movie', { 'If-None-Match': etag })
  assert.deepEqual([cachedResponse.status, cachedResponse.text], [304, ''])
})
