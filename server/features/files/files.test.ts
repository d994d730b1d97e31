import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { DAY_MS } from '#contract/durations.ts'
import { CAPTIONS_MAX_BYTES, CAPTIONS_RULE, PICTURE_MAX_BYTES, PICTURE_USES } from '#contract/files.ts'
import { openPlayerSession } from '#test/account-helpers.ts'
import { createTestApp, listenOnPort } from '#test/helpers.ts'
import { createFile, createForm, sendForm } from '#test/ticket-helpers.ts'
import { encodePicture } from './pictures.ts'
import { readStoredFileSize, storePictures, sweepFiles } from './store.ts'

const site = await createTestApp()
const { db } = site

/** Draws a picture whose left half is red and whose right half is blue. */
async function drawPicture(width: number, height: number, orientation = 1): Promise<File> {
  const leftHalf = { create: { width: Math.ceil(width / 2), height, channels: 3 as const, background: '#f00' } }
  const png = await sharp({ create: { width, height, channels: 3, background: '#00f' } })
    .composite([{ input: leftHalf, left: 0, top: 0 }])
    .withMetadata({ orientation })
    .png()
    .toBuffer()
  return new File([new Uint8Array(png)], 'drawn.png')
}

const getSizes = (pictures: { width: number; height: number; type: string }[]) =>
  pictures.map(({ width, height, type }) => `${width}x${height} ${type.slice(6)}`)

test('encodes a picture in every size, cropped to its shape and never enlarged', async () => {
  const listSizes = async (file: File, use: keyof typeof PICTURE_USES) =>
    getSizes(await encodePicture(file, { field: 'picture', ...PICTURE_USES[use] }))
  assert.deepEqual(await listSizes(await drawPicture(3000, 2400), 'wallpaper-wide'), [
    '2560x1440 jpeg',
    '1920x1080 jpeg',
    '960x540 webp',
    '480x270 webp',
  ])
  assert.deepEqual(await listSizes(await drawPicture(1000, 1000), 'gallery'), ['1000x667 webp', '480x320 webp'])
  assert.deepEqual(await listSizes(await drawPicture(300, 300), 'banner'), ['300x102 webp'])
  assert.deepEqual(await listSizes(await drawPicture(40, 30), 'item-icon'), ['40x30 webp'])
  assert.deepEqual(await listSizes(await drawPicture(2400, 600), 'news-text'), ['1200x300 webp'])
})

test('encodes the chosen part of a picture, even of a rotated one', async () => {
  const rightHalf = { left: 0.5, top: 0, width: 0.5, height: 1 }
  const readColor = async (file: File) => {
    const [picture] = await encodePicture(file, { field: 'picture', ...PICTURE_USES['item-picture'], crop: rightHalf })
    assert.ok(picture)
    const { channels } = await sharp(picture.content).stats()
    return [`${picture.width}x${picture.height}`, channels.map(({ mean }) => Math.round(mean / 64))]
  }
  assert.deepEqual(await readColor(await drawPicture(200, 100)), ['100x100', [0, 0, 4]])
  // Turned by 180 degrees, red is on the right.
  assert.deepEqual(await readColor(await drawPicture(200, 100, 3)), ['100x100', [4, 0, 0]])
})

test('serves a stored picture permanently under its hash, and 404 for any other address', async () => {
  const pictures = await encodePicture(await drawPicture(600, 400), { field: 'picture', ...PICTURE_USES.news })
  const storedFiles = await storePictures(db, pictures, 'site', site.now())
  assert.deepEqual(await storePictures(db, pictures, 'site', site.now()), storedFiles)
  const request = await listenOnPort(site)
  for (const [index, { url, width }] of storedFiles.entries()) {
    assert.match(url, /^\/files\/[0-9a-f]{64}\.webp$/)
    for (let times = 0; times < 2; times++) {
      const { status, headers, body } = await request(url)
      assert.equal(status, 200)
      assert.deepEqual(body, pictures[index]?.content)
      assert.equal((await sharp(body).metadata()).width, width)
      assert.partialDeepStrictEqual(headers, {
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-length': String(body.length),
      })
    }
    const head = await request(url, {}, 'HEAD')
    assert.deepEqual([head.status, head.body.length], [200, 0])
    assert.equal(await readStoredFileSize(db, url), pictures[index]?.content.length)
  }
  for (const path of [`/files/${'0'.repeat(64)}.webp`, '/files/1.webp', '/files/../package.json'])
    assert.equal((await request(path)).status, 404, path)
})

