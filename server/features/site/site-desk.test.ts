import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OWNER } from '#contract/permissions.ts'
import type { SiteKind } from '#contract/site.ts'
import { assertRefused, openPlayerSession, type Player } from '#test/account-helpers.ts'
import { createOperator, createRole } from '#test/desk-helpers.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp()
const gm = await openPlayerSession(site, 'gm')
const picture = '/art/share.png'
const file = { url: picture, type: 'image/webp', width: 1200, height: 800 }

/** A valid SHA-256 hash of a download. */
const HASH = '7c41e09b52f6a8d03be97c1145fa60d28e9b3d7715c0f4a6628be1d937a5f016'

type Operator = Pick<Player, 'headers'>
const NEW_DOWNLOAD = {
  id: null,
  version: 0,
  visible: true,
  link_name: 'Full client',
  link_address: 'https://example.net/client.zip',
  link_type: 'full',
  link_description: `From Manila.\nSHA-256: ${HASH}`,
  link_date: '2026-11-20T00:00:00.000Z',
  link_icon: 'download',
  link_version: '1.42',
  link_size: '2.9 GB',
  link_changes: '',
}
const saveDownload = (entry: object, operator: Operator = gm) =>
  site.post('/api/admin/downloads/save', entry, operator.headers)
const listDownloads = async () => (await site.get('/api/admin/downloads', gm.headers)).json().rows
const createdDownload = await saveDownload(NEW_DOWNLOAD)
assert.equal(createdDownload.status, 200, createdDownload.text)
const loadDownload = async () =>
  (await listDownloads()).find(({ id }: { id: number }) => id === createdDownload.json().id)

/** The paths of each kind at the desk, a new entry, and the path of the public list. */
const KINDS: Record<SiteKind, { list: string; save: string; entry: object; publicList: string }> = {
  banners: {
    list: '/api/admin/banners',
    save: '/api/admin/banners/save',
    entry: {
      first_line: 'Rainy',
      second_line: 'week',
      line: 'Double drops.',
      tag: '',
      href: '/news',
      picture,
      picture_phone: null,
      shown_from: null,
      shown_until: null,
    },
    publicList: '/api/getSiteBanners',
  },
  downloads: {
    list: '/api/admin/downloads',
    save: '/api/admin/downloads/save',
    entry: {
      link_name: 'Mirror 2',
      link_address: 'https://example.net/client.zip',
      link_type: 'mirror',
      link_description: '',
      link_date: '2026-11-20T00:00:00.000Z',
      link_icon: 'mirror',
      link_version: '1.42',
      link_size: '2.9 GB',
      link_changes: 'Doors open faster.\nThe bell rings at eight.',
    },
    publicList: '/api/getdownloadsall',
  },
  ...(Object.fromEntries(
    (['gallery', 'wallpaper', 'movie'] as const).map((kind) => [
      kind,
      {
        list: `/api/admin/media?kind=${kind}`,
        save: '/api/admin/media/save',
        entry: {
          kind,
          title: 'On the roof',
          description: '',
          alt: 'Two students on a roof',
          credit: '',
          previews: [file],
          files: kind === 'wallpaper' ? [file] : [],
          films: kind === 'movie' ? 'https://example.net/film.webm' : '',
          captions: [],
          seconds: kind === 'movie' ? 20 : null,
        },
        publicList: `/api/media/${kind}`,
      },
    ]),
  ) as Record<'gallery' | 'wallpaper' | 'movie', never>),
  'club-areas': {
    list: '/api/admin/club-areas',
    save: '/api/admin/club-areas/save',
    entry: { name: 'The pier', club: '', tax_percent: 5, picture: null },
    publicList: '/api/club-areas',
  },
}

type Row = { id: number; version: number; visible: boolean }
const readLastAuditEntry = () =>
  site.db.selectFrom('audit_log').selectAll().orderBy('entry', 'desc').limit(1).executeTakeFirst()

