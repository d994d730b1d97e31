import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { CHANCES_SUM } from '#contract/capsules.ts'
import { DAY_MS } from '#contract/durations.ts'
import { formatCallName } from '#contract/endpoint.ts'
import { OWNER } from '#contract/permissions.ts'
import { VOTE_LISTS } from '#contract/vote-lists.ts'
import { CALLS } from '#server/api.ts'
import { grantRole } from '#server/features/staff/members.ts'
import { insertCampaign } from '#server/features/vouchers/codes.ts'
import { sealSecret } from '#server/site-key.ts'
import { assertRefused, createPlayer, openPlayerSession } from '#test/account-helpers.ts'
import { TEST_KEY } from '#test/databases.ts'
import { createOperator, createRole } from '#test/desk-helpers.ts'
import { addAuthenticatorApp } from '#test/factor-helpers.ts'
import {
  insertAccount,
  insertCharacter,
  insertLeague,
  insertRows,
  insertTournament,
  updateRows,
} from '#test/factories.ts'
import { changeSettings, createTestApp } from '#test/helpers.ts'
import { createBuyer, insertItem, R_COIN } from '#test/money-helpers.ts'

const site = await createTestApp({ env: { RATE_LIMIT: 'off' } })
const { db, clock } = site
// The history of prices uses the clock of the database.
clock.set(new Date())
const gm = await openPlayerSession(site, 'gm')
const approver = await createOperator(site, OWNER)
await changeSettings(site, { approval_limit: 1 })

let counter = 0

/** Returns a function that changes a user ID. */
const prepareRename = (userNum: number) => async () => {
  await db
    .updateTable('accounts')
    .set({ user_id: `renamed_${userNum}` })
    .where('user_num', '=', userNum)
    .execute()
}

/** Creates a unit that a player bought more than a week ago. */
async function buyUnit() {
  const item = await insertItem(db, { item_name: 'Salakot', price: 300, section: R_COIN })
  const buyer = await createBuyer(site, { rCoin: 1000 })
  // The session begins at TEST_NOW, but this test's clock has the real time.
  await updateRows(
    db,
    'sessions',
    { user_num: buyer.userNum },
    { last_seen_at: clock.now(), ends_at: new Date(clock.now().getTime() + DAY_MS) },
  )
  await buyer.add(item)
  assert.equal((await buyer.buyCart()).status, 200)
  await updateRows(
    db,
    'purchases',
    { user_num: buyer.userNum },
    { created_at: new Date(clock.now().getTime() - 8 * DAY_MS) },
  )
  const { delivery } = await db
    .selectFrom('deliveries')
    .where('user_num', '=', buyer.userNum)
    .select('delivery')
    .executeTakeFirstOrThrow()
  return { userNum: buyer.userNum, delivery }
}

/** Creates a streamer's code, and returns it with a function that changes the streamer's name. */
async function createStreamer() {
  const code = `LIVE${++counter}`
  await db.insertInto('referral_codes').values({ code, streamer: 'Nena' }).execute()
  return {
    code,
    change: () => db.updateTable('referral_codes').set({ streamer: 'Mallory' }).where('code', '=', code).execute(),
  }
}

const createTournament = (state: 'drawn' | 'finalised') =>
  insertTournament(db, { state, now: clock.now(), resultBy: approver.user.UserNum, finalisedBy: gm.user.UserNum })

const insertBridge = () =>
  db
    .insertInto('bridges')
    .values({ name: 'Test', sign_key: `sign ${++counter}`, seal_key: 'seal', paired_at: clock.now() })
    .returning('bridge')
    .executeTakeFirstOrThrow()

/** Inserts a mail server that an operator has tested. */
const insertMailServer = () =>
  db
    .insertInto('mail_servers')
    .values({
      host: `smtp${++counter}.example.ph`,
      port: 465,
      login: '',
      sealed: null,
      sender: 'site@example.ph',
      tried_at: clock.now(),
      tried_by: gm.user.UserNum,
      said: '250 OK',
    })
    .returning('server')
    .executeTakeFirstOrThrow()

