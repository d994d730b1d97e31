import { z } from 'zod'
import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import { type Endpoint, formatCallName } from '#contract/endpoint.ts'
import { ALL_PERMISSIONS, BUILT_IN_ROLES } from '#contract/permissions.ts'
import { SETTING_NAMES, SETTINGS } from '#contract/settings.ts'
import { VOTE_LISTS } from '#contract/vote-lists.ts'
import { TEST_NOW } from './databases.ts'

/** A source of choices that repeats them for the same seed. */
export type Choices = ReturnType<typeof createChoices>

export function createChoices(seed: number) {
  let state = seed >>> 0
  /** Mulberry32: returns a number from 0 up to, but not including, 1. */
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixedState = Math.imul(state ^ (state >>> 15), state | 1)
    mixedState ^= mixedState + Math.imul(mixedState ^ (mixedState >>> 7), mixedState | 61)
    return ((mixedState ^ (mixedState >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number) => Math.floor(next() * count)
  const pick = <T>(list: readonly T[]): T => {
    const item = list[below(list.length)]
    if (item === undefined) throw new Error('There is nothing to choose from.')
    return item
  }
  return {
    below,
    pick,
    chance: (share: number) => next() < share,
    /** Returns at least one and at most `maxCount` entries of a list, in their order. */
    some: <T>(list: readonly T[], maxCount: number): T[] => {
      const chosenEntries = new Set(Array.from({ length: 1 + below(maxCount) }, () => pick(list)))
      return list.filter((one) => chosenEntries.has(one))
    },
    /** Returns an entry of a list. One with twice the weight is chosen twice as often. */
    byWeight: <T extends { weight: number }>(list: readonly T[]): T => {
      let remainingWeight = next() * list.reduce((sum, { weight }) => sum + weight, 0)
      for (const item of list) {
        remainingWeight -= item.weight
        if (remainingWeight < 0) return item
      }
      return pick(list)
    },
  }
}

/**
 * A value that is looked up when a step runs: the nth newest row of a table, or the nth newest value of that name that
 * the ring was shown. Ids and secrets differ each time, so only lookups make a sequence of steps repeatable.
 */
export type Lookup = { name: string; nth: number }

export const isLookup = (value: unknown): value is Lookup =>
  typeof value === 'object' && value !== null && 'name' in value && 'nth' in value

const lookUpNewest = (name: string, nth = 0): Lookup => ({ name, nth })
const lookUpFew = (name: string): Lookup[] => [
  lookUpNewest(name),
  lookUpNewest(name),
  lookUpNewest(name, 1),
  lookUpNewest(name, 2),
]

/** The columns with ids that operators see on their screens. */
export const ID_COLUMNS: Record<string, [table: string, column: string]> = {
  approval: ['approvals', 'approval'],
  appeal: ['block_appeals', 'appeal'],
  answer: ['ready_answers', 'answer'],
  banner: ['banners', 'id'],
  block: ['account_blocks', 'block'],
  bridge: ['bridges', 'bridge'],
  campaign: ['voucher_campaigns', 'id'],
  capsule: ['capsules', 'capsule'],
  case: ['forum_cases', 'case_num'],
  category: ['shop_categories', 'id'],
  character: ['characters', 'cha_num'],
  'club-area': ['club_areas', 'id'],
  delivery: ['deliveries', 'delivery'],
  download: ['downloads', 'seq'],
  entry: ['tournament_entries', 'entry'],
  event: ['events', 'event'],
  factor: ['account_factors', 'factor'],
  item: ['shop_items', 'product_num'],
  league: ['leagues', 'league'],
  letter: ['letters', 'letter'],
  'cart line': ['cart_lines', 'seq'],
  mail: ['mail_outbox', 'mail'],
  server: ['mail_servers', 'server'],
  target: ['backup_targets', 'target'],
  match: ['tournament_matches', 'match'],
  media: ['media', 'id'],
  news: ['news', 'id'],
  note: ['account_notes', 'note'],
  post: ['forum_posts', 'post'],
  prize: ['tournament_prizes', 'prize'],
  revision: ['news_revisions', 'revision'],
  role: ['staff_roles', 'role'],
  season: ['seasons', 'season'],
  silence: ['forum_silences', 'silence'],
  streamer: ['referral_codes', 'code'],
  ticket: ['tickets', 'number'],
  topic: ['forum_topics', 'topic'],
  tournament: ['tournaments', 'tournament'],
  view: ['saved_views', 'view'],
  war: ['league_wars', 'war'],
  'vote site': ['vote_sites', 'site'],
  word: ['forum_watched_words', 'word'],
}

const toIsoTime = (ms: number) => new Date(TEST_NOW.getTime() + ms).toISOString()
const OWN_ADDRESSES = ['thief@ring.example', 'spare@ring.example', 'other@ring.example']
const AMOUNTS = [1, 50, 3000, 50_000, 100_000, 100_001, 10_000_000]
/** Rewards that are each below an operator's limit, and budgets above it. */
const REWARDS = [50, 3000, 34_000, 99_000, 99_000, 10_000_000]
const BUDGETS = [90_000, 2_000_000, 2_000_000, 10_000_000]
const REASON = 'They asked for it'

const ORDERS = ['friend', 'rich'].map((name) => lookUpNewest(`order of ${name}`))

/** The possible values of fields, by their names. A field that matches no entry gets ids of the table with its name. */
const VALUES_BY_FIELD: [field: RegExp, values: readonly unknown[]][] = [
  [
    /^(user_?num|player|assignee|to_num|UserNum)$/i,
    ['thief', 'puppet', 'friend', 'maria', 'jose', 'anna', 'rich', 'lita'].map((name) =>
      lookUpNewest(`number of ${name}`),
    ),
  ],
  [/^(user_?id|findPWID)$/i, ['thief', 'puppet', 'friend', 'maria', 'jose', 'anna', 'rich']],
  [/email$/i, [...OWN_ADDRESSES, 'maria@example.net', 'jose@example.net', 'rich@example.net']],
  [/^role$/, [...Object.keys(BUILT_IN_ROLES), ...lookUpFew('role'), 'helpers', 'helpers-2']],
  [/^(reason|note|words)$/, [REASON]],
  [/^(amount|price|sale_price|r_coin|milleage|gift_amount|gift_budget|budget|sum|value)$/, AMOUNTS],
  [/^(count|quantity|gift_quantity|places)$/, [1, 2, 10, 99]],
  [/^(product_?num|ProductNum|productnum|bought|gift_item|item|items|before|game_product_num)$/, lookUpFew('item')],
  [/^(unit|units)$/, lookUpFew('delivery')],
  [/^orders?$/, ORDERS],
  [/^approval$/, lookUpFew('approval')],
  [/^appeal$/, lookUpFew('appeal')],
  [/^campaign$/, lookUpFew('campaign')],
  [/^case_num$/, lookUpFew('case')],
  [/^seeds$/, [lookUpNewest('entry')]],
  [/^(category|categories|boards)$/, [100, 200, ...lookUpFew('category')]],
  [/^category_id$/, lookUpFew('category')],
  [
    /^(cha_num|ChaNum|character)$/,
    ['thief', 'puppet', 'friend', 'rich'].map((name) => lookUpNewest(`character of ${name}`)),
  ],
  [/^(number|into)$/, lookUpFew('ticket')],
  [/^key$/, lookUpFew('seen key')],
  [/^seq$/, lookUpFew('cart line')],
  [/^(streamer|code|ReferralCode)$/i, [...lookUpFew('streamer'), '', 'FRIEND-1']],
  [/^CouponCode$/, [...lookUpFew('seen codes'), lookUpNewest('seen codes', 3), lookUpNewest('seen code')]],
  [/^token$/, [...lookUpFew('mailed token'), ...lookUpFew('seen token')]],
  [/^challenge$/, [lookUpNewest('seen challenge')]],
  [/^checked$/, [lookUpNewest('seen checked')]],
  [/^secret$/, ['A'.repeat(32)]],
  [/^(NewUserPass|UserPass2?|userPassword|userPasswordConfirm)$/, ['stolen-password']],
  [/^(period|first_month|last_month)$/, ['2026-10', '2026-11', '2026-12', '2027-01']],
  [/^(expires)$/, ['', '2026-12-31']],
  [
    /^(starts_at|ends_at|.*_from|.*_until|.*_at|link_date|at)$/,
    [toIsoTime(-DAY_MS), toIsoTime(2 * HOUR_MS), toIsoTime(DAY_MS), toIsoTime(30 * DAY_MS)],
  ],
  [/^(link|href|url|link_address|to)$/, ['/news', 'https://ring.example/client.exe']],
  [/^(picture|picture_phone|icon|image_url|ribbon_picture)$/, [lookUpNewest('seen url'), '/art/icon.svg']],
  [/^sha_?256|link_hash|hash$/i, ['0'.repeat(64)]],
  [/^list$/, ['/admin/staff', '/admin/audit', '/admin/players', '/admin/approvals', '/admin/mails']],
  [/^permissions$/, [['approvals.decide'], [...ALL_PERMISSIONS]]],
  [/^word$/, ['spoon', ...lookUpFew('word')]],
  [/^ground$/, ['#0a0c13', '#eaf4fb']],
  [/^accent$/, ['#ffd21f', '#0b4f9e']],
  [/^second$/, ['#2239a8', '#7cc4f0']],
  [/^template$/, ['resetLink', 'reset-link', lookUpNewest('seen template')]],
  [/^screenshot$/, ['00000000-0000-0000-0000-000000000000']],
]

const NUMBERS_OF_ANY_KIND = [0, 1, 2, 5, 60, 0.5, 24, 500, 100_000]
const TEXTS = [
  'k'.repeat(22),
  'k'.repeat(87),
  'A text of the ring',
  '',
  'ring',
  'RING-1',
  '1',
  '2',
  '20',
  '0',
  '100',
  '2026-11',
  '2026-12-01',
  toIsoTime(HOUR_MS),
  '/news',
  'https://ring.example/a',
  'spare@ring.example',
  '#aa3300',
  'a'.repeat(43),
  '0'.repeat(64),
  'text/plain',
  'en',
  '1-1',
  'mp4',
  'image/png',
  'Zip',
  'Gold 10\nSilver 90',
]

export type Json = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Json[]
  allOf?: Json[]
  items?: Json
  properties?: Record<string, Json>
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  default?: unknown
  contentEncoding?: string
}

const schemaCache = new Map<string, Record<string, Json>>()

/** Returns the fields of an endpoint's input as JSON schemas. */
export function listFields(endpoint: Endpoint): Record<string, Json> {
  const name = formatCallName(endpoint)
  const cachedSchemas = schemaCache.get(name)
  if (cachedSchemas !== undefined) return cachedSchemas
  const fields = Object.fromEntries(
    (['params', 'query', 'body', 'form'] as const).flatMap((inputPart) =>
      Object.entries(endpoint.input?.[inputPart]?.shape ?? {}).map(([field, schema]) => [
        field,
        z.toJSONSchema(schema as z.ZodType, { io: 'input', unrepresentable: 'any' }) as Json,
      ]),
    ),
  )
  schemaCache.set(name, fields)
  return fields
}

/**
 * Returns whether a value matches a JSON schema. A lookup matches every schema of a number or a text, because its value
 * is known only when the step runs.
 */
export function matchesSchema(json: Json, value: unknown): boolean {
  if (json.contentEncoding === 'binary') return typeof value === 'object' && value !== null && 'file' in value
  if (json.anyOf !== undefined) return json.anyOf.some((one) => matchesSchema(one, value))
  if (json.const !== undefined) return json.const === value
  if (json.enum !== undefined) return json.enum.includes(value)
  const types = [json.type ?? []].flat()
  if (isLookup(value)) return types.length === 0 || types.some((type) => ['integer', 'number', 'string'].includes(type))
  if (value === null) return types.includes('null')
  if (Array.isArray(value)) return types.includes('array')
  if (typeof value === 'boolean') return types.includes('boolean')
  if (typeof value === 'number') {
    if (!types.includes('number') && !types.includes('integer')) return false
    if (types.includes('integer') && !Number.isInteger(value)) return false
    return (
      value >= (json.minimum ?? -Infinity) &&
      value > (json.exclusiveMinimum ?? -Infinity) &&
      value <= (json.maximum ?? Infinity)
    )
  }
  if (typeof value !== 'string') return types.includes('object')
  if (types.length > 0 && !types.includes('string')) return false
  const patterns = [json, ...(json.allOf ?? [])].flatMap(({ pattern }) => pattern ?? [])
  return (
    value.length >= (json.minLength ?? 0) &&
    value.length <= (json.maxLength ?? Infinity) &&
    patterns.every((pattern) => new RegExp(pattern, 'u').test(value))
  )
}

const shuffle = <T>(choices: Choices, list: readonly T[]): T[] =>
  list
    .map((one) => ({ one, sortKey: choices.below(1e9) }))
    .sort((a, b) => a.sortKey - b.sortKey)
    .map(({ one }) => one)

function listCandidates(field: string): readonly unknown[] {
  const namedValues = VALUES_BY_FIELD.filter(([pattern]) => pattern.test(field)).flatMap(([, values]) => values)
  if (namedValues.length > 0) return namedValues
  const singularField = field.replace(/s$/, '')
  return singularField in ID_COLUMNS ? lookUpFew(singularField) : []
}

function chooseValue(
  choices: Choices,
  field: string,
  json: Json,
  wantedValues: readonly unknown[] | undefined,
): unknown {
  if (wantedValues === undefined && matchesSchema(json, null) && choices.chance(0.4)) return null
  for (const list of [wantedValues ?? [], choices.chance(0.92) ? listCandidates(field) : []]) {
    const candidate = shuffle(choices, list).find((value) => matchesSchema(json, value))
    if (candidate !== undefined) return candidate
  }
  if (json.anyOf !== undefined) return chooseValue(choices, field, choices.pick(json.anyOf), wantedValues)
  if (json.const !== undefined) return json.const
  if (json.enum !== undefined) return choices.pick(json.enum)
  const types = [json.type ?? []].flat()
  const type = types.find((one) => one !== 'null')
  switch (type) {
    case 'null':
      return null
    case 'boolean':
      return choices.chance(0.5)
    case 'integer':
    case 'number':
      return shuffle(choices, NUMBERS_OF_ANY_KIND).find((value) => matchesSchema(json, value)) ?? json.minimum ?? 0
    case 'array': {
      const { items = {}, minItems = 0, maxItems = 3 } = json
      const count = Math.min(maxItems, Math.max(minItems, choices.below(3)))
      return Array.from({ length: count }, () => chooseValue(choices, field, items, undefined))
    }
    case 'object':
      return Object.fromEntries(
        Object.entries(json.properties ?? {}).map(([name, one]) => [name, chooseValue(choices, name, one, undefined)]),
      )
    default:
      if (json.contentEncoding === 'binary') return { file: field }
      return shuffle(choices, TEXTS).find((value) => matchesSchema(json, value)) ?? ''
  }
}

/** Values for some fields, by name. */
export type WantedValues = Record<string, readonly unknown[]>

/** Creates a plausible input for a call, as one flat object; `wantedValues` lead to the thief's goal. */
export function createInput(
  choices: Choices,
  endpoint: Endpoint,
  wantedValues: WantedValues = {},
): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const [field, json] of Object.entries(listFields(endpoint))) {
    const fieldValues = wantedValues[field]
    if (json.default !== undefined && fieldValues === undefined && choices.chance(0.4)) continue
    input[field] = chooseValue(choices, field, json, fieldValues)
  }
  return { ...input, ...findHint(choices, endpoint, input) }
}

