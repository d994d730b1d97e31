import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations.ts'
import { type Endpoint, formatCallName } from '#contract/endpoint.ts'
import type { Db } from '../db/open.ts'
import { Refusal } from '../errors.ts'
import { writeAudit } from '../http/audit.ts'
import type { Fields } from '../http/input.ts'
import type { Staff } from '../http/staff.ts'
import { type ApprovalNeeded, type Effect, toCanonicalJson } from './approvals.ts'
import { formatApprovers } from './approvers.ts'

const REQUEST_LIFETIME_MS = 7 * DAY_MS

/** Hashes a request: the call, its whole input and its effect. */
export const hashContent = (call: string, input: Fields, effect: Effect): string =>
  createHash('sha256')
    .update(toCanonicalJson([call, input, effect]))
    .digest('hex')

/**
 * Stores a call until another operator decides on it. If the same operator repeats the call, it is the same request.
 *
 * @returns the refusal for the caller: HTTP 202, with the approvers and from when they can approve
 */
export async function storeRequest(
  db: Db,
  {
    endpoint,
    input: rawInput,
    staff,
    approvalNeeded,
    now,
    address,
  }: {
    endpoint: Endpoint
    input: Fields
    staff: Staff
    approvalNeeded: ApprovalNeeded
    now: Date
    address: string
  },
): Promise<Refusal> {
  const { kind, amount, onlyOwner, accounts, summary, effect, approvers } = approvalNeeded.request
  const call = formatCallName(endpoint)
  const { input, files } = await extractFiles(rawInput)
  const approval = await db.transaction().execute(async (tx) => {
    const content_hash = hashContent(call, input, effect)
    await sql`select pg_advisory_xact_lock(hashtextextended(${content_hash}, 0))`.execute(tx)
    await tx
      .updateTable('approvals')
      .set({ state: 'withdrawn' })
      .where('content_hash', '=', content_hash)
      .where('state', '=', 'waiting')
      .where('expires_at', '<=', now)
      .execute()
    const existingRequest = await tx
      .selectFrom('approvals')
      .where('content_hash', '=', content_hash)
      .where('requested_by', '=', staff.userNum)
      .where('state', '=', 'waiting')
      .select('approval')
      .executeTakeFirst()
    if (existingRequest !== undefined) return existingRequest.approval
    // The effect of the same call has changed, so the earlier request can no longer be approved.
    await tx
      .updateTable('approvals')
      .set({ state: 'withdrawn' })
      .where('call', '=', call)
      .where('requested_by', '=', staff.userNum)
      .where('state', '=', 'waiting')
      .where(sql<boolean>`input = ${JSON.stringify(input)}::jsonb`)
      .execute()
    const { approval } = await tx
      .insertInto('approvals')
      .values({
        call,
        input: JSON.stringify(input),
        effect: JSON.stringify(effect),
        content_hash,
        kind,
        amount,
        summary,
        only_owner: onlyOwner,
        accounts: [...accounts],
        requested_by: staff.userNum,
        requested_at: now,
        expires_at: new Date(now.getTime() + REQUEST_LIFETIME_MS),
      })
      .returning('approval')
      .executeTakeFirstOrThrow()
    const rows = files.map((file) => ({ approval, ...file }))
    if (rows.length > 0) await tx.insertInto('approval_files').values(rows).execute()
    await writeAudit(tx, {
      at: now,
      actor: { kind: 'person', userNum: staff.userNum },
      permission: endpoint.access,
      action: 'approval requested',
      target: ['approval', approval],
      after: { call, amount, content_hash },
      notPersonal: ['call', 'content_hash'],
      address,
    })
    return approval
  })
  const approverText = onlyOwner ? 'Another owner' : 'Another operator'
  const names = formatApprovers(approvers, now)
  return new Refusal(
    202,
    'approval',
    `${approverText} has to approve this first. We've put it on their list: ${names}.`,
    {
      extra: { approval },
    },
  )
}

/** Replaces the files in a call's input by their names and hashes. Returns the files separately. */
async function extractFiles(input: Fields) {
  const files = []
  for (const [field, file] of Object.entries(input))
    if (file instanceof File)
      files.push({ field, name: file.name, type: file.type, content: Buffer.from(await file.arrayBuffer()) })
  const hashFileContent = (content: Buffer) => createHash('sha256').update(content).digest('hex')
  const names = files.map(({ field, name, content }) => [field, `${name} (SHA-256 ${hashFileContent(content)})`])
  return { input: { ...input, ...Object.fromEntries(names) }, files }
}

/** Restores the files in an approved call's input. */
export async function restoreFiles(tx: Db, approval: number, input: Fields): Promise<Fields> {
  const files = await tx.selectFrom('approval_files').where('approval', '=', approval).selectAll().execute()
  const restoredFiles = files.map(({ field, name, type, content }) => [
    field,
    new File([new Uint8Array(content)], name, { type }),
  ])
  return { ...input, ...Object.fromEntries(restoredFiles) }
}