/** Creates a page whose draft, or whose version before the published one, links to another site. */
async function createLinkedPage(linksInEarlierVersion: boolean): Promise<Case> {
  const address = `linked-${++counter}`
  const name = `page-${address}`
  const createdPage = (await gm.post('/api/admin/documents/create', { title: 'Linked', address })).json().item
  assert.ok('text' in createdPage.text)
  const text = { ...createdPage.text, text: '<p><a href="https://example.org/client.zip">Client</a></p>' }
  const published = JSON.stringify(linksInEarlierVersion ? createdPage.text : text)
  await updateRows(
    db,
    'documents',
    { name },
    linksInEarlierVersion ? { published, draft: published } : { draft: published },
  )
  if (linksInEarlierVersion)
    for (const content of [text, createdPage.text])
      await insertRows(db, 'document_revisions', {
        document: name,
        kind: 'published',
        content: JSON.stringify(content),
        saved_at: clock.now(),
        saved_by: gm.user.UserNum,
      })
  const { version } = (await gm.get(`/api/admin/documents/${name}`)).json()
  const change = () => updateRows(db, 'documents', { name }, { version: version + 1 })
  return { body: { name, version }, change, hasVersion: true }
}

/** Returns a function that grants a role to an account. */
const prepareRoleGrant = (userNum: number) => () =>
  db.transaction().execute((tx) => grantRole(tx, { userNum, role: 'news', grantedBy: null, now: clock.now() }))

/** Creates a member of the staff, and returns them with a function that changes their user ID. */
async function createColleague() {
  const { user, form } = await createOperator(site, 'support')
  return { user_num: user.UserNum, email: form.userEmail, change: prepareRename(user.UserNum) }
}

const setPrice = (product_num: number, price: number) =>
  db.updateTable('shop_items').set({ price }).where('product_num', '=', product_num).execute()

/** Creates an item that costs 1,000, and returns functions that load it and change its price. */
async function createItem() {
  const product_num = await insertItem(db, { item_name: `Salakot ${++counter}`, price: 1000, section: R_COIN })
  const loadItem = async () => (await gm.get(`/api/admin/items/${product_num}`)).json().item
  return { product_num, loadItem, change: () => setPrice(product_num, 999) }
}

/** Inserts earlier irreversible calls of gm today, to reach the limit. */
const reachLimit = (target_kind: string, count: number) =>
  insertRows(
    db,
    'staff_irreversible',
    Array.from({ length: count }, (_, index) => {
      return { actor: gm.user.UserNum, target_kind, target_id: `other ${index}`, at: clock.now() }
    }),
  )

/** Creates a campaign with a code, and returns them with a function that changes the campaign's name. */
async function createCampaign() {
  await reachLimit('campaign', 1)
  const terms = { name: 'Fiesta', expiresAt: null, perAccount: null, inTotal: null, streamer: null }
  const code = `CODE-${++counter}`
  const maker = { now: clock.now(), madeBy: null }
  const campaign = await insertCampaign(db, { ...terms, rCoin: 1, milleage: 0 }, [code], maker)
  const change = () => updateRows(db, 'voucher_campaigns', { id: campaign }, { name: 'Another' })
  return { campaign, code, change }
}

type Case = {
  body: Record<string, unknown> | FormData
  /** Changes the data between the request and its approval. */
  change: () => Promise<unknown>
  /** Whether the call's input contains a version, so the call itself refuses the changed object. */
  hasVersion?: true
}

