import type { KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import { decryptSealed } from '#bridge/sealed.ts'
import type { SealPurpose } from '#contract/bridge-sealing.ts'
import { DAY_MS } from '#contract/durations.ts'
import { CONFIRMATION_VALID_MS } from '#contract/limits.ts'
import { OWNER, PERMISSIONS } from '#contract/permissions.ts'
import { isSuspended } from '#server/features/vouchers/campaigns.ts'
import { findStaff } from '#server/http/staff.ts'
import { CURRENT_SERVER_NUM } from '#server/mail/servers.ts'
import { readSettingsNow } from '#server/settings.ts'
import type { TestApp } from './helpers.ts'
import {
  APPROVED_REWARDS,
  HONEST,
  HONEST_PLAYERS,
  HONEST_STAFF,
  type Name,
  RING,
  type ThiefWorld,
} from './thief-world.ts'

/** A violation: its kind and its description. */
export type Finding = { kind: Kind; description: string }

/** The kinds of violations, with their meanings. */
const KINDS = {
  'above-limit': 'All accounts or the ring gained more than the limit within 24 hours, without an honest approval',
  'own-account': 'The thief’s own account gained new value',
  unconfirmed: 'A call of the desk gave something of value in a session without a valid confirmation',
  'staff email': 'The email address of an owner or operator was changed without another owner',
  'staff password': 'A password of an owner or operator was changed',
  'staff secret answer': 'The secret answer of an owner or operator was changed',
  'staff factors': 'The second factors of an owner or operator were changed',
  'staff roles': 'The roles of an owner were changed without another owner',
  'staff block': 'An owner or operator was blocked',
  'staff erasure': 'An owner or operator was erased',
  session: 'The ring is logged in as an honest person',
  'own-rights': 'The thief gained permissions',
  'sensitive-right': 'A player of the ring was given a sensitive permission without another owner',
  bridge: 'The ring paired a bridge without another owner',
  password: 'A password of another person was left in plain text',
  secret: 'The ring was shown a link that was mailed to another person',
  'mail server': 'The mail of the site goes over another server without another owner',
  backups: 'The ring may download a backup, or backups are copied elsewhere, without another owner',
  download: 'A download of the players was changed without another owner',
  address: 'Players are shown an address of the ring’s without another owner',
  'cheap service': 'A service is for sale below half of what it costs, or an item below the floor, without an approval',
  'lost account':
    'An honest player was erased within seven days of the request, or more than three were locked in 24 hours without an approval',
  'lost codes':
    'Sold codes were lost within seven days of their suspension, or those of two campaigns suspended in 24 hours without an approval',
  'lost property': 'An honest player lost money or goods otherwise than by a correction that the ledger names',
  ledger: 'The ledger and the balances disagree, as `npm run ledger:check` finds',
  'nobody-left': 'No owner can open the desk',
} as const
export type Kind = keyof typeof KINDS

/**
 * The holdings of every account in R-Coin and Milleage: its balances, and the worth of its purchases, prizes and gifts.
 */
const HOLDINGS = sql<{ user_num: number; money: number; goods: number }>`
  with usual as (
    select coalesce(game_product_num, product_num) as game_num, max(price) as price from kept.shop_items group by 1),
  worths as (
    select i.product_num, u.price from public.shop_items i join usual u on u.game_num = coalesce(i.game_product_num, i.product_num)),
  capsule_worth as (
    select c.capsule, c.version, greatest(sum(c.chance * w.price) / 1000000.0, avg(coalesce(w.price, 0))) as worth
    from capsule_chances c left join worths w using (product_num) group by 1, 2),
  units as (
    select coalesce(d.deliver_to, d.user_num) as user_num,
      coalesce(g.value / nullif(g.quantity, 0), p.price) as paid,
      g.letter is not null and g.buyer is null as is_given,
      d.product_num, k.worth as drawn_worth
    from deliveries d
    join purchases p on p.user_num = d.user_num and p.ordinal = d.ordinal
    left join letter_gifts g on g.letter = p.gift
    left join capsule_draws c on c.user_num = d.user_num and c.ordinal = d.ordinal
    left join capsule_worth k on k.capsule = c.capsule and k.version = c.version
    where d.state <> 'refunded'),
  goods as (
    select user_num, sum(case
      when drawn_worth is not null then greatest(drawn_worth, paid)
      when w.price is null or (not is_given and 2 * paid >= w.price) then paid
      else greatest(paid, w.price) end) as worth
    from units left join worths w using (product_num) group by 1)
  select a.user_num, (a.r_coin + a.milleage)::float8 as money, coalesce(g.worth, 0)::float8 as goods
  from accounts a left join goods g using (user_num)`

/** The value that can still be claimed, in open gifts and vouchers, and the part that players paid for. */
const CLAIMABLE = sql<{ worth: number; bought: number }>`
  with worths as (
    select i.product_num, u.price from public.shop_items i join (
      select coalesce(game_product_num, product_num) as game_num, max(price) as price from kept.shop_items group by 1) u
      on u.game_num = coalesce(i.game_product_num, i.product_num))
  select (coalesce((select sum(case
        when g.product_num is null or w.price is null or (g.buyer is not null and 2 * g.value >= w.price) then g.budget - g.claimed
        else (g.budget - g.claimed) * greatest(1, w.price * g.quantity / greatest(g.value, 1)) end)
      from letter_gifts g left join worths w using (product_num) where g.state = 'open'), 0)
    + coalesce((select sum(greatest(0, least(codes - revoked, coalesce(in_total, codes)) - redeemed) * (r_coin + milleage))
      from voucher_campaigns), 0))::float8 as worth,
    coalesce((select sum(budget - claimed) from letter_gifts where state = 'open' and buyer is not null), 0)::float8 as bought`

/** Facts about honest staff that no operator can change alone. */
const selectStaffFacts = (numbers: readonly number[]) => sql<{ user_num: number; facts: Record<string, unknown> }>`
  select a.user_num, jsonb_build_object(
    'email', a.user_email, 'password', md5(a.password_hash || coalesce(a.second_password_hash, '')),
    'secret answer', md5(a.secret_answer_hash), 'block', a.blocked_at is not null, 'erasure', a.erased_at is not null,
    'factors', (select jsonb_agg(f.factor order by f.factor) from account_factors f where f.user_num = a.user_num),
    'roles', (select jsonb_agg(m.role order by m.role) from staff_members m where m.user_num = a.user_num)) as facts
  from accounts a where a.user_num in (${sql.join(numbers)}) order by a.user_num`

/** The losses of honest players: locked or erased accounts, and campaigns with suspended or revoked codes. */
const selectLosses = (numbers: readonly number[], now: Date) => sql<{
  kind: 'account' | 'campaign'
  id: number
  is_permanent: boolean
}>`
  select 'account' as kind, a.user_num as id, a.erased_at is not null as is_permanent
  from accounts a where a.user_num in (${sql.join(numbers)}) and (a.erased_at is not null or a.erasure_due_at is not null)
  union all
  select 'campaign', k.campaign, bool_or(v.code_hash is null or not (${isSuspended(now)}))
  from kept.vouchers k left join vouchers v using (code_hash) where v.code_hash is null or v.revoked_at is not null
  group by 2`

/** The number of irreversible calls that an operator can make in 24 hours without approval, by target. */
const UNAPPROVED_MAX = { account: 3, campaign: 1 } as const

type Loss = { kind: keyof typeof UNAPPROVED_MAX; id: number; isPermanent: boolean }

type Holding = { money: number; goods: number }
/** The value that all accounts and the ring have at a time. */
type Totals = { at: number; all: number; ring: number }
type State = {
  holdings: Map<number, Holding>
  /** The value of open gifts and vouchers that can still be claimed. */
  claimable: number
  /** The part of `claimable` that players paid for. */
  bought: number
  /** Facts about honest staff. */
  facts: Map<number, Record<string, unknown>>
  /** The permissions of each member of the ring. */
  rights: Map<number, ReadonlySet<string>>
  /** A hash of all visible downloads. */
  downloads: string
  /** The number of the ring's addresses on pages and in settings. */
  addresses: number
  /** The number of services and items without a usual price that are sold too cheaply. */
  cheap: number
  mailServer: number | null
  /** The target of backups, and the operators who can download one. */
  backups: string
  losses: Loss[]
  /**
   * What each honest player has and paid for. Redirecting a purchase counts against the limit and can be reversed, so
   * it is no loss here.
   */
  property: Map<number, number>
  /** The amount that operators took from honest players by corrections of balances. */
  corrected: number
}

/** The books of a run: the state after the last step of everything that a thief could gain or destroy, and its history. */
export type Books = {
  site: TestApp
  world: ThiefWorld
  /** Tokens of links mailed to honest people. */
  honestSecrets: string[]
  keys: { sealKey: KeyObject; signKey: string }
  limit: number
  before: State
  history: Totals[]
  /** The times at which accounts and campaigns of honest players were locked or suspended without approval. */
  locks: { at: number; loss: Loss }[]
  findBridge(): Promise<number | undefined>
}

export async function openBooks(site: TestApp, world: ThiefWorld, keys: Books['keys']): Promise<Books> {
  const before = await readState(site, world)
  const { approval_limit: limit } = await readSettingsNow(site)
  const findBridge = async () =>
    (
      await site.db
        .selectFrom('bridges')
        .where('sign_key', '=', keys.signKey)
        .where('revoked_at', 'is', null)
        .select('bridge')
        .executeTakeFirst()
    )?.bridge
  return {
    site,
    world,
    honestSecrets: [],
    keys,
    limit,
    before,
    history: [createTotals(site, world, before)],
    locks: [],
    findBridge,
  }
}

const findUserNums = (world: ThiefWorld, names: readonly Name[]) =>
  names.flatMap((name) => world.people.get(name)?.userNum ?? [])

async function readState(site: TestApp, world: ThiefWorld): Promise<State> {
  const { db } = site
  const holdings = await HOLDINGS.execute(db)
  const claimableValue = await CLAIMABLE.execute(db)
  const facts = await selectStaffFacts(findUserNums(world, HONEST_STAFF)).execute(db)
  const rights = new Map<number, ReadonlySet<string>>()
  for (const userNum of findUserNums(world, RING))
    rights.set(userNum, (await findStaff(db, userNum))?.permissions ?? new Set())
  const downloads = await sql<{ digest: string }>`
    select coalesce(md5(string_agg(link_address || ' ' || link_description, ',' order by seq)), '') as digest
    from downloads where visible`.execute(db)
  const backups = await sql<{ digest: string }>`
    select concat((select target from backup_targets where used_at is not null and ended_at is null), ' ',
      (select count(*) from backup_downloads)) as digest`.execute(db)
  const addresses = await sql<{ count: number }>`
    select (select count(*) from settings where name in ('agent_url', 'social_url', 'more_links', 'operator_email', 'announcement_link')
        and value::text like '%ring.example%')::int
      + (select count(*) from documents where published::text like '%ring.example%')::int
      + (select count(*) from banners where visible and href like '%ring.example%')::int as count`.execute(db)
  const cheapItems = await sql<{ count: number }>`
    select count(*)::int as count from shop_items i where not exists (select from kept.shop_items k where k.product_num = i.product_num)
      and least(i.price, coalesce(i.sale_price, i.price)) < coalesce(
        (select max(k.price) / 2.0 from kept.shop_items k where k.service = i.service
          or i.service is null and coalesce(k.game_product_num, k.product_num) = coalesce(i.game_product_num, i.product_num)),
        case when i.service = 'unstuck' then 0 else 100 end)`.execute(db)
  const losses = await readLosses(site, findUserNums(world, HONEST_PLAYERS))
  const players = sql.join(findUserNums(world, HONEST_PLAYERS))
  const corrections = await sql<{ taken: number }>`
    select coalesce(-sum(delta), 0)::float8 as taken from ledger
    where delta < 0 and actor is not null and actor <> user_num and user_num in (${players})`.execute(db)
  const property = await sql<{ user_num: number; worth: number }>`
    select a.user_num, (a.r_coin + a.milleage + (
      select coalesce(sum(p.price), 0) from deliveries d join purchases p using (user_num, ordinal)
      where d.user_num = a.user_num and d.state <> 'refunded'))::float8 as worth
    from accounts a where a.user_num in (${players})`.execute(db)
  const mailServer = await sql<{ server: number | null }>`select ${CURRENT_SERVER_NUM} as server`.execute(db)
  return {
    holdings: new Map(holdings.rows.map(({ user_num, ...row }) => [user_num, row])),
    claimable: claimableValue.rows[0]?.worth ?? 0,
    bought: claimableValue.rows[0]?.bought ?? 0,
    facts: new Map(facts.rows.map(({ user_num, facts }) => [user_num, facts])),
    rights,
    downloads: downloads.rows[0]?.digest ?? '',
    addresses: addresses.rows[0]?.count ?? 0,
    cheap: cheapItems.rows[0]?.count ?? 0,
    mailServer: mailServer.rows[0]?.server ?? null,
    backups: backups.rows[0]?.digest ?? '',
    losses,
    property: new Map(property.rows.map(({ user_num, worth: value }) => [user_num, value])),
    corrected: corrections.rows[0]?.taken ?? 0,
  }
}

async function readLosses({ db, clock }: TestApp, players: readonly number[]): Promise<Loss[]> {
  const { rows } = await selectLosses(players, clock.now()).execute(db)
  return rows.map(({ kind, id, is_permanent }) => ({ kind, id, isPermanent: is_permanent }))
}

const sumHoldings = (holdings: Iterable<Holding>) =>
  [...holdings].reduce((sum, { money, goods }) => sum + money + goods, 0)

/**
 * Sums the values of all accounts and of the ring. Every dishonest account belongs to the ring, including accounts that
 * it creates.
 */
function createTotals(site: TestApp, world: ThiefWorld, { holdings, claimable }: State): Totals {
  const honestNumbers = new Set(findUserNums(world, HONEST))
  const ringHoldings = [...holdings].filter(([userNum]) => !honestNumbers.has(userNum)).map(([, row]) => row)
  return {
    at: site.clock.now().getTime(),
    all: sumHoldings(holdings.values()) + claimable,
    ring: sumHoldings(ringHoldings) + claimable,
  }
}

export type StepContext = {
  /** The name of the call, or the kind of another step. */
  call: string
  /** Whether an honest operator acted and may have approved something. */
  isApproved: boolean
  /** The text of the response. */
  text: string
  isDesk: boolean
  /** The hash of the caller's session token. */
  tokenHash: string | undefined
  /** The honest people whose sessions the ring has. */
  stolen: string[]
}

/** Returns the links mailed to other people that a response reveals to the ring. */
export const findSecrets = ({ honestSecrets }: Books, text: string): Finding[] =>
  honestSecrets.some((secret) => text.includes(secret))
    ? [{ kind: 'secret', description: 'A link that was mailed to another person' }]
    : []

/** Compares the books with their state before a step. @returns the violations since then */
export async function checkBooks(books: Books, stepContext: StepContext): Promise<Finding[]> {
  const { site, world, before } = books
  const findings: Finding[] = []
  const addFinding = (kind: Kind, description: string) => findings.push({ kind, description })
  const after = await readState(site, world)
  const totals = createTotals(site, world, after)
  const lastTotals = books.history.at(-1) ?? totals
  books.before = after
  books.history.push(totals)

  // Value that an honest operator approved does not count as a gain of all accounts, but as one of the ring.
  const approvedAmount = stepContext.isApproved ? totals.all - lastTotals.all : 0
  for (const earlierTotals of books.history) if (earlierTotals !== totals) earlierTotals.all += approvedAmount
  const recentTotals = books.history.filter((_, index) => (books.history[index + 1] ?? totals).at > totals.at - DAY_MS)
  for (const key of ['all', 'ring'] as const) {
    const gain = totals[key] - Math.min(...recentTotals.map((earlierTotals) => earlierTotals[key]))
    if (totals[key] > lastTotals[key] && gain > books.limit + APPROVED_REWARDS)
      addFinding('above-limit', `${key === 'all' ? 'All accounts' : 'The ring'} gained ${gain} within 24 hours`)
  }
  const [thief = 0] = findUserNums(world, ['thief'])
  const ownHoldings = { was: before.holdings.get(thief), is: after.holdings.get(thief) }
  if (ownHoldings.was && ownHoldings.is) {
    const gain = sumHoldings([ownHoldings.is]) - sumHoldings([ownHoldings.was])
    // Value that a friend paid for and the thief claims is no gain of the ring.
    const totalGain =
      sumHoldings(after.holdings.values()) + after.bought - sumHoldings(before.holdings.values()) - before.bought
    if (gain > 0 && totalGain > 0 && ownHoldings.is.money >= ownHoldings.was.money)
      addFinding('own-account', `The thief’s account gained ${gain}`)
  }
  if (stepContext.isDesk && totals.all > lastTotals.all && !(await isConfirmed(books, stepContext.tokenHash)))
    addFinding('unconfirmed', `${totals.all - lastTotals.all} were given by ${stepContext.call}`)

  for (const [userNum, formerFacts] of before.facts) {
    const currentFacts = after.facts.get(userNum) ?? {}
    for (const fact of Object.keys(formerFacts)) {
      // An operator who manages the staff may give a colleague a plain role and remove one, except from an owner.
      if (fact === 'roles' && !(formerFacts.roles as string[]).includes(OWNER)) continue
      if (JSON.stringify(formerFacts[fact]) !== JSON.stringify(currentFacts[fact]))
        addFinding(`staff ${fact}` as Kind, `The ${fact} of ${findName(world, userNum)} changed`)
    }
  }
  findings.push(...findLosses(books, after, { before, isApproved: stepContext.isApproved }))

  for (const name of stepContext.stolen) addFinding('session', `The ring is logged in as ${name}`)
  for (const [userNum, rights] of after.rights) {
    const formerRights = before.rights.get(userNum)
    const newRights = [...rights].filter((right) => !formerRights?.has(right))
    if (newRights.length === 0) continue
    if (userNum === thief) addFinding('own-rights', `The thief gained ${newRights.join(', ')}`)
    else if (newRights.some(isSensitive))
      addFinding('sensitive-right', `${findName(world, userNum)} gained ${newRights.join(', ')}`)
  }
  if (after.downloads !== before.downloads) addFinding('download', 'A download has another address or hash')
  if (after.addresses > before.addresses && !stepContext.isApproved)
    addFinding('address', 'An address of the ring’s is shown')
  if (after.cheap > before.cheap && !stepContext.isApproved)
    addFinding('cheap service', 'A new item or service is too cheap')
  if (after.mailServer !== before.mailServer) addFinding('mail server', `Mail goes over server ${after.mailServer}`)
  if (after.backups !== before.backups) addFinding('backups', `The target and the downloads are ${after.backups}`)
  findings.push(...findSecrets(books, stepContext.text))
  await checkBridge(books, addFinding)
  if (!(await canOpenDesk(books))) addFinding('nobody-left', 'No owner can open the desk')
  return findings
}

/**
 * Finds the losses of honest players in a step: property, and accounts and codes that are lost too early or in too
 * large numbers.
 */
function findLosses(
  { site, world, locks }: Books,
  after: State,
  { before, isApproved }: { before: State; isApproved: boolean },
): Finding[] {
  const findings: Finding[] = []
  const now = site.clock.now().getTime()
  const isSame = (a: Loss, b: Loss) => a.kind === b.kind && a.id === b.id
  for (const loss of after.losses) {
    const { kind, id, isPermanent } = loss
    const knownLoss = before.losses.find((earlierLoss) => isSame(earlierLoss, loss))
    const lock = locks.findLast((earlierLock) => isSame(earlierLock.loss, loss))
    if (knownLoss === undefined && !isApproved) locks.push({ at: now, loss })
    const lostAt = knownLoss === undefined ? now : (lock?.at ?? 0)
    if (isPermanent && knownLoss?.isPermanent !== true && now - lostAt < 7 * DAY_MS)
      findings.push({
        kind: `lost ${kind === 'account' ? 'account' : 'codes'}`,
        description: `${kind} ${id} is lost already`,
      })
    const recentLocks = locks.filter((recentLock) => recentLock.loss.kind === kind && recentLock.at > now - DAY_MS)
    const targets = new Set(recentLocks.map((recentLock) => recentLock.loss.id)).size
    if (knownLoss === undefined && !isApproved && targets > UNAPPROVED_MAX[kind])
      findings.push({ kind: `lost ${kind === 'account' ? 'account' : 'codes'}`, description: `${targets} in 24 hours` })
  }
  for (const userNum of findUserNums(world, HONEST_PLAYERS)) {
    const lostValue = (before.property.get(userNum) ?? 0) - (after.property.get(userNum) ?? 0)
    if (
      lostValue > Math.max(0, after.corrected - before.corrected) &&
      !after.losses.some(({ kind, id }) => kind === 'account' && id === userNum)
    )
      findings.push({ kind: 'lost property', description: `${findName(world, userNum)} lost ${lostValue}` })
  }
  return findings
}

const findName = (world: ThiefWorld, userNum: number) =>
  [...world.people.values()].find((person) => person.userNum === userNum)?.name ?? userNum

async function isConfirmed({ site }: Books, tokenHash: string | undefined): Promise<boolean> {
  const session = await site.db
    .selectFrom('sessions')
    .where('token_hash', '=', tokenHash ?? '')
    .select('confirmed_at')
    .executeTakeFirst()
  return (
    session?.confirmed_at != null &&
    session.confirmed_at.getTime() + CONFIRMATION_VALID_MS >= site.clock.now().getTime()
  )
}

/**
 * Returns whether an owner can open the desk: neither blocked nor suspended, and with a second factor if the desk
 * requires one.
 */
async function canOpenDesk({ site, world }: Books): Promise<boolean> {
  const { require_staff_factor: needsFactor } = await readSettingsNow(site)
  for (const userNum of findUserNums(world, ['maria', 'jose', ...RING])) {
    const staff = await findStaff(site.db, userNum)
    if (staff?.roles.includes(OWNER) && (staff.hasFactor || !needsFactor)) return true
  }
  return false
}

/** Checks whether the ring has a bridge, and whose passwords its key opens. */
async function checkBridge(books: Books, addFinding: (kind: Kind, description: string) => void): Promise<void> {
  const { site, world, keys } = books
  const bridge = await books.findBridge()
  if (bridge === undefined) return
  addFinding('bridge', `Bridge ${bridge} has the ring’s keys`)
  const forms = await site.db
    .selectFrom('game_forms')
    .where('bridge', '=', bridge)
    .select(['user_num', 'purpose', 'version', 'sealed'])
    .execute()
  const drafts = await sql<{ user_num: number; purpose: SealPurpose; version: number; sealed: string }>`
    select c.user_num, 'password' as purpose, d.version, d.sealed
    from game_form_drafts d join login_challenges c using (challenge_hash) where d.bridge = ${bridge}`.execute(site.db)
  for (const { user_num: account, purpose, version, sealed } of [...forms, ...drafts.rows]) {
    const person = [...world.people.values()].find(
      ({ name, userNum }) => (HONEST as readonly Name[]).includes(name) && userNum === account,
    )
    if (person === undefined) continue
    const text = decryptSealed(sealed, keys.sealKey, { account, purpose, version })
    if (text === person.password) addFinding('password', `The ring reads the password of ${person.name}`)
  }
}

const isSensitive = (right: string) => PERMISSIONS[right as keyof typeof PERMISSIONS].isSensitive
