import type { Endpoint } from '#contract/endpoint.ts'
import type { Db } from '../db/open.ts'
import { refuse } from '../errors.ts'
import { ApprovalNeeded, keepForApproval, requireApproval, spendAllowance } from './approvals.ts'
import { type AuditRecord, writeAudit } from './audit.ts'
import { inOneTransaction, refuseShownOnce, runOnce } from './idempotency.ts'
import type { Fields } from './input.ts'
import type { CallContext, Mounted } from './mount.ts'
import { noSession } from './session.ts'
import type { Staff } from './staff.ts'

type StaffCallContext = CallContext & { staff: Staff }

/**
 * Runs a call of the desk. A writing one runs in one transaction with its entry in the audit log and its Idempotency-Key;
 * one that another operator has to approve first is kept for them.
 *
 * @throws Refusal 202 for a call that was kept; 409 for a retry of one whose answer is shown only once
 */
export async function runForStaff(mounted: Mounted, input: Fields, who: StaffCallContext): Promise<unknown> {
  const { endpoint, prepare } = mounted
  const { deps, session, staff, caller } = who
  if (session === null) throw noSession()
  if (endpoint.method === 'GET') return runReading(mounted, input, who)
  const prepared = await prepare?.(input, { deps, session })
  try {
    let fresh: unknown
    const outcome = await runOnce(deps, who.once, () => {
      fresh = undefined
      return inOneTransaction(deps, who.once, async (tx) => {
        fresh = await writeForStaff(mounted, input, { ...who, tx, prepared, isApproved: false })
        return { answer: withoutSecret(endpoint, fresh) }
      })
    })
    if (fresh !== undefined) return fresh
    if ('refused' in outcome) throw refuse(endpoint, outcome.refused)
    if (endpoint.shownOnce === undefined) return outcome.answer
    throw refuseShownOnce(outcome.answer as Fields)
  } catch (error) {
    if (!(error instanceof ApprovalNeeded)) throw error
    throw await keepForApproval(deps.db, {
      endpoint,
      input,
      staff,
      needed: error,
      now: deps.now(),
      address: caller.address,
    })
  }
}

/** What is remembered of an answer: all of it, or the one field that names what was made. */
const withoutSecret = ({ shownOnce }: Endpoint, answer: unknown): unknown =>
  shownOnce === undefined ? answer : { [shownOnce]: (answer as Fields)[shownOnce] }

type Writing = StaffCallContext & { tx: Db; prepared: unknown; isApproved: boolean }

/**
 * Runs the handler of a writing call of the desk in a transaction, and writes its entry in the audit log.
 *
 * @throws ApprovalNeeded unless it is approved
 */
export async function writeForStaff(mounted: Mounted, input: Fields, writing: Writing): Promise<unknown> {
  const { endpoint, handler } = mounted
  const { tx, deps, staff, isApproved } = writing
  // A read in the handler must not wait for a connection that the transaction has.
  const inside = { ...deps, db: tx, browseDb: tx }
  const records: AuditRecord[] = []
  const answer = await handler(input, {
    ...writing,
    deps: inside,
    record: (what) => records.push(what),
    spend: (what) => spendAllowance(inside, staff, what, isApproved),
    requireApproval: (what) => requireApproval(tx, staff, what, isApproved),
  })
  await writeRecords(tx, endpoint, records, writing)
  return endpoint.output.parse(answer)
}

/** @throws when the call did not say once what it did, which undoes it */
async function writeRecords(
  tx: Db,
  endpoint: Endpoint,
  records: AuditRecord[],
  { deps, staff, caller }: StaffCallContext,
) {
  const [record] = records
  if (record === undefined || records.length > 1) throw new Error(`${endpoint.path} has to record what it does, once.`)
  await writeAudit(tx, {
    ...record,
    at: deps.now(),
    actor: { kind: 'person', userNum: staff.userNum },
    permission: endpoint.access,
    action: endpoint.path,
    address: caller.address,
  })
}

async function runReading(mounted: Mounted, input: Fields, who: StaffCallContext): Promise<unknown> {
  const { endpoint, handler } = mounted
  const records: AuditRecord[] = []
  const refuseToWrite = () => Promise.reject(new Error(`${endpoint.path} only reads.`))
  const answer = await handler(input, {
    ...who,
    record: (what) => records.push(what),
    spend: refuseToWrite,
    requireApproval: refuseToWrite,
  })
  if (endpoint.audited) await who.deps.db.transaction().execute((tx) => writeRecords(tx, endpoint, records, who))
  return endpoint.output.parse(answer)
}