/** One case for each approvable call. */
const CASES: Record<string, () => Promise<Case>> = {
  'POST /admin/players/{player}/money': async () => {
    const player = await insertAccount(db)
    const body = { player, currency: 'rCoin', direction: 'give', amount: 500, reason: 'A present' }
    return { body, change: prepareRename(player) }
  },
  'POST /admin/orders/refund': async () => {
    const { userNum, delivery } = await buyUnit()
    return { body: { units: [delivery], reason: 'By mistake' }, change: prepareRename(userNum) }
  },
  'POST /admin/orders/refund-picked-up': async () => {
    const { userNum, delivery } = await buyUnit()
    await updateRows(db, 'deliveries', { delivery }, { state: 'claimed' })
    return { body: { unit: delivery, reason: 'Not as described' }, change: prepareRename(userNum) }
  },
  'POST /admin/orders/force-refund': async () => {
    const { userNum, delivery } = await buyUnit()
    await updateRows(db, 'deliveries', { delivery }, { handed_at: clock.now(), refund_requested_at: clock.now() })
    return { body: { units: [delivery], reason: 'The bridge is lost' }, change: prepareRename(userNum) }
  },
  'POST /admin/orders/redirect': async () => {
    const { delivery } = await buyUnit()
    const target = await insertAccount(db, { user_id: `target_${++counter}` })
    const body = { units: [delivery], user_id: `target_${counter}`, reason: 'Their new account' }
    // Another player has this user ID by the time of the approval.
    const change = async () => {
      await prepareRename(target)()
      await insertAccount(db, { user_id: body.user_id, user_email: `other_${target}@example.com` })
    }
    return { body, change }
  },
  'POST /admin/vouchers': async () => {
    const { code, change } = await createStreamer()
    const terms = { name: 'Fiesta', expires: '', per_account: null, in_total: null, streamer: code }
    return { body: { ...terms, count: 2, r_coin: 500, milleage: 0 }, change }
  },
  'POST /admin/vouchers/{campaign}/change': async () => {
    const { code, change } = await createStreamer()
    await changeSettings(site, { approval_limit: 100_000 })
    const terms = { name: 'Fiesta', expires: '', per_account: null, in_total: 1, streamer: code }
    const mintResponse = await gm.post('/api/admin/vouchers', { ...terms, count: 2, r_coin: 500, milleage: 0 })
    assert.equal(mintResponse.status, 200, mintResponse.text)
    await changeSettings(site, { approval_limit: 1 })
    const { campaign } = mintResponse.json()
    const { version } = (await gm.get(`/api/admin/vouchers/${campaign}`)).json()
    return { body: { ...terms, campaign, in_total: 2, version }, change }
  },
  'POST /admin/letters/send': async () => {
    const item = await insertItem(db, { item_name: 'Salakot', price: 300, section: R_COIN })
    const { user, form } = await createPlayer(site)
    await insertCharacter(db, { user_num: user.UserNum, known_since: new Date(0) })
    await updateRows(
      db,
      'accounts',
      { user_num: user.UserNum },
      { created_at: new Date(0), email_verified_at: new Date(0) },
    )
    const letter = { to: 'player', user_id: form.userId, subject: 'For you', body: 'Salamat!', link: '' }
    const change = () => db.updateTable('shop_items').set({ price: 90_000 }).where('product_num', '=', item).execute()
    return { body: { ...letter, gift: 'item', gift_item: item, gift_quantity: 2 }, change }
  },
  'POST /admin/rewards/daily/save': async () => {
    const item = await insertItem(db, { item_name: 'Salakot', price: 300, section: R_COIN })
    const { version } = (await gm.get('/api/admin/rewards/daily')).json()
    const change = () => setPrice(item, 90_000)
    return { body: { version, budget: 500, days: [{ day: 0, gift: 'item', amount: 1, item }] }, change }
  },
  'POST /admin/rewards/votes/budget': async () => {
    const { version } = (await gm.get('/api/admin/rewards/votes')).json()
    const change = () => updateRows(db, 'reward_sources', { source: 'vote' }, { version: version + 1 })
    return { body: { version, budget: 30_000 }, change, hasVersion: true }
  },
  'POST /admin/rewards/votes/save': async () => {
    const item = await insertItem(db, { item_name: 'Salakot', price: 300, section: R_COIN })
    const { name, check, ...fields } = VOTE_LISTS.topg
    const offer = { gift: 'item', amount: 1, item }
    const link = 'https://lists.example/{account}'
    const body = {
      site: null,
      version: 0,
      name,
      list: 'topg',
      link,
      pause_hours: 12,
      visible: true,
      ...fields,
      ...offer,
    }
    return { body, change: () => setPrice(item, 90_000) }
  },
  'POST /admin/rewards/votes/connect': async () => {
    const { name, check, ...fields } = VOTE_LISTS.generic
    await updateRows(db, 'reward_sources', { source: 'vote' }, { budget: 500 })
    const { site: siteId } = await db
      .insertInto('vote_sites')
      .values({
        name,
        list: 'generic',
        link: 'https://lists.example/{account}',
        pause_hours: 12,
        ...fields,
        address_hash: null,
        sealed: null,
        connected_by: null,
        rewarded_by: null,
      })
      .returning('site')
      .executeTakeFirstOrThrow()
    await insertRows(db, 'reward_offers', { source: 'vote', slot: siteId, milleage: 40 })
    const change = () => updateRows(db, 'reward_offers', { source: 'vote', slot: siteId }, { milleage: 400 })
    return { body: { site: siteId, secret: '' }, change }
  },
  'POST /admin/rewards/friends/save': async () => {
    const item = await insertItem(db, { item_name: 'Salakot', price: 300, section: R_COIN })
    const { version } = (await gm.get('/api/admin/rewards/friends')).json()
    return { body: { version, budget: 500, gift: 'item', amount: 9, item }, change: () => setPrice(item, 90_000) }
  },
  'POST /admin/rewards/starter/save': async () => {
    const item = await insertItem(db, { item_name: 'Salakot', price: 300, section: R_COIN })
    const { version } = (await gm.get('/api/admin/rewards/starter')).json()
    const body = { version, budget: 500, gives: [{ item, quantity: 9 }] }
    return { body, change: () => setPrice(item, 90_000) }
  },
  'POST /admin/rewards/playtime/save': async () => {
    const { version } = (await gm.get('/api/admin/rewards/playtime')).json()
    const change = () => updateRows(db, 'reward_sources', { source: 'playtime' }, { version: version + 1 })
    return { body: { version, budget: 30_000, milleage: 10 }, change, hasVersion: true }
  },
  'POST /admin/tournaments/finalise': async () => {
    const { tournament, secondEntry } = await createTournament('drawn')
    const change = () =>
      db.updateTable('tournament_matches').set({ winner: secondEntry }).where('tournament', '=', tournament).execute()
    return { body: { tournament, version: 1 }, change }
  },
  'POST /admin/tournaments/pay': async () => {
    const { tournament } = await createTournament('finalised')
    const change = () =>
      db.updateTable('tournament_entries').set({ place: sql`3 - place` }).where('tournament', '=', tournament).execute()
    return { body: { tournament, place: 1 }, change }
  },
  'POST /admin/leagues/finalise': async () => {
    const { league, war } = await insertLeague(db, { now: clock.now(), resultBy: approver.user.UserNum })
    const change = () => db.updateTable('league_scores').set({ value: sql`3 - value` }).where('war', '=', war).execute()
    return { body: { league, version: 1 }, change }
  },
  'POST /admin/settings/save': async () => {
    const name = 'reward_accounts_address'
    await updateRows(db, 'reward_sources', { source: 'starter' }, { budget: 500 })
    const item = await insertItem(db, { item_name: 'Salakot', price: 300 })
    await db.deleteFrom('reward_offers').where('source', '=', 'starter').execute()
    await insertRows(db, 'reward_offers', { source: 'starter', slot: 1, product_num: item, quantity: 1 })
    const row = await db.selectFrom('settings').where('name', '=', name).select('version').executeTakeFirst()
    return {
      body: { changes: [{ name, value: 900, version: row?.version ?? 0 }] },
      change: () => setPrice(item, 90_000),
    }
  },
  'POST /admin/discord/app/remove': async () => {
    const client_id = '123456789012345678'
    const sealed = sealSecret(TEST_KEY, 'secret', 'test')
    await insertRows(db, 'discord_app', { client_id, sealed, changed_at: clock.now() })
    const { user } = await createPlayer(site)
    await insertRows(db, 'discord_links', {
      user_num: user.UserNum,
      discord_id: '1',
      discord_name: 'kuya',
      seal: randomUUID(),
      sealed,
      tokens_until: clock.now(),
      linked_at: clock.now(),
    })
    const change = () => updateRows(db, 'discord_app', { client_id }, { client_id: '876543210987654321' })
    return { body: { client_id }, change, hasVersion: true }
  },
  'POST /admin/site/settings/save': async () => {
    const change = () =>
      db
        .insertInto('settings')
        .values({ name: 'agent_url', value: '"https://m.me/other"', version: 0, changed_at: clock.now() })
        .execute()
    return { body: { changes: [{ name: 'agent_url', value: 'https://m.me/other', version: 0 }] }, change }
  },
  'POST /admin/documents/publish': () => createLinkedPage(false),
  'POST /admin/documents/undo': () => createLinkedPage(true),
  'POST /admin/banners/save': async () => {
    const [entry] = (await gm.get('/api/admin/banners')).json().rows
    const change = () => updateRows(db, 'banners', { id: entry.id }, { version: entry.version + 1 })
    const [first_line = '', second_line = ''] = entry.title
    return {
      body: { ...entry, first_line, second_line, href: 'https://example.org/client' },
      change,
      hasVersion: true,
    }
  },
  'POST /admin/settings/staff/save': async () => {
    const { version } = await db
      .selectFrom('settings')
      .where('name', '=', 'approval_limit')
      .select('version')
      .executeTakeFirstOrThrow()
    const body = { changes: [{ name: 'approval_limit', value: 5000, version }] }
    const change = () =>
      db.updateTable('settings').set({ value: '5000' }).where('name', '=', 'approval_limit').execute()
    return { body, change }
  },
  'POST /admin/staff/invite': async () => {
    const role = await createRole(site, 'money.adjust')
    const { form } = await createPlayer(site)
    const change = () => updateRows(db, 'staff_roles', { role }, { permissions: ['money.adjust', 'staff.write'] })
    return { body: { user_id: form.userId, role }, change }
  },
  'POST /admin/staff/take': async () => {
    const owner = await createOperator(site, OWNER)
    return {
      body: { user_num: owner.user.UserNum, role: OWNER, reason: 'Moved away' },
      change: prepareRoleGrant(owner.user.UserNum),
    }
  },
  'POST /admin/roles/save': async () => {
    const role = await createRole(site, 'news.read')
    await createOperator(site, role)
    const body = { role, name: 'Grown', permissions: ['news.read', 'money.adjust'], version: 1 }
    return { body, change: () => createOperator(site, role) }
  },
  'POST /admin/players/block': async () => {
    const { user_num, change } = await createColleague()
    return { body: { user_num, block: null, reason: 'Seems stolen', ends_at: null, note: '' }, change }
  },
  'POST /admin/players/unblock': async () => {
    const { user } = await createPlayer(site)
    const { UserNum: user_num } = user
    const block = { user_num, block: null, reason: 'Seems stolen', ends_at: null, note: '' }
    assert.equal((await gm.post('/api/admin/players/block', block)).status, 200)
    await prepareRoleGrant(user_num)()
    const blockRow = await db
      .selectFrom('account_blocks')
      .where('user_num', '=', user_num)
      .select('block')
      .executeTakeFirstOrThrow()
    return { body: { user_num, block: blockRow.block, reason: 'It was not' }, change: prepareRename(user_num) }
  },
  'POST /admin/appeals/decide': async () => {
    const { user } = await createPlayer(site)
    const { UserNum: user_num } = user
    const values = { user_num, reason: 'Seems stolen', starts_at: site.clock.now(), ends_at: null, blocked_by: null }
    const { block } = await db.insertInto('account_blocks').values(values).returning('block').executeTakeFirstOrThrow()
    await prepareRoleGrant(user_num)()
    const { appeal } = await db
      .insertInto('block_appeals')
      .values({
        block,
        user_num,
        text: 'It is me',
        made_at: site.clock.now(),
        outcome: null,
        decided_by: null,
        decided_at: null,
      })
      .returning('appeal')
      .executeTakeFirstOrThrow()
    return { body: { appeal, outcome: 'lifted', reason: 'It was not' }, change: prepareRename(user_num) }
  },
  'POST /admin/players/erase': async () => {
    const { user, form } = await createPlayer(site)
    await reachLimit('player', 3)
    const body = { user_num: user.UserNum, user_id: form.userId, rename_characters: false, reason: 'Requested' }
    return { body, change: prepareRoleGrant(user.UserNum), hasVersion: true }
  },
  'POST /admin/vouchers/{campaign}/revoke': async () => {
    const { campaign, change } = await createCampaign()
    return { body: { campaign, reason: 'Leaked' }, change }
  },
  'POST /admin/voucher/revoke': async () => {
    const { code, change } = await createCampaign()
    return { body: { code, reason: 'Leaked' }, change }
  },
  'POST /admin/players/reset': async () => {
    const { user_num, change } = await createColleague()
    return { body: { user_num, reason: 'Forgot it' }, change }
  },
  'POST /admin/players/change-email': async () => {
    const { user_num, email, change } = await createColleague()
    return { body: { user_num, from: email, email: `new_${user_num}@example.com`, reason: 'A new one' }, change }
  },
  'POST /admin/players/confirm-email': async () => {
    const { user_num, email, change } = await createColleague()
    await db.updateTable('accounts').set({ email_verified_at: null }).where('user_num', '=', user_num).execute()
    return { body: { user_num, email, reason: 'Seen' }, change }
  },
  'POST /admin/players/request-export': async () => {
    const { user_num, change } = await createColleague()
    return { body: { user_num, reason: 'Requested' }, change }
  },
  'POST /admin/items/save': async () => {
    const { loadItem, change } = await createItem()
    return { body: { ...(await loadItem()), price: 100 }, change }
  },
  'POST /admin/items/hide': async () => {
    const { product_num } = await createItem()
    assert.equal((await gm.post('/api/admin/items/hide', { items: [product_num], hidden: true })).status, 200)
    await setPrice(product_num, 100)
    return { body: { items: [product_num], hidden: false }, change: () => setPrice(product_num, 90) }
  },
  'POST /admin/items/reprice': async () => {
    const { product_num, loadItem, change } = await createItem()
    const { version } = await loadItem()
    const rows = [{ product_num, version, price: 100 }]
    return { body: { target: 'price', sale_starts_at: null, sale_ends_at: null, rows }, change }
  },
  'POST /admin/items/import-csv': async () => {
    const { product_num, change } = await createItem()
    const createForm = (checked?: string) => {
      const fields = new FormData()
      fields.set('file', new File([`product_num,price\n${product_num},100\n`], 'items.csv', { type: 'text/csv' }))
      if (checked !== undefined) fields.set('checked', checked)
      return fields
    }
    const checkResponse = await site.send('/api/admin/items/check-csv', {
      method: 'POST',
      body: createForm(),
      headers: gm.headers,
    })
    return { body: createForm(checkResponse.json().checked), change, hasVersion: true }
  },
  'POST /admin/capsules/save': async () => {
    const { product_num } = await createItem()
    const capsule = {
      capsule: null,
      version: null,
      name: 'Capsule',
      description: '',
      currency: 'r_coin',
      visible: true,
    }
    const chances = [{ product_num, chance: CHANCES_SUM }]
    const saveResponse = await gm.post('/api/admin/capsules/save', { ...capsule, price: 1000, chances })
    assert.equal(saveResponse.status, 200, saveResponse.text)
    const { capsule: capsuleId, version } = saveResponse.json()
    const change = () => db.updateTable('capsules').set({ price: 900 }).where('capsule', '=', capsuleId).execute()
    return { body: { ...capsule, capsule: capsuleId, version, price: 10, chances }, change }
  },
  'POST /admin/downloads/save': async () => {
    const [entry] = (await gm.get('/api/admin/downloads')).json().rows
    const change = () => db.updateTable('downloads').set({ link_name: 'Renamed' }).where('seq', '=', entry.id).execute()
    return { body: { ...entry, link_address: 'https://example.org/client.zip' }, change }
  },
  'POST /admin/players/remove-factors': async () => {
    const colleague = await createOperator(site, 'support')
    await addAuthenticatorApp(site, colleague)
    const { UserNum: user_num } = colleague.user
    const change = () => updateRows(db, 'account_factors', { user_num }, { created_at: new Date(0) })
    return { body: { user_num, reason: 'Lost the phone' }, change }
  },
  'POST /admin/backups/download': async () => {
    const name = `tambayan-2026-11-20T04-30-0${++counter % 10}.backup.gz`
    await mkdir(site.config.backupDir, { recursive: true })
    const path = join(site.config.backupDir, name)
    await writeFile(path, 'the requested file')
    return { body: { name }, change: () => writeFile(path, 'another backup of this name') }
  },
  'POST /admin/backups/target/use': async () => {
    const insertTarget = () =>
      db
        .insertInto('backup_targets')
        .values({
          kind: 'folder',
          place: `/mnt/disk${++counter}`,
          bucket: '',
          region: '',
          access_key: '',
          sealed: null,
          tried_at: clock.now(),
          tried_by: gm.user.UserNum,
        })
        .returning('target')
        .executeTakeFirstOrThrow()
    const [requestedTarget, otherTarget] = [await insertTarget(), await insertTarget()]
    // Another target of backups is set before the approval.
    const change = () =>
      db.updateTable('backup_targets').set({ used_at: clock.now() }).where('target', '=', otherTarget.target).execute()
    return { body: requestedTarget, change }
  },
  'POST /admin/mail-server/use': async () => {
    const [requestedServer, otherServer] = [await insertMailServer(), await insertMailServer()]
    // Another mail server is set before the approval.
    const change = () =>
      db.updateTable('mail_servers').set({ used_at: clock.now() }).where('server', '=', otherServer.server).execute()
    return { body: requestedServer, change }
  },
  'POST /admin/game/code': async () => ({ body: { password_form: 'plain' }, change: insertBridge }),
  'POST /admin/game/restore': async () => {
    const at = clock.now()
    await insertRows(db, 'game_copy', {
      epoch: 'one',
      counter: 1,
      found_epoch: 'two',
      found_counter: 0,
      restored_at: at,
      looked_at: at,
    })
    const { delivery } = await buyUnit()
    const change = () =>
      updateRows(
        db,
        'deliveries',
        { delivery },
        { state: 'delivered', handed_at: at, delivered_at: at, in_game: 'lost', marked_at: at },
      )
    return { body: { offer_again: true, reason: 'Restored' }, change }
  },
  'POST /admin/game/account-import/balances': async () => {
    const { bridge } = await insertBridge()
    const changed_at = clock.now()
    await insertRows(db, 'game_balances', [
      { bridge, game_user_num: 901, amount: 5000, state: 'seen', changed_at },
      { bridge, game_user_num: 902, amount: 1, state: 'seen', changed_at },
    ])
    // Swaps the amounts, which leaves their number and sum unchanged.
    const change = () => db.updateTable('game_balances').set({ amount: sql`5001 - amount` }).execute()
    return { body: { count: 2, sum: 5001, reason: 'Moving in' }, change }
  },
}

