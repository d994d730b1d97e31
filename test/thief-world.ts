import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { ALL_PERMISSIONS, BUILT_IN_ROLES, OWNER, type Permission } from '#contract/permissions.ts'
import { VOTE_LISTS } from '#contract/vote-lists.ts'
import { getSecretContext } from '#server/features/rewards/vote-callbacks.ts'
import { grantRole } from '#server/features/staff/members.ts'
import { bookMoney } from '#server/features/wallet/book.ts'
import { hashToken } from '#server/http/tokens.ts'
import { sealSecret } from '#server/site-key.ts'
import { logInAs, registerPlayer } from './account-helpers.ts'
import { openTestDatabase, TEST_NOW, type TestDatabase } from './databases.ts'
import { addAuthenticatorApp } from './factor-helpers.ts'
import { insertCharacter, insertRows } from './factories.ts'
import { createTestApp, type TestApp } from './helpers.ts'
import { startMailServer } from './mail-server.ts'
import { insertItem } from './money-helpers.ts'

/** The attacker's roles and permissions: a built-in role, a single permission, or two of these. */
export type ThiefRoles = readonly string[]

const PERMISSIONS_AND_ROLES = [...ALL_PERMISSIONS, ...Object.keys(BUILT_IN_ROLES)]

/** Every single permission and every single built-in role. */
export const SINGLE_ROLES: readonly ThiefRoles[] = PERMISSIONS_AND_ROLES.map((name) => [name])
/** The single roles, and every pair of them. */
export const ROLE_COMBINATIONS: readonly ThiefRoles[] = [
  ...SINGLE_ROLES,
  ...PERMISSIONS_AND_ROLES.flatMap((firstName, index) =>
    PERMISSIONS_AND_ROLES.slice(index + 1).map((secondName) => [firstName, secondName]),
  ),
]

/** The time at which the world's people registered and got their roles. */
const REGISTERED_AT = new Date(TEST_NOW.getTime() - 60 * DAY_MS)

/** The thief's ring: the thief is an operator; the others are players whose passwords and mail the thief has. */
export const RING = ['thief', 'puppet', 'friend'] as const
/** Two owners, and an operator who approves requests. They are honest and do little. */
export const HONEST_STAFF = ['maria', 'jose', 'anna'] as const
/** Honest players who own things. The first has much money. */
export const HONEST_PLAYERS = ['rich', 'lita', 'pedro', 'rosa', 'tomas'] as const
export const HONEST = [...HONEST_STAFF, ...HONEST_PLAYERS] as const
export type Name = (typeof RING)[number] | (typeof HONEST)[number]

type Person = {
  name: Name
  userNum: number
  userId: string
  email: string
  password: string
  chaNum: number
  /** The session at the start. */
  token: string
  /** The secret of the authenticator app, if there is one. */
  secret: string | undefined
}

const MONEY: Record<Name, { rCoin: number; milleage: number }> = {
  thief: { rCoin: 5000, milleage: 5000 },
  puppet: { rCoin: 5000, milleage: 0 },
  friend: { rCoin: 60_000, milleage: 30_000 },
  maria: { rCoin: 0, milleage: 0 },
  jose: { rCoin: 0, milleage: 0 },
  anna: { rCoin: 0, milleage: 0 },
  rich: { rCoin: 5_000_000, milleage: 900_000 },
  lita: { rCoin: 900, milleage: 0 },
  pedro: { rCoin: 900, milleage: 0 },
  rosa: { rCoin: 900, milleage: 0 },
  tomas: { rCoin: 900, milleage: 0 },
}

/** Returns whether an address belongs to the ring, whose mail the thief reads. */
export const isRingAddress = (address: string) => address.toLowerCase().endsWith('@ring.example')

/** A site with its people, which is restored before every run. */
export type ThiefWorld = {
  people: ReadonlyMap<Name, Person>
  /** A folder of the ring on the site's machine. */
  folder: string
  /** The port of the ring's mail server. */
  mailPort: number
  /** Restores the site, with the thief in this guise. */
  begin(guise: ThiefRoles): Promise<TestApp>
  close(): Promise<void>
}

