import { sql } from 'kysely'
import { DESK_PAGE_SIZE } from '#contract/desk.ts'
import { type Access, isStaffAccess } from '#contract/endpoint.ts'
import { decideApproval, runApproval, withdrawApproval } from '#contract/staff.ts'
import { findApprovalBlockReason, selectApprovers } from '#server/approvals/approvers.ts'
import { hashContent, restoreFiles } from '#server/approvals/requests.ts'
import type { Db } from '#server/db/open.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import type { Caller } from '#server/http/client-address.ts'
import { writeForStaff } from '#server/http/desk.ts'
import { cutPage, parseCursor } from '#server/http/desk-lists.ts'
import { NO_KEY } from '#server/http/idempotency.ts'
import { findMounted, type MountedCall } from '#server/http/mount.ts'
import type { Session } from '#server/http/session.ts'
import { findStaff, type Staff } from '#server/http/staff.ts'

type Request = Awaited<ReturnType<typeof lockRequest>>

const lockRequest = (tx: Db, approval: number) =>
  tx.selectFrom('approvals').where('approval', '=', approval).selectAll().forUpdate().executeTakeFirst()

/**
 * The replacement for the content of a request, for operators who may see only its call, requester and state (DESK-11).
 */
const HIDDEN_CONTENT = { amount: null, summary: '', input: {}, effect: {}, content_hash: '', note: '' }

/** Selects a page of waiting or decided requests, newest first, each with the reason why the caller may not decide it. */
export async function selectApprovals(
  db: Db,
  staff: Staff,
  { after, state, now, approval }: { after?: string; state?: string; now: Date; approval?: number },
) {
  const rows = await db
    .selectFrom('approvals as p')
    .innerJoin('accounts as r', 'r.user_num', 'p.requested_by')
    .leftJoin('accounts as d', 'd.user_num', 'p.decided_by')
    .$if(Boolean(after), (q) => q.where('p.approval', '<', parseCursor(after ?? '')))
    .$if(Boolean(state), (q) => q.where(sql<string>`p.state`, '=', state ?? ''))
    .$if(state === 'waiting', (q) => q.where('p.expires_at', '>', now))
    .$if(approval !== undefined, (q) => q.where('p.approval', '=', approval ?? 0))
    .selectAll('p')
    .select(['r.user_id as requester', 'd.user_id as decider'])
    .orderBy('p.approval', 'desc')
    .limit(DESK_PAGE_SIZE + 1)
    .execute()
  const { rows: pageRows, next } = cutPage(rows, (row) => row.approval)
  const [eligibleApprover] = await selectApprovers(db, staff.userNum)
  const approvals = pageRows.map(({ requester, decider: approver, accounts, state: storedState, ...row }) => {
    const hasExpired = storedState === 'waiting' && row.expires_at <= now
    const endpoint = findMounted(row.call)?.endpoint
    const blockReason = findApprovalBlockReason(eligibleApprover, staff, { ...row, accounts }, now)
    const isContentVisible =
      row.requested_by === staff.userNum ||
      row.decided_by === staff.userNum ||
      blockReason === null ||
      (endpoint !== undefined && endpoint.access !== 'staff' && hasAccessTo(staff, endpoint.access))
    return {
      ...row,
      ...(!isContentVisible && HIDDEN_CONTENT),
      what: endpoint?.summary ?? row.call,
      shown: isContentVisible,
      state: hasExpired ? ('expired' as const) : storedState,
      requested_by: requester,
      requested_by_num: row.requested_by,
      decided_by: approver,
      why_not: storedState === 'waiting' ? blockReason : null,
    }
  })
  return { rows: approvals, next }
}

type ApprovalContext = {
  deps: Deps
  staff: Staff
  session: Session
  caller: Caller
}

type Decision = { approval: number; decision: 'approve' | 'reject'; content_hash: string; note: string }

/**
 * Approves or rejects a request. An approved call runs on behalf of its requester in the same transaction, which
 * checks all its rules again. A call that shows a secret waits until the requester runs it.
 *
 * @throws Refusal 403 for an operator who may not decide this request, 404, 409
 */
