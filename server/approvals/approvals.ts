import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { OWNER } from '#contract/permissions.ts'
import type { RewardSource } from '#contract/rewards.ts'
import type { Db } from '../db/open.ts'
import type { JsonObject } from '../db/schema/json.ts'
import type { Deps } from '../deps.ts'
import { Refusal } from '../errors.ts'
import type { Staff } from '../http/staff.ts'
import { readSettingsNow } from '../settings.ts'
import { type Approver, canEverApprove, getApprovalStart, selectApprovers } from './approvers.ts'

/**
 * The resolved effect of a call: account numbers, amounts, items and texts, under names that the desk shows (DESK-10).
 * It contains no balances; for a letter to many players it contains the rule that selects them. An approved call runs
 * only if its effect is unchanged.
 */
export type Effect = JsonObject

/** Money that an operator moves: R-Coin plus Milleage. */
export type Payout = {
  amount: number
  kind: 'adjustment' | 'voucher' | 'refund' | 'gift' | 'prize' | 'redirect' | 'reward'
  /** The accounts that receive it. */
  accounts: readonly number[]
  /** One sentence about the effect, for the approver. */
  summary: string
  effect: Effect
  /**
   * The reward sources that together pay `amount` every 24 hours. The caller stores the amount as a charge
   * (`reward_charges`), which replaces the charges of these sources. Above the limit, another owner has to approve it.
   */
  sources?: readonly RewardSource[]
}

/** An action that needs the approval of another operator or another owner. */
export type ApprovalSubject = Pick<Payout, 'accounts' | 'summary' | 'effect'> & {
  approverKind: 'operator' | 'owner'
}

/** A change that destroys something, with the facts that an owner needs to approve it. */
export type IrreversibleChange = Pick<Payout, 'accounts' | 'summary' | 'effect'> & {
  /** The destroyed object, such as `['player', 17]`. */
  target: readonly [kind: string, id: number]
}

/** A granted approval. The call runs only if it has this effect. */
export type GrantedApproval = {
  effect: Effect
  accounts: readonly number[]
  onlyOwner: boolean
  approvedBy: number | null
}

/** Ends a call that has to be approved first. Its changes are rolled back. */
export class ApprovalNeeded extends Error {
  override name = 'ApprovalNeeded'
  readonly request: Omit<GrantedApproval, 'approvedBy'> & {
    kind: string
    amount: number | null
    summary: string
    approvers: Approver[]
  }

  constructor(request: ApprovalNeeded['request']) {
    super(request.summary)
    this.request = request
  }
}

/** Serializes a value. Equal values give the same text, whatever the order of their fields. */
export const toCanonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

const EFFECT_CHANGED_MESSAGE =
  'Nothing was changed: the result would differ from what was approved. Submit the request again.'

/** @throws Refusal 409 with the approved and the actual effect, unless the approval covers the actual one */
function assertApprovedEffect(
  grantedApproval: GrantedApproval,
  actualEffect: Omit<ApprovalSubject, 'summary'> | undefined,
): void {
  const sortUnique = (accounts: readonly number[]) => [...new Set(accounts)].sort((a, b) => a - b)
  const isSame =
    actualEffect !== undefined &&
    toCanonicalJson(actualEffect.effect) === toCanonicalJson(grantedApproval.effect) &&
    toCanonicalJson(sortUnique(actualEffect.accounts)) === toCanonicalJson(sortUnique(grantedApproval.accounts)) &&
    (actualEffect.approverKind === 'operator' || grantedApproval.onlyOwner)
  if (!isSame)
    throw new Refusal(409, 'effect-changed', EFFECT_CHANGED_MESSAGE, {
      extra: { reason: 'effect-changed', asked: grantedApproval.effect, now: actualEffect?.effect ?? {} },
    })
}

type NewRequest = ApprovalSubject & { kind: string; amount: number | null }

/**
 * Creates the functions with which a call of the desk requests approval. A call has at most one effect, so it can use only
 * one of them, once.
 *
 * @param grantedApproval the approval of the call; undefined if it is not approved yet
 */
