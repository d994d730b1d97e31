import type { Endpoint } from '#contract/endpoint.ts'
import { ApprovalNeeded, createApprovalTools, type GrantedApproval } from '../approvals/approvals.ts'
import { storeRequest } from '../approvals/requests.ts'
import type { Db } from '../db/open.ts'
import { type AuditRecord, writeAudit } from './audit.ts'
import type { Fields } from './input.ts'
import type { BaseContext, MountedCall } from './mount.ts'
import { requirePermission, type Staff } from './staff.ts'
import { runWrite } from './write.ts'

type StaffContext = BaseContext & { staff: Staff }

/**
 * Runs a call of the desk. A write runs in one transaction with its audit entry and its Idempotency-Key. A call that needs
 * another operator's approval is stored as a request.
 *
 * @throws Refusal 202 for a stored call; 409 for a retry of a call whose response is shown only once
 */
export async function runForStaff(mountedCall: MountedCall, input: Fields, context: StaffContext): Promise<unknown> {
  const { endpoint } = mountedCall
  const { deps, staff, caller } = context
  if (endpoint.method === 'GET') return runReading(mountedCall, input, context)
  try {
    return await runWrite(mountedCall, input, context, (contextInTransaction) =>
      writeForStaff(mountedCall, input, { ...contextInTransaction, staff }),
    )
  } catch (error) {
    if (!(error instanceof ApprovalNeeded)) throw error
    throw await storeRequest(deps.db, {
      endpoint,
      input,
      staff,
      approvalNeeded: error,
      now: deps.now(),
      address: caller.address,
    })
  }
}

type WriteContext = StaffContext & { prepared: unknown; approved?: GrantedApproval }

/**
 * Runs the handler of a writing call of the desk in the transaction `deps.db`, and writes its audit entry.
 *
 * @throws ApprovalNeeded unless it is approved; Refusal 409 if its effect differs from the approved one
 */
export async function writeForStaff(mountedCall: MountedCall, input: Fields, context: WriteContext): Promise<unknown> {
  const { endpoint, handler } = mountedCall
  const { deps, staff, approved } = context
  const records: AuditRecord[] = []
  const approvalTools = createApprovalTools(deps, endpoint, staff, approved)
  const answer = await handler(input, {
    ...context,
    approvedBy: approved?.approvedBy ?? null,
    record: (record) => records.push(record),
    requirePermission: (permission) =>
      requirePermission(staff, permission, { now: deps.now(), isApproved: approved !== undefined }),
    consumePayout: approvalTools.consumePayout,
    requireApproval: approvalTools.requireApproval,
    consumeIrreversible: approvalTools.consumeIrreversible,
  })
  const approvalFields = approvalTools.end()
  await writeRecords(
    deps.db,
    endpoint,
    records.map((record) => ({ ...record, after: { ...record.after, ...approvalFields } })),
    context,
  )
  return answer
}

/** The fields that `ApprovalTools` adds to an entry. */
const APPROVAL_FIELDS = ['approval']

/** Writes the audit entry. @throws when the call did not record its action exactly once, which rolls it back */
async function writeRecords(tx: Db, endpoint: Endpoint, records: AuditRecord[], { deps, staff, caller }: StaffContext) {
  const [record] = records
  if (record === undefined || records.length > 1)
    throw new Error(`${endpoint.path} must record its action exactly once.`)
  await writeAudit(tx, {
    ...record,
    at: deps.now(),
    actor: { kind: 'person', userNum: staff.userNum },
    permission: endpoint.access,
    action: endpoint.path,
    address: caller.address,
    notPersonal: [...(endpoint.notPersonal ?? []), ...APPROVAL_FIELDS],
  })
}

async function runReading(mountedCall: MountedCall, input: Fields, context: StaffContext): Promise<unknown> {
  const { endpoint, handler } = mountedCall
  const records: AuditRecord[] = []
  const rejectWrite = () => Promise.reject(new Error(`${endpoint.path} is declared as a read.`))
  const answer = await handler(input, {
    ...context,
    approvedBy: null,
    record: (record) => records.push(record),
    requirePermission: (permission) =>
      requirePermission(context.staff, permission, { now: context.deps.now(), isApproved: false }),
    consumePayout: rejectWrite,
    requireApproval: rejectWrite,
    consumeIrreversible: rejectWrite,
  })
  if (endpoint.audited === true || (endpoint.audited === 'sometimes' && records.length > 0))
    await context.deps.db.transaction().execute((tx) => writeRecords(tx, endpoint, records, context))
  return endpoint.output.parse(answer)
}