for (const [kind, { list, save, entry, publicList }] of Object.entries(KINDS)) {
  const readRows = async () => (await gm.get(list)).json().rows as Row[]
  const saveEntry = async (values: object) => gm.post(save, { visible: true, ...entry, ...values })
  const countVisible = async () => {
    site.cache.clear()
    return (await site.get(publicList)).json().data.length as number
  }

  test(`${kind}: adds, hides, moves and deletes an entry`, async () => {
    const [rowsBefore, countBefore] = [await readRows(), await countVisible()]
    const response = await saveEntry({ id: null, version: 0 })
    assert.equal(response.status, 200, response.text)
    const { id } = response.json()
    const rowsAfter = await readRows()
    assert.equal(rowsAfter.length, rowsBefore.length + 1)
    const row = rowsAfter.find((otherRow) => otherRow.id === id) as Record<string, unknown>
    for (const [field, value] of Object.entries({ ...entry, version: 1, visible: true }))
      if (field in row && field !== 'files') assert.deepEqual(row[field] ?? '', value ?? '', field)
    assert.equal(await countVisible(), countBefore + 1)
    assert.deepEqual(
      [(await readLastAuditEntry())?.target_kind, (await readLastAuditEntry())?.target_id],
      [kind, String(id)],
    )

    assert.equal((await saveEntry({ id, version: 1, visible: false })).status, 200)
    assert.equal(await countVisible(), countBefore)
    assert.deepEqual((await readLastAuditEntry())?.changes, [{ field: 'visible', before: true, after: false }])

    const ids = (await readRows()).map((row) => row.id).reverse()
    assert.equal((await gm.post('/api/admin/site/order', { kind, ids })).status, 200)
    assert.deepEqual(
      (await readRows()).map((row) => row.id),
      ids,
    )
    assertRefused(await gm.post('/api/admin/site/order', { kind, ids: ids.slice(1) }), 409)

    assertRefused(await gm.post('/api/admin/site/delete', { kind, id, version: 1 }), 409)
    assert.equal((await gm.post('/api/admin/site/delete', { kind, id, version: 2 })).status, 200)
    assertRefused(await gm.post('/api/admin/site/delete', { kind, id, version: 2 }), 404)
    assert.equal((await readRows()).length, rowsBefore.length)
  })

  test(`${kind}: reports a conflict to one of two operators who change the same entry`, async () => {
    const [row] = await readRows()
    assert.ok(row)
    const answers = await Promise.all(
      [true, false].map((visible) => saveEntry({ id: row.id, version: row.version, visible })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    assert.equal((await readRows()).find(({ id }) => id === row.id)?.version, row.version + 1)
  })
}

test('refuses addresses outside of the site and invalid values, and names the field', async () => {
  const banner = { id: null, version: 0, visible: true, ...KINDS.banners.entry }
  for (const [field, value] of [
    ['href', 'javascript:alert(1)'],
    ['href', '//evil.example'],
    ['picture', 'https://evil.example/a.png'],
    ['first_line', ''],
    ['second_line', 'x'.repeat(25)],
    ['shown_until', 'tomorrow'],
  ] as const) {
    const answer = await gm.post('/api/admin/banners/save', { ...banner, [field]: value })
    assertRefused(answer, 422)
    assert.ok(
      Object.keys(answer.json()['form-error']).some((name) => name.startsWith(field)),
      answer.text,
    )
  }
  const times = { shown_from: '2026-11-21T00:00:00Z', shown_until: '2026-11-20T00:00:00Z' }
  assertRefused(await gm.post('/api/admin/banners/save', { ...banner, ...times }), 422)
})

test('shows a planned banner between its times', async () => {
  const at = (ms: number) => new Date(site.now().getTime() + ms).toISOString()
  const { id } = (
    await gm.post('/api/admin/banners/save', {
      id: null,
      version: 0,
      visible: true,
      ...KINDS.banners.entry,
      shown_from: at(60_000),
      shown_until: at(120_000),
    })
  ).json()
  const isShown = async () => {
    site.cache.clear()
    return (await site.get('/api/getSiteBanners')).json().data.some((row: Row) => row.id === id)
  }
  assert.equal(await isShown(), false)
  site.clock.advance(60_000)
  assert.equal(await isShown(), true)
  site.clock.advance(60_000)
  assert.equal(await isShown(), false)
})

test('accepts a hash with the number of hexadecimal digits of its kind, or none', async () => {
  for (const line of ['SHA-256: abc', `sha256: ${HASH}0`, `SHA-256: ${HASH.replace('7', 'x')}`, 'MD5: abc']) {
    const answer = await saveDownload({ ...(await loadDownload()), link_description: line })
    assertRefused(answer, 422)
    assert.match(answer.json().message, /64 hexadecimal digits/)
  }
  assert.equal((await saveDownload({ ...(await loadDownload()), link_description: 'SHA-256:' })).status, 200)
  assert.equal(
    (await saveDownload({ ...(await loadDownload()), link_description: `sha-256: ${HASH.toUpperCase()}` })).status,
    200,
  )
})

test('requires a separate permission to add or show a download, or change its address or hash', async () => {
  const siteWriter = await createOperator(site, await createRole(site, 'site.write'))
  const entry = await loadDownload()
  for (const change of [
    { link_address: 'https://evil.example/client.zip' },
    { link_description: `SHA-256: ${HASH.replace('7', '8')}` },
    { link_description: '' },
    { ...NEW_DOWNLOAD },
  ]) {
    const answer = await saveDownload({ ...entry, ...change }, siteWriter)
    assertRefused(answer, 403)
    assert.equal(answer.json().reason, 'no-permission')
  }
  assert.equal((await loadDownload()).link_address, NEW_DOWNLOAD.link_address)
  assert.equal(
    (await saveDownload({ ...entry, link_name: 'The whole client', visible: false }, siteWriter)).status,
    200,
  )
  assertRefused(await saveDownload({ ...(await loadDownload()), visible: true }, siteWriter), 403)
})

test('requires another owner’s approval and a recent confirmation to change downloads', async () => {
  const owner = await createOperator(site, OWNER)
  const entry = await loadDownload()
  const changedEntry = { ...entry, link_address: 'https://example.org/client.zip' }
  for (const entryToSave of [changedEntry, NEW_DOWNLOAD, { ...entry, visible: true }]) {
    const answer = await saveDownload(entryToSave)
    assert.equal(answer.status, 202, answer.text)
  }
  assert.equal((await loadDownload()).link_address, NEW_DOWNLOAD.link_address)
  const { rows } = (await site.get('/api/admin/approvals?state=waiting', owner.headers)).json()
  const { approval, content_hash } = rows.find(({ summary }: { summary: string }) => summary.includes('example.org'))
  const decision = { approval, content_hash, decision: 'approve', note: '' }
  const approvalResponse = await site.post('/api/admin/approvals/decide', decision, owner.headers)
  assert.equal(approvalResponse.status, 200, approvalResponse.text)
  assert.equal((await loadDownload()).link_address, changedEntry.link_address)

  await site.db.updateTable('sessions').set({ confirmed_at: null }).where('user_num', '=', gm.user.UserNum).execute()
  const refusedResponse = await saveDownload({
    ...(await loadDownload()),
    link_address: 'https://example.com/client.zip',
  })
  assertRefused(refusedResponse, 403)
  assert.equal(refusedResponse.json().reason, 'sudo')
})