export function createApprovalTools(
  { db: tx, now, config }: Pick<Deps, 'db' | 'now' | 'config'>,
  { path, irreversible }: Pick<Endpoint, 'path' | 'irreversible'>,
  staff: Staff,
  grantedApproval?: GrantedApproval,
) {
  let hasEffect = false
  let notRequestedReason: string | undefined

  /**
   * Registers the call's effect.
   *
   * @returns whether the call is already approved
   * @throws Refusal 403 for the operator's own account, 409 if the effect differs from the approved one
   */
  const registerEffect = ({ approverKind, accounts, effect }: Omit<ApprovalSubject, 'summary'>): boolean => {
    if (hasEffect) throw new Error('A call can register only one effect.')
    hasEffect = true
    if (accounts.includes(staff.userNum))
      throw new Refusal(403, 'own-account', 'Another operator has to do this for your account.', {
        extra: { reason: 'own-account' },
      })
    if (grantedApproval === undefined) return false
    assertApprovedEffect(grantedApproval, { approverKind, accounts, effect })
    return true
  }

  /**
   * Requests approval. Returns if there is no other operator, or no other owner where an owner has to approve.
   *
   * @throws ApprovalNeeded
   * @throws Refusal 409 if there are others, but none of them may ever approve this request
   */
  const requestApproval = async ({
    approverKind,
    kind,
    amount,
    accounts,
    summary,
    effect,
  }: NewRequest): Promise<void> => {
    const otherMembers = await selectOthers(tx, staff)
    const eligibleOthers = otherMembers.filter(({ isOwner }) => approverKind === 'operator' || isOwner)
    if (eligibleOthers.length === 0) {
      notRequestedReason = `not needed: there is no other ${otherMembers.length === 0 ? 'operator' : 'owner'}`
      return
    }
    const mustBeOwner = approverKind === 'owner'
    const request = { requested_by: staff.userNum, accounts, only_owner: mustBeOwner }
    const eligibleApprovers = (await selectApprovers(tx)).filter((approver) => canEverApprove(approver, request))
    if (eligibleApprovers.length === 0)
      throw createApproverMissing(
        approverKind,
        eligibleOthers.filter(({ userNum }) => accounts.includes(userNum)),
      )
    const approvers = eligibleApprovers.map((approver) => ({
      userId: approver.userId,
      from: getApprovalStart(approver, request),
    }))
    throw new ApprovalNeeded({
      kind,
      amount,
      onlyOwner: mustBeOwner,
      accounts: [...accounts],
      summary,
      effect,
      approvers,
    })
  }

  return {
    /**
     * Counts a payout against the operator's limit for 24 hours. A lock makes concurrent calls of one operator wait for
     * each other's transaction, so each call counts the payouts before it. Approved payouts are not counted.
     */
    async consumePayout({ amount, sources, ...subject }: Payout): Promise<void> {
      const approverKind = sources === undefined ? 'operator' : 'owner'
      if (registerEffect({ ...subject, approverKind }) || amount <= 0) return
      await sql`select pg_advisory_xact_lock(${createPayoutLockKey(staff.userNum)})`.execute(tx)
      const spent = await sumPayouts(tx, staff.userNum, { now: now(), except: sources ?? [] })
      const { approval_limit: limit, approvals_on: areApprovalsOn } = await readSettingsNow({ db: tx, config })
      if (areApprovalsOn && spent + amount > limit) await requestApproval({ ...subject, amount, approverKind })
      if (sources !== undefined) return
      await tx
        .insertInto('staff_spending')
        .values({ actor: staff.userNum, kind: subject.kind, amount, at: now() })
        .execute()
    },

    /** Requires the approval of another operator, or of another owner, if there is one. */
    async requireApproval(subject: ApprovalSubject): Promise<void> {
      if (!registerEffect(subject)) await requestApproval({ ...subject, kind: subject.approverKind, amount: null })
    },

    /**
     * Counts the target of an irreversible change against the operator's limit for 24 hours (UNDO-1). Another change of
     * the same target does not count again. A lock makes concurrent calls of one operator wait for each other's
     * transaction, so each call counts the targets before it. Approved targets are not counted.
     */
    async consumeIrreversible({ target: [kind, id], ...subject }: IrreversibleChange): Promise<void> {
      if (irreversible === undefined) throw new Error(`${path} is not declared irreversible.`)
      if (registerEffect({ ...subject, approverKind: 'owner' })) return
      await sql`select pg_advisory_xact_lock(hashtextextended('staff_irreversible ' || ${staff.userNum}, 0))`.execute(
        tx,
      )
      const { others } = await tx
        .selectFrom('staff_irreversible')
        .where('actor', '=', staff.userNum)
        .where('target_kind', '=', kind)
        .where('target_id', '<>', String(id))
        .where('at', '>', new Date(now().getTime() - DAY_MS))
        .select(sql<number>`count(distinct target_id)::int`.as('others'))
        .executeTakeFirstOrThrow()
      if (others >= irreversible.withoutApproval)
        await requestApproval({ ...subject, kind: 'irreversible', amount: null, approverKind: 'owner' })
      await tx
        .insertInto('staff_irreversible')
        .values({ actor: staff.userNum, target_kind: kind, target_id: String(id), at: now() })
        .execute()
    },

    /**
     * Checks after the handler that the call registered its effect.
     *
     * @returns the fields to add to the call's audit entry
     * @throws Refusal 409 for an approved call that would no longer do anything; an error for an irreversible call that
     *   did not register what it destroys
     */
    end(): Record<string, string> {
      if (irreversible !== undefined && !hasEffect) throw new Error(`${path} must register what it destroys.`)
      if (grantedApproval !== undefined && !hasEffect) assertApprovedEffect(grantedApproval, undefined)
      return notRequestedReason === undefined ? {} : { approval: notRequestedReason }
    },
  }
}