export async function decideRequest(context: ApprovalContext, { approval, decision, content_hash, note }: Decision) {
  const { deps, staff } = context
  const { db: tx } = deps
  const now = deps.now()
  const request = await lockRequest(tx, approval)
  if (request === undefined) throw refuse(decideApproval, 'approvalNotFound')
  if (request.state !== 'waiting' || request.expires_at <= now) throw refuse(decideApproval, 'notWaiting')
  if (
    request.content_hash !== content_hash ||
    hashContent(request.call, request.input, request.effect) !== content_hash
  )
    throw refuse(decideApproval, 'otherContent')
  const [approver] = await selectApprovers(tx, staff.userNum)
  const blockReason = findApprovalBlockReason(approver, staff, request, now)
  if (blockReason !== null) throw createNotYoursRefusal(blockReason)
  const mounted = findMounted(request.call)
  if (mounted === undefined) throw refuse(decideApproval, 'gone')
  const showsSecret = mounted.endpoint.shownOnce !== undefined
  const state = decision === 'reject' ? 'rejected' : showsSecret ? 'approved' : 'done'
  await tx
    .updateTable('approvals')
    .set({ state, decided_by: staff.userNum, decided_at: now, note })
    .where('approval', '=', approval)
    .execute()
  if (state === 'done') await runApproved(context, mounted, { ...request, decided_by: staff.userNum })
  return state
}

const createNotYoursRefusal = (message: string) =>
  refuse({ errors: { notYours: { status: 403, message } } } as const, 'notYours')

/** Runs an approved call for its requester, who sees the response once. @throws Refusal 404, 409 */
export async function runForRequester(context: ApprovalContext, approval: number): Promise<unknown> {
  const { deps, staff } = context
  const request = await lockRequest(deps.db, approval)
  if (request === undefined || request.requested_by !== staff.userNum) throw refuse(runApproval, 'approvalNotFound')
  const mounted = findMounted(request.call)
  if (request.state !== 'approved' || request.expires_at <= deps.now() || mounted === undefined)
    throw refuse(runApproval, 'notApproved')
  await deps.db.updateTable('approvals').set({ state: 'done' }).where('approval', '=', approval).execute()
  return runApproved(context, mounted, request)
}

/** Withdraws a request of the caller. @throws Refusal 404, 409 */
export async function withdrawRequest({ deps, staff }: ApprovalContext, approval: number): Promise<void> {
  const request = await lockRequest(deps.db, approval)
  if (request === undefined || request.requested_by !== staff.userNum)
    throw refuse(withdrawApproval, 'approvalNotFound')
  if (request.state !== 'waiting' && request.state !== 'approved') throw refuse(withdrawApproval, 'notWaiting')
  await deps.db.updateTable('approvals').set({ state: 'withdrawn' }).where('approval', '=', approval).execute()
}

/** Returns whether an operator may use a desk call with this access. */
const hasAccessTo = ({ permissions }: Staff, access: Access) =>
  isStaffAccess(access) && (access === 'staff' || permissions.has(access))

/** Runs an approved call as its requester. */
async function runApproved(
  { deps, session, caller }: ApprovalContext,
  mounted: MountedCall,
  request: NonNullable<Request>,
) {
  const { endpoint } = mounted
  const requester = await findStaff(deps.db, request.requested_by)
  const { access } = endpoint
  const hasAccess = requester !== undefined && hasAccessTo(requester, access)
  if (!hasAccess) throw refuse(decideApproval, 'gone')
  const answer = await writeForStaff(mounted, await restoreFiles(deps.db, request.approval, request.input), {
    deps,
    staff: requester,
    session: { ...session, userNum: requester.userNum, userId: requester.userId },
    caller,
    idempotency: NO_KEY,
    addHeader: () => {},
    prepared: undefined,
    approved: {
      effect: request.effect,
      accounts: request.accounts,
      onlyOwner: request.only_owner,
      approvedBy: request.decided_by,
    },
  })
  return endpoint.output.parse(answer)
}