test('deletes a picture 30 days after its upload if no page shows it', async () => {
  await db.deleteFrom('files').execute()
  const storePicture = async (width: number) => {
    const pictures = await encodePicture(await drawPicture(width, 300), {
      field: 'picture',
      ...PICTURE_USES['item-icon'],
    })
    const [storedFile] = await storePictures(db, pictures, 'site', site.now())
    assert.ok(storedFile)
    return storedFile.url
  }
  const [unusedUrl, columnUrl, textUrl, settingUrl] = [
    await storePicture(40),
    await storePicture(60),
    await storePicture(80),
    await storePicture(100),
  ]
  await db.insertInto('club_areas').values({ name: 'Rooftop', picture: columnUrl }).execute()
  const news = { subject: 'Hello', type: 0 as const, author: 'gm', content: `<p><img src="${textUrl}"></p>` }
  await db.insertInto('news').values(news).execute()
  const value = JSON.stringify([{ picture: settingUrl }])
  await db.insertInto('settings').values({ name: 'another', value, changed_at: site.now() }).execute()
  const selectHashes = async () =>
    (await db.selectFrom('files').select('hash').execute()).map(({ hash }) => hash).sort()
  const hashes = [unusedUrl, columnUrl, textUrl, settingUrl].map((url) => /[0-9a-f]{64}/.exec(url)?.[0] ?? '').sort()

  await sweepFiles(db, new Date(site.now().getTime() + 29 * DAY_MS))
  assert.deepEqual(await selectHashes(), hashes)
  await sweepFiles(db, new Date(site.now().getTime() + 31 * DAY_MS))
  assert.deepEqual(
    await selectHashes(),
    hashes.filter((hash) => !unusedUrl.includes(hash)),
  )
})

test('staff can upload a part of a picture; the upload is one entry in the audit log', async () => {
  const gm = await openPlayerSession(site, 'gm')
  const upload = (fields: Parameters<typeof createForm>[0], headers = gm.headers) =>
    sendForm(site, '/api/admin/files', createForm(fields), headers)
  const selectEntries = () => db.selectFrom('audit_log').where('target_kind', '=', 'file').selectAll().execute()
  const answer = await upload({ picture: await drawPicture(400, 200), use: 'ribbon', left: '0.5', width: '0.5' })
  assert.equal(answer.status, 200, answer.text)
  const [file] = answer.json().files
  assert.deepEqual([file.width, file.height], [44, 44])
  assert.equal((await site.get(file.url)).status, 200)
  assert.equal((await selectEntries()).length, 1)

  const picture = await drawPicture(40, 20)
  for (const [fields, status] of [
    [{ picture, use: 'nothing' }, 422],
    [{ use: 'news' }, 422],
    [{ picture: 'text', use: 'news' }, 422],
    [{ picture, use: 'news', left: '0.8', width: '0.5' }, 422],
    [{ picture, use: 'news', left: '-1' }, 422],
    [{ picture: createFile('cat.png', 'meow'), use: 'news' }, 422],
    [{ picture: createFile('none.png', ''), use: 'news' }, 422],
    [{ picture: createFile('large.png', Buffer.alloc(PICTURE_MAX_BYTES + 1)), use: 'news' }, 413],
  ] as const) {
    const response = await upload(fields)
    assert.equal(response.status, status, response.text)
    assert.ok(Object.keys(response.json()['form-error']).length > 0)
  }
  const juan = await openPlayerSession(site, 'juan')
  assert.equal((await upload({ picture, use: 'news' }, juan.headers)).status, 403)
  assert.equal((await upload({ picture, use: 'news' }, { ...gm.headers, Authorization: '' })).status, 401)
  assert.equal((await selectEntries()).length, 1)
})

test('accepts captions of a film only as WebVTT', async () => {
  const gm = await openPlayerSession(site, 'gm')
  const upload = (captions: File | string) =>
    sendForm(site, '/api/admin/captions', createForm({ captions }), gm.headers)
  const vtt = 'WEBVTT\n\n00:00.000 --> 00:02.500\nMabuhay, bayani! ñ ₱\n'
  const answer = await upload(createFile('en.vtt', vtt))
  assert.equal(answer.status, 200, answer.text)
  const { url } = answer.json()
  assert.match(url, /^\/files\/[0-9a-f]{64}\.vtt$/)
  const response = await site.get(url)
  assert.equal(response.text, vtt)
  assert.equal(response.headers.get('content-type'), 'text/vtt')
  for (const badFile of [
    'text',
    createFile('none.vtt', ''),
    createFile('subtitles.srt', '1\n00:00:00,000 --> 00:00:02,500\nHello\n'),
    createFile('no-times.vtt', 'WEBVTT\n\nHello\n'),
    createFile('page.vtt', '<script>alert(1)</script>'),
    createFile('binary.vtt', Buffer.concat([Buffer.from(vtt), Buffer.from([0xff, 0xfe])])),
    createFile('large.vtt', `${vtt}${'x'.repeat(CAPTIONS_MAX_BYTES)}`),
  ]) {
    const response = await upload(badFile)
    assert.equal(response.status, 422, response.text)
    assert.deepEqual(response.json()['form-error'], { captions: [CAPTIONS_RULE] })
  }
})