/** The rows whose versions calls name, by path: the field with the row's key, the table and the key's column. */
export const VERSIONED_ROWS: [call: RegExp, field: string, table: string, key: string][] = [
  [/rankings\/seasons/, 'season', 'seasons', 'season'],
  [/tournaments\/result/, 'match', 'tournament_matches', 'match'],
  [/tournaments/, 'tournament', 'tournaments', 'tournament'],
  [/leagues\/confirm/, 'war', 'league_wars', 'war'],
  [/leagues/, 'league', 'leagues', 'league'],
  [/admin\/events/, 'event', 'events', 'event'],
  [/rewards\/votes\/save/, 'site', 'vote_sites', 'site'],
  [/roles\/save/, 'role', 'staff_roles', 'role'],
  [/capsule/, 'capsule', 'capsules', 'capsule'],
  [/items\/save/, 'product_num', 'shop_items', 'product_num'],
  [/categories\/save/, 'id', 'shop_categories', 'id'],
  [/vouchers/, 'campaign', 'voucher_campaigns', 'id'],
  [/tickets/, 'number', 'tickets', 'number'],
  [/ready-answers/, 'answer', 'ready_answers', 'answer'],
  [/forum\/boards/, 'category', 'forum_boards', 'category'],
  [/banners/, 'id', 'banners', 'id'],
  [/downloads/, 'id', 'downloads', 'seq'],
  [/media/, 'id', 'media', 'id'],
  [/club-areas/, 'id', 'club_areas', 'id'],
]

