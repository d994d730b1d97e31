import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Endpoint } from '#contract/endpoint.ts'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import { OWNER } from '#contract/permissions.ts'
import { isBlocked } from '../db/blocked.ts'
import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { Refusal } from '../errors.ts'
import { readSettingsNow } from '../settings.ts'
import { writeAudit } from './audit.ts'
import type { Fields } from './input.ts'
import { permissionsOf, type Staff } from './staff.ts'

/** Money that an operator moves: R-Coin plus Milleage. */
export type Spending = {
  amount: number
  kind: 'adjustment' | 'voucher' | 'refund' | 'gift' | 'prize' | 'redirect'
  /** Whose accounts get it. */
  accounts: readonly number[]
  /** What would happen, for who approves it. */
  summary: string
}

/** Something that another operator, or another owner, has to agree to. */
export type Guarded = Pick<Spending, 'accounts' | 'summary'> & { by: 'operator' | 'owner' }

const DAY_MS = 24 * 3_600_000
const APPROVAL_GOOD_MS = 7 * DAY_MS
/** A role that is younger cannot approve. */
const ROLE_SETTLED_MS = DAY_MS

/** Ends a call that has to be approved first; what it did so far is rolled back. */
export class ApprovalNeeded extends Error {
  override name = 'ApprovalNeeded'
  readonly request: { kind: string; amount: number | null; onlyOwner: boolean; accounts: number[]; summary: string }

  constructor(request: ApprovalNeeded['request']) {
    super(request.summary)
    this.request = request
  }
}

const refuseOwnAccount = (staff: Staff, accounts: readonly number[]) => {
  if (accounts.includes(staff.userNum))
    throw new Refusal(403, 'own-account', 'Another operator has to do this for your account.', {
      extra: { reason: 'own-account' },
    })
}

/**
 * Counts money that an operator moves against the limit for 24 hours. Calls of one operator take turns until their
 * transactions end, so that two at once cannot both stay below it.
 *
 * @param isApproved whether the call runs by an approval; then it is not counted
 * @throws ApprovalNeeded above the limit
 * @throws Refusal 403 for the operator's own account
 */
export async function spendAllowance(
  { db: tx, now, config }: Pick<Deps, 'db' | 'now' | 'config'>,
  staff: Staff,
  { amount, kind, accounts, summary }: Spending,
  isApproved: boolean,
): Promise<void> {
  refuseOwnAccount(staff, accounts)
  if (isApproved || amount <= 0) return
  await sql`select pg_advisory_xact_lock(hashtextextended('staff_spending ' || ${staff.userNum}, 0))`.execute(tx)
  const { spent } = await tx
    .selectFrom('staff_spending')
    .where('actor', '=', staff.userNum)
    .where('at', '>', new Date(now().getTime() - DAY_MS))
    .select(sql<number>`coalesce(sum(amount), 0)::bigint`.as('spent'))
    .executeTakeFirstOrThrow()
  const { approval_limit: limit, approvals_on: isOn } = await readSettingsNow({ db: tx, config })
  if (isOn && Number(spent) + amount > limit)
    throw new ApprovalNeeded({ kind, amount, onlyOwner: false, accounts: [...accounts], summary })
  await tx.insertInto('staff_spending').values({ actor: staff.userNum, kind, amount, at: now() }).execute()
}

/**
 * Asks for another operator's consent, or another owner's. Where the caller is the only operator, an owner's consent is
 * not asked for.
 *
 * @returns whether that was so, which the caller records
 * @throws ApprovalNeeded unless the call runs by an approval
 * @throws Refusal 403 for the operator's own account; 409 where there is nobody who could agree
 */
export async function requireApproval(
  tx: Db,
  staff: Staff,
  { by, accounts, summary }: Guarded,
  isApproved: boolean,
): Promise<{ isOnlyOperator: boolean }> {
  refuseOwnAccount(staff, accounts)
  if (isApproved) return { isOnlyOperator: false }
  const others = await tx
    .selectFrom('staff_members as m')
    .innerJoin('accounts as a', 'a.user_num', 'm.user_num')
    .where('m.user_num', '<>', staff.userNum)
    .where('a.user_type', '>=', ADMIN_USER_TYPE)
    .where((eb) => eb.not(isBlocked('a')))
    .select(['m.user_num', 'm.role'])
    .execute()
  if (by === 'owner' && others.length === 0) return { isOnlyOperator: true }
  const mayAgree = others.filter(
    ({ user_num, role }) => !accounts.includes(user_num) && (by === 'operator' || role === OWNER),
  )
  if (mayAgree.length === 0)
    throw new Refusal(
      409,
      'nobody-to-agree',
      by === 'owner'
        ? 'This needs another owner, and there is none. Whoever runs the server can make one: npm run staff -- owner USERID.'
        : 'This needs another operator, and there is none. Invite one under Staff; they can approve it a day later.',
    )
  throw new ApprovalNeeded({ kind: by, amount: null, onlyOwner: by === 'owner', accounts: [...accounts], summary })
}

const nameOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path}`

/** The hash of what would be done: the call and its whole input, its fields in a fixed order. */
export function hashContent(call: string, input: Fields): string {
  const sorted = (_: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value
  return createHash('sha256')
    .update(JSON.stringify([call, input], sorted))
    .digest('hex')
}

/**
 * Keeps a call until another operator decides on it. The same call of the same operator, sent again, is the same request.
 *
 * @returns the refusal that tells the caller: HTTP 202, nothing done
 */
export async function keepForApproval(
  db: Db,
  {
    endpoint,
    input,
    staff,
    needed,
    now,
    address,
  }: {
    endpoint: Endpoint
    input: Fields
    staff: Staff
    needed: ApprovalNeeded
    now: Date
    address: string
  },
): Promise<Refusal> {
  const { kind, amount, onlyOwner, accounts, summary } = needed.request
  const call = nameOf(endpoint)
  const approval = await db.transaction().execute(async (tx) => {
    const content_hash = hashContent(call, input)
    await sql`select pg_advisory_xact_lock(hashtextextended(${content_hash}, 0))`.execute(tx)
    await tx
      .updateTable('approvals')
      .set({ state: 'withdrawn' })
      .where('content_hash', '=', content_hash)
      .where('state', '=', 'waiting')
      .where('expires_at', '<=', now)
      .execute()
    const known = await tx
      .selectFrom('approvals')
      .where('content_hash', '=', content_hash)
      .where('requested_by', '=', staff.userNum)
      .where('state', '=', 'waiting')
      .select('approval')
      .executeTakeFirst()
    if (known !== undefined) return known.approval
    const { approval } = await tx
      .insertInto('approvals')
      .values({
        call,
        input: JSON.stringify(input),
        content_hash,
        kind,
        amount,
        summary,
        only_owner: onlyOwner,
        accounts,
        requested_by: staff.userNum,
        requested_at: now,
        expires_at: new Date(now.getTime() + APPROVAL_GOOD_MS),
      })
      .returning('approval')
      .executeTakeFirstOrThrow()
    await writeAudit(tx, {
      at: now,
      actor: { kind: 'person', userNum: staff.userNum },
      permission: endpoint.access,
      action: 'approval requested',
      target: ['approval', approval],
      after: { call, amount, content_hash },
      address,
    })
    return approval
  })
  const who = onlyOwner ? 'Another owner' : 'Another operator'
  return new Refusal(202, 'approval', `${who} has to approve this first. We've put it on their list.`, {
    extra: { approval },
  })
}

/**
 * Whether somebody may decide on a request: not their own, not about their account, with a role that is a day old, and as
 * an owner where only an owner may. @returns the reason why not, or null
 */
export async function whyNotDecide(
  tx: Db,
  staff: Staff,
  request: { requested_by: number; accounts: readonly number[]; only_owner: boolean },
  now: Date,
): Promise<string | null> {
  if (request.requested_by === staff.userNum) return 'You asked for this yourself, so another operator has to decide.'
  if (request.accounts.includes(staff.userNum))
    return 'This is about your own account, so another operator has to decide.'
  const roles = await tx
    .selectFrom('staff_members as m')
    .innerJoin('staff_roles as r', 'r.role', 'm.role')
    .where('m.user_num', '=', staff.userNum)
    .where('m.granted_at', '<=', new Date(now.getTime() - ROLE_SETTLED_MS))
    .select(['r.role', 'r.permissions'])
    .execute()
  const settled = roles.filter(({ role, permissions }) => permissionsOf(role, permissions).includes('approvals.decide'))
  if (settled.length === 0) return 'Your role is less than a day old. You can approve requests from tomorrow.'
  if (request.only_owner && !settled.some(({ role }) => role === OWNER))
    return 'Only someone who has been an owner for more than a day can decide on this.'
  return null
}