for (const { endpoint } of CALLS.filter(({ endpoint }) => endpoint.approvable)) {
  const call = formatCallName(endpoint)
  test(`${call}: changes nothing if the data has changed since the request`, async () => {
    const createCase = CASES[call]
    assert.ok(
      createCase !== undefined,
      'Every approvable call needs a case that changes the data between the request and its approval.',
    )
    const { body, change, hasVersion } = await createCase()
    const response =
      body instanceof FormData
        ? await site.send(`/api${endpoint.path}`, { method: 'POST', body, headers: gm.headers })
        : await gm.post(`/api${endpoint.path.replace(/\{(\w+)\}/g, (_, name) => String(body[name]))}`, body)
    assert.equal(response.status, 202, response.text)
    const { approval } = response.json()
    const request = await db
      .selectFrom('approvals')
      .where('approval', '=', approval)
      .selectAll()
      .executeTakeFirstOrThrow()
    await change()
    const decision = { approval, decision: 'approve', content_hash: request.content_hash }
    const approvalResponse = await approver.post('/api/admin/approvals/decide', decision)
    const refusedResponse =
      endpoint.shownOnce === undefined ? approvalResponse : await gm.post('/api/admin/approvals/run', { approval })
    assertRefused(refusedResponse, 409)
    if (hasVersion) return
    assert.deepEqual(refusedResponse.json().asked, request.effect)
    assert.notDeepEqual(refusedResponse.json().now, request.effect)
  })
}