/**
 * Creates the thief's world on an empty site, with items, a capsule, a service, running rewards, sold voucher codes,
 * and a tournament before its final. The ring's accounts wait for starter items.
 */
export async function createThiefWorld(): Promise<ThiefWorld> {
  const database = await openTestDatabase('empty')
  const site = await openSite(database)
  const people = new Map<Name, Person>()
  for (const name of [...RING, ...HONEST]) people.set(name, await registerPerson(site, name))
  await stockShop(site)
  await insertRows(
    site.db,
    'starters',
    RING.map((name) => ({ user_num: people.get(name)?.userNum ?? 0, due_at: REGISTERED_AT })),
  )
  await playNormally(site, people)
  await openRewards(site, people)
  await sellService(site)
  await sellCodes(site, people)
  await copyDatabase(database)
  const { port: mailPort } = await startMailServer()
  const folder = await mkdtemp(join(tmpdir(), 'tambayan-ring-'))
  return {
    people,
    mailPort,
    folder,
    begin: async (guise) => {
      await restoreDatabase(database)
      await giveThiefRoles(database, people.get('thief')?.userNum ?? 0, guise)
      const newSite = await openSite(database)
      newSite.clock.set(new Date(TEST_NOW.getTime() + HOUR_MS))
      return newSite
    },
    close: async () => {
      await rm(folder, { recursive: true, force: true })
      await database.close()
    },
  }
}

/** Opens the site without rate limits, which would only slow the thief down. */
const openSite = (database: TestDatabase) => createTestApp({ database, env: { RATE_LIMIT: 'off' } })

async function registerPerson(site: TestApp, name: Name): Promise<Person> {
  const isInRing = (RING as readonly string[]).includes(name)
  const email = isInRing ? `${name}@ring.example` : `${name}@example.net`
  const form = await registerPlayer(site, {
    userId: name,
    userEmail: email,
    userPassword: `right-${name}`,
    userPasswordConfirm: `right-${name}`,
  })
  const { db } = site
  const { user_num: userNum } = await db
    .updateTable('accounts')
    .set({ email_verified_at: REGISTERED_AT, created_at: REGISTERED_AT })
    .where('user_id', '=', name)
    .returning('user_num')
    .executeTakeFirstOrThrow()
  const chaNum = await insertCharacter(db, { user_num: userNum, cha_level: 60, known_since: REGISTERED_AT })
  const { rCoin, milleage } = MONEY[name]
  await db.transaction().execute(async (tx) => {
    for (const [currency, delta] of [['r_coin', rCoin] as const, ['milleage', milleage] as const])
      if (delta > 0)
        await bookMoney(tx, userNum, {
          currency,
          delta,
          reason: 'opening balance',
          reference: '',
          actor: null,
          now: TEST_NOW,
        })
    const roles = { maria: [OWNER], jose: [OWNER], anna: ['shop', 'moderator'] }[name as string] ?? []
    for (const role of roles) await grantRole(tx, { userNum, role, grantedBy: null, now: REGISTERED_AT })
  })
  const player = await logInAs(site, name, form.userPassword)
  const secret = name === 'maria' ? (await addAuthenticatorApp(site, player)).secret : undefined
  return { name, userNum, userId: name, email, password: form.userPassword, chaNum, token: player.token, secret }
}

async function stockShop({ db }: TestApp): Promise<void> {
  const potion = await insertItem(db, { item_name: 'Potion', price: 100 })
  const sword = await insertItem(db, { item_name: 'Sword', price: 20_000 })
  await insertItem(db, { item_name: 'Ring', price: 50_000, section: 1 })
  await db.transaction().execute(async (tx) => {
    const { capsule } = await tx
      .insertInto('capsules')
      .values({ name: 'Pouch', section: 2, price: 12_000, picture: null, visible: true })
      .returning('capsule')
      .executeTakeFirstOrThrow()
    await insertRows(tx, 'capsule_chances', [
      { capsule, version: 1, product_num: potion, chance: 990_000 },
      { capsule, version: 1, product_num: sword, chance: 10_000 },
    ])
  })
}