/** Returns the key of the lock for counting an operator's money. */
export const createPayoutLockKey = (actor: number) => sql`hashtextextended('staff_spending ' || ${actor}, 0)`

/**
 * Returns the amount that counts against an operator's limit: the money moved in the last 24 hours without approval,
 * and the possible payout, in the same time, of reward sources that are charged to them. Charges do not count if no other
 * owner could approve the sources.
 *
 * @param except sources whose charges are left out
 */
export async function sumPayouts(
  tx: Db,
  actor: number,
  { now, except }: { now: Date; except: readonly RewardSource[] },
): Promise<number> {
  const countedSince = new Date(now.getTime() - DAY_MS)
  const { spent } = await tx
    .selectFrom('staff_spending')
    .where('actor', '=', actor)
    .where('at', '>', countedSince)
    .select(sql<number>`coalesce(sum(amount), 0)::bigint`.as('spent'))
    .executeTakeFirstOrThrow()
  const charges = await tx
    .selectFrom('reward_charges')
    .where('actor', '=', actor)
    .where((eb) => eb.or([eb('until_at', 'is', null), eb('until_at', '>', countedSince)]))
    .groupBy('source')
    .select(['source', (eb) => eb.fn.max('amount').as('amount')])
    .execute()
  const remainingCharges = charges.filter(({ source }) => !except.includes(source))
  if (remainingCharges.length === 0 || !(await hasOtherOwner(tx, actor))) return Number(spent)
  return remainingCharges.reduce((sum, { amount }) => sum + Number(amount), Number(spent))
}

/** Returns whether another owner could approve this operator's calls. */
export const hasOtherOwner = async (tx: Db, userNum: number): Promise<boolean> =>
  (await selectOthers(tx, { userNum })).some(({ isOwner }) => isOwner)

/**
 * Selects the other owners and approvers who have opened the desk. They count even when blocked, suspended or logged out;
 * otherwise an operator could block them to avoid the approval.
 */
async function selectOthers(tx: Db, staff: Pick<Staff, 'userNum'>) {
  const { rows } = await sql<{ user_num: number; user_id: string; is_owner: boolean }>`
    select * from (
      select a.user_num, a.user_id,
        exists (select from staff_members m where m.user_num = a.user_num and m.role = ${OWNER}) as is_owner,
        exists (select from staff_rights r where r.user_num = a.user_num and r.permission = 'approvals.decide') as may_approve
      from staff_openings o join accounts a using (user_num)
      where a.user_num <> ${staff.userNum}) others
    where is_owner or may_approve`.execute(tx)
  return rows.map((row) => ({ userNum: row.user_num, userId: row.user_id, isOwner: row.is_owner }))
}

/** @param affectedApprovers the operators who could approve the call if it did not affect their own accounts */
function createApproverMissing(
  approverKind: ApprovalSubject['approverKind'],
  affectedApprovers: readonly { userId: string; isOwner: boolean }[],
): Refusal {
  const [owner] = affectedApprovers.filter(({ isOwner }) => isOwner)
  const advice =
    approverKind === 'operator'
      ? 'This needs another operator who may approve requests, and there is none. Give someone a role that allows it; they can approve this a day later.'
      : owner !== undefined
        ? `This needs an owner other than you and ${owner.userId}, and there is none. Use the command line on the server: npm run staff -- take ${owner.userId} ${OWNER}.`
        : 'This needs another owner, and none can approve it. Make one on the server: npm run staff -- owner USERID.'
  return new Refusal(409, 'nobody-to-agree', advice)
}