type InputHint = (choices: Choices, input: Record<string, unknown>) => Record<string, unknown>

const TOURNAMENT = {
  level_from: 1,
  level_to: null,
  max_entries: 8,
  registration_from: toIsoTime(-DAY_MS),
  registration_until: toIsoTime(2 * HOUR_MS),
  checkin_from: toIsoTime(HOUR_MS),
  checkin_until: toIsoTime(3 * HOUR_MS),
  starts_at: toIsoTime(4 * HOUR_MS),
}

/** Chooses a letter's audience and gift with the fields that the choice needs, and no others. */
const createGift: InputHint = (choices, { to, gift: kind }) => ({
  ...Object.fromEntries(
    ['level_from', 'level_to', 'school', 'bought', 'gift_amount', 'gift_item', 'gift_quantity'].map((field) => [
      field,
      null,
    ]),
  ),
  link: '',
  ...(to === 'player' && { user_id: choices.pick(['puppet', 'friend', 'thief', 'rich']) }),
  ...(to === 'levels' && { level_from: 1, level_to: 100 }),
  ...(to === 'school' && { school: 0 }),
  ...(to === 'buyers' && { bought: lookUpNewest('item') }),
  ...((kind === 'r_coin' || kind === 'milleage') && { gift_amount: choices.pick(AMOUNTS) }),
  ...(kind === 'item' && { gift_item: choices.pick(lookUpFew('item')), gift_quantity: choices.pick([1, 2, 99]) }),
})