/** Creates a history: purchases, a ticket, a topic, and a tournament between the friend and the rich player. */
async function playNormally(site: TestApp, people: ReadonlyMap<Name, Person>): Promise<void> {
  const post = async (name: Name, path: string, body: unknown = {}) => {
    const answer = await site.post(`/api${path}`, body, { Authorization: `Bearer ${people.get(name)?.token}` })
    assert.equal(answer.status, 200, `${path}: ${answer.text}`)
    return answer.json()
  }
  const at = (minutes: number) => new Date(TEST_NOW.getTime() + minutes * MINUTE_MS).toISOString()
  const items = await site.db.selectFrom('shop_items').select('product_num').orderBy('product_num').execute()
  for (const { product_num } of items) await post('rich', `/buyitem?productnum=${product_num}`)
  await post('friend', `/buyitem?productnum=${items[0]?.product_num}`)
  await post('friend', '/forum/topics', {
    category: 100,
    title: 'Hello to all',
    body: 'Who is here tonight?',
    typing_ms: 9000,
  })
  const { tournament, version: draftVersion } = await post('maria', '/admin/tournaments/save', {
    tournament: null,
    version: 0,
    name: 'Cup',
    about: '',
    kind: 'players',
    format: 'single',
    third_place: false,
    level_from: 1,
    level_to: null,
    max_entries: 8,
    registration_from: at(-1),
    registration_until: at(10),
    checkin_from: at(0),
    checkin_until: at(10),
    starts_at: at(10),
    prizes: [{ place: 1, gift: 'r_coin', amount: 500_000, item: null }],
  })
  await post('maria', '/admin/tournaments/announce', { tournament, version: draftVersion })
  for (const name of ['friend', 'rich'] as const) {
    await post(name, '/tournaments/register', { tournament, character: people.get(name)?.chaNum, club: '' })
    await post(name, '/tournaments/checkin', { tournament })
  }
  site.clock.advance(11 * MINUTE_MS)
  const entries = await site.db.selectFrom('tournament_entries').select('entry').orderBy('entry').execute()
  const { version } = await site.db.selectFrom('tournaments').select('version').executeTakeFirstOrThrow()
  await post('maria', '/admin/tournaments/draw', {
    tournament,
    version,
    seeds: entries.map(({ entry }) => entry),
    groups: null,
    advance: null,
  })
}

/** The token in the address of the vote list that an honest owner connected. */
const LIST_ADDRESS = 'H'.repeat(32)

/** More than the ring can get in 24 hours from approved rewards and starter items. */
export const APPROVED_REWARDS = 2000

/** Puts a service on sale for 50,000. */
async function sellService({ db }: TestApp): Promise<void> {
  const service = { kind: 'service', service: 'name', service_pause_hours: 0 } as const
  await insertItem(db, { item_name: 'New name', price: 50_000, section: 1, ...service })
}

/** Creates two campaigns whose codes honest players have bought but not redeemed. */
async function sellCodes(site: TestApp, people: ReadonlyMap<Name, Person>): Promise<void> {
  const terms = { milleage: 0, expires: '', per_account: null, in_total: null, streamer: '' }
  for (const name of ['Fiesta', 'Pasko']) {
    const headers = { Authorization: `Bearer ${people.get('jose')?.token}` }
    const answer = await site.post('/api/admin/vouchers', { name, count: 3, r_coin: 100, ...terms }, headers)
    assert.equal(answer.status, 200, answer.text)
  }
}

/**
 * Creates running budgets with small rewards, approved by an owner: daily rewards, a vote list, friends, starter items,
 * time played.
 */
