import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OWNER } from '#contract/permissions.ts'
import type { SiteKind } from '#contract/site.ts'
import { assertRefused, findPlayer, type Player } from '#test/account-helpers.ts'
import { newOperator, newRole } from '#test/desk-helpers.ts'
import { createTestApp } from '#test/helpers.ts'

const site = await createTestApp()
const gm = await findPlayer(site, 'gm')
const picture = '/art/share.png'
const file = { url: picture, type: 'image/webp', width: 1200, height: 800 }

/** A valid SHA-256 hash of a download. */
const HASH = '7c41e09b52f6a8d03be97c1145fa60d28e9b3d7715c0f4a6628be1d937a5f016'

type Who = Pick<Player, 'headers'>
const NEW = {
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
const save = (entry: object, by: Who = gm) => site.post('/api/admin/downloads/save', entry, by.headers)
const list = async () => (await site.get('/api/admin/downloads', gm.headers)).json().rows
const made = await save(NEW)
assert.equal(made.status, 200, made.text)
const load = async () => (await list()).find(({ id }: { id: number }) => id === made.json().id)

/** A new entry of each kind, the list of its kind at the desk, and the visible names. */
const KINDS: Record<SiteKind, { list: string; save: string; entry: object; shown: string; name: string }> = {
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
    shown: '/api/getSiteBanners',
    name: 'href',
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
    shown: '/api/getdownloadsall',
    name: 'link_name',
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
        shown: `/api/media/${kind}`,
        name: 'title',
      },
    ]),
  ) as Record<'gallery' | 'wallpaper' | 'movie', never>),
  'club-areas': {
    list: '/api/admin/club-areas',
    save: '/api/admin/club-areas/save',
    entry: { name: 'The pier', club: '', tax_percent: 5, picture: null },
    shown: '/api/club-areas',
    name: 'name',
  },
}

type Row = { id: number; version: number; visible: boolean }
const lastEntry = () => site.db.selectFrom('audit_log').selectAll().orderBy('entry', 'desc').limit(1).executeTakeFirst()

for (const [kind, { list, save, entry, shown }] of Object.entries(KINDS)) {
  const rows = async () => (await gm.get(list)).json().rows as Row[]
  const write = async (values: object) => gm.post(save, { visible: true, ...entry, ...values })
  const countShown = async () => {
    site.cache.clear()
    return (await site.get(shown)).json().data.length as number
  }

  test(`${kind}: adds, hides, moves and deletes an entry`, async () => {
    const [before, seen] = [await rows(), await countShown()]
    const added = await write({ id: null, version: 0 })
    assert.equal(added.status, 200, added.text)
    const { id } = added.json()
    const after = await rows()
    assert.equal(after.length, before.length + 1)
    const row = after.find((one) => one.id === id) as Record<string, unknown>
    for (const [field, value] of Object.entries({ ...entry, version: 1, visible: true }))
      if (field in row && field !== 'files') assert.deepEqual(row[field] ?? '', value ?? '', field)
    assert.equal(await countShown(), seen + 1)
    assert.deepEqual([(await lastEntry())?.target_kind, (await lastEntry())?.target_id], [kind, String(id)])

    assert.equal((await write({ id, version: 1, visible: false })).status, 200)
    assert.equal(await countShown(), seen)
    assert.deepEqual((await lastEntry())?.changes, [{ field: 'visible', before: true, after: false }])

    const ids = (await rows()).map((row) => row.id).reverse()
    assert.equal((await gm.post('/api/admin/site/order', { kind, ids })).status, 200)
    assert.deepEqual(
      (await rows()).map((row) => row.id),
      ids,
    )
    assertRefused(await gm.post('/api/admin/site/order', { kind, ids: ids.slice(1) }), 409)

    assertRefused(await gm.post('/api/admin/site/delete', { kind, id, version: 1 }), 409)
    assert.equal((await gm.post('/api/admin/site/delete', { kind, id, version: 2 })).status, 200)
    assertRefused(await gm.post('/api/admin/site/delete', { kind, id, version: 2 }), 404)
    assert.equal((await rows()).length, before.length)
  })

  test(`${kind}: reports a conflict to one of two operators who change the same entry`, async () => {
    const [row] = await rows()
    assert.ok(row)
    const answers = await Promise.all(
      [true, false].map((visible) => write({ id: row.id, version: row.version, visible })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    assert.equal((await rows()).find(({ id }) => id === row.id)?.version, row.version + 1)
  })
}

test('rejects addresses outside of the site and invalid values, with the field', async () => {
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
    const answer = await save({ ...(await load()), link_description: line })
    assertRefused(answer, 422)
    assert.match(answer.json().message, /64 hexadecimal digits/)
  }
  assert.equal((await save({ ...(await load()), link_description: 'SHA-256:' })).status, 200)
  assert.equal((await save({ ...(await load()), link_description: `sha-256: ${HASH.toUpperCase()}` })).status, 200)
})

test('requires a separate permission to change a download’s address or hash, or to add or show one', async () => {
  const news = await newOperator(site, await newRole(site, 'site.write'))
  const entry = await load()
  for (const change of [
    { link_address: 'https://evil.example/client.zip' },
    { link_description: `SHA-256: ${HASH.replace('7', '8')}` },
    { link_description: '' },
    { ...NEW },
  ]) {
    const answer = await save({ ...entry, ...change }, news)
    assertRefused(answer, 403)
    assert.equal(answer.json().reason, 'no-permission')
  }
  assert.equal((await load()).link_address, NEW.link_address)
  assert.equal((await save({ ...entry, link_name: 'The whole client', visible: false }, news)).status, 200)
  assertRefused(await save({ ...(await load()), visible: true }, news), 403)
})

test('requires a second owner’s approval and a recent confirmation to change what players download', async () => {
  const owner = await newOperator(site, OWNER)
  const entry = await load()
  const changed = { ...entry, link_address: 'https://example.org/client.zip' }
  for (const one of [changed, NEW, { ...entry, visible: true }]) {
    const answer = await save(one)
    assert.equal(answer.status, 202, answer.text)
  }
  assert.equal((await load()).link_address, NEW.link_address)
  const { rows } = (await site.get('/api/admin/approvals?state=waiting', owner.headers)).json()
  const { approval, content_hash } = rows.find(({ summary }: { summary: string }) => summary.includes('example.org'))
  const decision = { approval, content_hash, decision: 'approve', note: '' }
  const decided = await site.post('/api/admin/approvals/decide', decision, owner.headers)
  assert.equal(decided.status, 200, decided.text)
  assert.equal((await load()).link_address, changed.link_address)

  await site.db.updateTable('sessions').set({ confirmed_at: null }).where('user_num', '=', gm.user.UserNum).execute()
  const late = await save({ ...(await load()), link_address: 'https://example.com/client.zip' })
  assertRefused(late, 403)
  assert.equal(late.json().reason, 'sudo')
})