/** Fields that depend on each other, which a schema cannot express. */
const HINTS: Record<string, InputHint> = {
  'POST /admin/approvals/decide': (choices) => ({
    approval: lookUpNewest('approval', choices.below(3) === 0 ? 1 : 0),
    content_hash: lookUpNewest('its hash'),
    decision: choices.chance(0.9) ? 'approve' : 'reject',
  }),
  'POST /admin/players/change-email': () => ({ from: lookUpNewest('its email') }),
  'POST /admin/players/block': (choices) => ({
    block: lookUpNewest('its block'),
    ends_at: choices.pick([null, toIsoTime(30 * DAY_MS)]),
    note: '',
  }),
  'POST /admin/players/unblock': () => ({ block: lookUpNewest('its block') }),
  'POST /admin/players/confirm-email': () => ({ email: lookUpNewest('its email') }),
  'POST /admin/players/erase': () => ({ user_id: lookUpNewest('its user id') }),
  'POST /admin/letters/send': (choices, input) => ({
    ...createGift(choices, input),
    subject: 'News from the ring',
    body: 'Read this',
    gift_budget: choices.pick(AMOUNTS),
  }),
  'POST /admin/letters/recipients': createGift,
  'POST /admin/tournaments/save': (choices) => ({
    ...TOURNAMENT,
    format: 'single',
    prizes: [{ place: 1, gift: choices.pick(['r_coin', 'milleage']), amount: choices.pick(AMOUNTS), item: null }],
  }),
  'POST /admin/events/save': () => ({
    prize: 'A sword of the ring',
    news: null,
    starts_at: toIsoTime(DAY_MS),
    ends_at: toIsoTime(2 * DAY_MS),
  }),
  'POST /admin/rewards/votes/save': (choices) => ({
    ...Object.fromEntries(
      Object.entries(VOTE_LISTS.generic).filter(([field]) => field.endsWith('_field') || field.endsWith('_value')),
    ),
    site: choices.pick([null, lookUpNewest('vote site')]),
    list: 'generic',
    sender: '',
    link: 'https://ring.example/{account}',
    pause_hours: choices.pick([1, 1, 12]),
    visible: true,
    gift: 'milleage',
    amount: choices.pick(REWARDS),
    item: null,
  }),
  'POST /admin/rewards/votes/budget': (choices) => ({
    version: lookUpNewest('reward version of vote'),
    budget: choices.pick(BUDGETS),
  }),
  'POST /admin/rewards/daily/save': (choices) => ({
    version: lookUpNewest('reward version of daily'),
    budget: choices.pick(BUDGETS),
    days: [{ day: 0, gift: 'milleage', amount: choices.pick(REWARDS), item: null }],
  }),
  'POST /admin/rewards/friends/save': (choices) => ({
    version: lookUpNewest('reward version of friend'),
    budget: choices.pick(BUDGETS),
    gift: 'milleage',
    amount: choices.pick(REWARDS),
    item: null,
  }),
  'POST /admin/rewards/playtime/save': (choices) => ({
    version: lookUpNewest('reward version of playtime'),
    budget: choices.pick(BUDGETS),
    milleage: choices.pick(REWARDS),
  }),
  'POST /admin/rewards/starter/save': (choices) => ({
    version: lookUpNewest('reward version of starter'),
    budget: choices.pick(BUDGETS),
    gives: [{ item: lookUpNewest('item', choices.below(3)), quantity: choices.pick([1, 5, 99]) }],
  }),
  'POST /admin/rewards/votes/connect': () => ({ site: lookUpNewest('vote site'), secret: '' }),
  'POST /admin/forum/boards/save': (choices) => ({ category: choices.pick([100, 200]) }),
  'POST /admin/capsules/save': (choices) => {
    const share = choices.pick([1, 10_000, 500_000])
    return {
      chances: [
        { product_num: lookUpNewest('item'), chance: share },
        { product_num: lookUpNewest('item', 2), chance: 1_000_000 - share },
      ],
      price: choices.pick([1, 100, 1000, 20_000]),
      visible: true,
    }
  },
  'POST /admin/leagues/save': (choices) => ({
    points: '3',
    events: [lookUpNewest('event')],
    starts_at: toIsoTime(0),
    ends_at: toIsoTime(DAY_MS),
    prizes: [{ place: 1, gift: choices.pick(['r_coin', 'milleage']), amount: choices.pick(AMOUNTS), item: null }],
  }),
  'POST /admin/leagues/result': () => ({ version: null, scores: [{ club: 'Ring', value: 1 }] }),
  'POST /admin/tournaments/draw': () => ({
    tournament: lookUpNewest('tournament'),
    seeds: [lookUpNewest('entry'), lookUpNewest('entry', 1)],
    groups: null,
    advance: null,
  }),
  'POST /admin/tournaments/result': (choices) => ({
    match: lookUpNewest('match'),
    outcome: 'played',
    score1: choices.pick([0, 3]),
    score2: choices.pick([1, 2]),
    redraws: [],
  }),
  'POST /admin/tournaments/finalise': () => ({ tournament: lookUpNewest('tournament') }),
  'POST /admin/tournaments/pay': (choices) => ({
    tournament: lookUpNewest('tournament'),
    place: choices.pick([1, 1, 2]),
  }),
  'POST /admin/items/save': (choices, { sale_price }) => ({
    item_name: 'Sword of the ring',
    // Sometimes another item, with a number that was never sold or for a service in the shop.
    ...(choices.chance(0.4) && { product_num: null, version: null, game_product_num: choices.pick([null, 7_000_001]) }),
    ...choices.pick([
      { service: null, service_classes: [], service_schools: [], service_choices: [] },
      { product_num: null, version: null, game_product_num: null, service: 'name', service_pause_hours: 0 },
    ]),
    section: choices.pick([1, 2]),
    ...Object.fromEntries(
      ['icon', 'image_url', 'ribbon', 'ribbon_picture', 'sold_from', 'sold_until', 'account_limit'].map((field) => [
        field,
        null,
      ]),
    ),
    sale_starts_at: null,
    sale_ends_at: null,
    ...(sale_price !== null && { sale_price: 1, price: choices.pick([2, 100, 20_000]) }),
    hidden: false,
  }),
  'POST /admin/items/reprice': (choices) => ({
    target: choices.pick(['price', 'sale']),
    sale_starts_at: null,
    sale_ends_at: null,
  }),
  'POST /admin/vouchers': (choices) => ({
    count: choices.pick([1, 2]),
    r_coin: choices.pick(AMOUNTS),
    milleage: 0,
    expires: '',
    per_account: null,
    in_total: null,
    streamer: choices.pick(['', '', lookUpNewest('streamer')]),
  }),
  'POST /admin/files': () => ({ left: 0, top: 0, width: 1, height: 1 }),
  'POST /admin/media/save': () => ({ id: null, kind: 'gallery', films: '', captions: [], seconds: null }),
  // A port on which nothing listens, because the drill must not wait for other machines.
  'POST /admin/mail-server/try': (choices) => ({
    host: '127.0.0.1',
    port: choices.pick([1, lookUpNewest('mail port')]),
    sender: 'site@ring.example',
  }),
  'POST /admin/backups/target/try': (choices) =>
    choices.pick([
      { kind: 'folder', place: lookUpNewest('own folder') },
      { kind: 's3', place: 'http://127.0.0.1:1', bucket: 'ring', access_key: 'ring', secret: 'ring' },
    ]),
  ...Object.fromEntries(
    ['POST /admin/backups/check', 'POST /admin/backups/download', 'GET /admin/backups/{name}/file'].map(
      (call): [string, InputHint] => [call, () => ({ name: 'tambayan-2026-11-20T04-30-00.backup.gz' })],
    ),
  ),
  'POST /admin/mails/test': (choices) => ({ to: choices.pick(OWN_ADDRESSES) }),
  'POST /admin/rankings/seasons/save': () => ({ divisions: 'Gold 10\nThe rest 100' }),
  'POST /admin/discord/app': () => ({ client_id: '123456789012345678', client_secret: 'ring', bot_token: 'ring' }),
  'POST /admin/discord/app/remove': () => ({ client_id: '123456789012345678' }),
  'POST /admin/streamers': () => ({ code: 'FRIEND-1' }),
  'POST /admin/forum/moderators/save': (choices) => ({
    user_num: lookUpNewest(`number of ${choices.pick(['anna', 'puppet'])}`),
    boards: [100],
  }),
  ...Object.fromEntries(
    Object.entries({
      'settings.write': '/admin/settings/save',
      'site.write': '/admin/site/settings/save',
      'look.write': '/admin/look/names/save',
      'staff.write': '/admin/settings/staff/save',
      'maintenance.write': '/admin/maintenance/save',
    }).map(([permission, path]): [string, InputHint] => [
      `POST ${path}`,
      ({ pick, chance }) => {
        const name = pick(SETTING_NAMES.filter((one) => SETTINGS[one].permission === permission))
        const { kind } = SETTINGS[name]
        const values = {
          switch: [true, false],
          number: [5, 60, 999_999_999],
          text: ['Ring'],
          lines: ['Ring https://ring.example/x', '/events'],
          web: ['https://ring.example/x'],
          link: ['/news'],
          email: ['spare@ring.example'],
          webhook: ['https://discord.com/api/webhooks/1/ring'],
          moment: [toIsoTime(DAY_MS)],
        }
        const maintenance = {
          from: toIsoTime(0),
          until: toIsoTime(chance(0.5) ? HOUR_MS : 60_000),
          message: 'Back soon',
          allowed: ['thief'],
        }
        return {
          changes: [
            {
              name,
              version: pick([0, 0, 1, 2]),
              value: kind in values ? pick<unknown>(values[kind as keyof typeof values]) : maintenance,
            },
          ],
        }
      },
    ]),
  ),
  'POST /bridge/pair': () => ({
    code: lookUpNewest('seen code'),
    name: 'Game server',
    sign_key: lookUpNewest('own sign key'),
    seal_key: lookUpNewest('own seal key'),
  }),
  'POST /bridge/start': () => ({ epoch: '0'.repeat(32), counter: 1, password_form: 'plain' }),
  'POST /bridge/work': () => ({ wait_ms: 0 }),
  'POST /bridge/accounts': () => ({ wait_ms: 0 }),
}

/** Returns the fields of an input that depend on its caller, or on each other. */
function findHint(choices: Choices, endpoint: Endpoint, input: Record<string, unknown>): Record<string, unknown> {
  const isPlayerCall = endpoint.access === 'player' || endpoint.access === 'visitor'
  const callerFields = Object.fromEntries(
    Object.entries({ UserNum: 'own number', usernum: 'own number', UserID: 'own user id', UserPass: 'own password' })
      .filter(([field]) => isPlayerCall && field in input && choices.chance(0.95))
      .map(([field, lookupName]) => [field, lookUpNewest(lookupName)]),
  )
  const version =
    matchesSchema(listFields(endpoint).version ?? {}, 1) && choices.chance(0.95) && 'version' in input
      ? { version: lookUpNewest('its version') }
      : {}
  return { ...callerFields, ...version, ...HINTS[formatCallName(endpoint)]?.(choices, input) }
}