async function openRewards({ db, siteKey }: TestApp, people: ReadonlyMap<Name, Person>): Promise<void> {
  const mariaNum = people.get('maria')?.userNum ?? null
  const rewardBudgets = { daily: 40_000, vote: 2_000_000, friend: 30_000, starter: 20_000, playtime: 20_000 } as const
  for (const [source, budget] of Object.entries(rewardBudgets))
    await db
      .updateTable('reward_sources')
      .set({ budget, approved_by: mariaNum, approved_at: REGISTERED_AT })
      .where('source', '=', source as keyof typeof rewardBudgets)
      .execute()
  const { name, check, ...fields } = VOTE_LISTS.generic
  const { site } = await db
    .insertInto('vote_sites')
    .values({
      name,
      list: 'generic',
      link: 'https://lists.example/vote?who={account}',
      pause_hours: 12,
      ...fields,
      address_hash: hashToken(LIST_ADDRESS),
      sealed: null,
      connected_by: mariaNum,
      rewarded_by: people.get('jose')?.userNum ?? null,
    })
    .returning('site')
    .executeTakeFirstOrThrow()
  const sealedSecret = sealSecret(siteKey, 'honest-secret', getSecretContext(site))
  await db.updateTable('vote_sites').set({ sealed: sealedSecret }).where('site', '=', site).execute()
  const potion = await db
    .selectFrom('shop_items')
    .select('product_num')
    .orderBy('product_num')
    .executeTakeFirstOrThrow()
  await insertRows(db, 'reward_offers', [
    { source: 'daily', slot: 0, milleage: 50, product_num: null, quantity: null },
    { source: 'vote', slot: site, milleage: 25, product_num: null, quantity: null },
    { source: 'friend', slot: 0, milleage: 30, product_num: null, quantity: null },
    { source: 'playtime', slot: 0, milleage: 10, product_num: null, quantity: null },
    { source: 'starter', slot: 1, milleage: null, product_num: potion.product_num, quantity: 2 },
  ])
}

/** Gives the thief the guise's roles, as of a time long ago, because some calls refuse operators with new rights. */
async function giveThiefRoles({ db }: TestDatabase, userNum: number, guise: ThiefRoles): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const name of guise) {
      const role = name in BUILT_IN_ROLES ? name : `only-${name.replace('.', '-')}`
      if (role !== name) await insertRows(tx, 'staff_roles', { role, name: role, permissions: [name as Permission] })
      await grantRole(tx, { userNum, role, grantedBy: null, now: REGISTERED_AT })
    }
  })
}

/**
 * Copies every table into a separate schema, and creates a function that restores them all. A restore takes a tenth of
 * the time of a new database.
 */
async function copyDatabase({ db }: TestDatabase): Promise<void> {
  await sql`create schema kept`.execute(db)
  await sql
    .raw(`do $$
    declare one record; columns text; wipe text := ''; fill text := '';
    begin
      for one in select c.oid, c.relname from pg_class c
        where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace loop
        select string_agg(quote_ident(attname), ', ') into columns from pg_attribute
          where attrelid = one.oid and attnum > 0 and not attisdropped and attgenerated = '';
        execute format('create table kept.%I as table public.%I', one.relname, one.relname);
        wipe := wipe || format('delete from public.%I; ', one.relname);
        fill := fill || format('insert into public.%I (%s) overriding system value select %s from kept.%I; ',
          one.relname, columns, columns, one.relname);
      end loop;
      for one in select quote_ident(schemaname) || '.' || quote_ident(sequencename) as name, last_value from pg_sequences
        where schemaname = 'public' loop
        fill := fill || format('perform setval(%L, %s, %L); ', one.name, coalesce(one.last_value, 1), one.last_value is not null);
      end loop;
      execute format('create function kept.put_back() returns void language plpgsql as %L',
        'begin set local session_replication_role = replica; ' || wipe || fill || ' end');
    end $$`)
    .execute(db)
}

const restoreDatabase = ({ db }: TestDatabase) => sql`select kept.put_back()`.execute(db)
