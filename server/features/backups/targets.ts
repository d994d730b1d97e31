import { randomUUID } from 'node:crypto'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join, relative } from 'node:path'
import { sql } from 'kysely'
import * as calls from '#contract/backups.ts'
import type { ValidInput } from '#contract/endpoint.ts'
import type { ApprovalSubject } from '#server/approvals/approvals.ts'
import { findTarget, formatTarget, openTarget, type StoredTarget, sealBackupKey } from '#server/backup/targets.ts'
import { isLoopback } from '#server/config.ts'
import type { Deps } from '#server/deps.ts'
import { type Refusal, refuse } from '#server/errors.ts'
import { mailOwners } from '#server/features/staff/notify.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'

const ROOT = join(import.meta.dirname, '../../..')

type TargetInput = ValidInput<typeof calls.tryBackupTarget>
type TestedTarget = StoredTarget & { target: number }

/** The desk's calls about the target of backup copies. */
export const backupTargetDeskCalls: MountedCall[] = [
  mount(calls.tryBackupTarget, {
    prepare: async (input, { deps }) => {
      const newTarget =
        input.kind === 'folder' ? await parseFolderTarget(input, deps) : await parseStoreTarget(input, deps)
      await testTarget(newTarget, deps)
      return newTarget
    },
    write: async (_, { deps: { db, now }, staff, record, prepared }) => {
      const { target } = await db
        .insertInto('backup_targets')
        .values({ ...prepared, tried_at: now(), tried_by: staff.userNum })
        .returning('target')
        .executeTakeFirstOrThrow()
      record({ target: ['place of backups', target], after: { tried: formatTarget(prepared) } })
      return { message: 'A small file could be written there, found and deleted.', target }
    },
  }),

  mount(calls.changeBackupTarget, async ({ target }, { deps, staff, record, requireApproval }) => {
    const { db, now } = deps
    await sql`lock table backup_targets in share row exclusive mode`.execute(db)
    const previousTarget = await findTarget(db)
    const testedTarget =
      target === null
        ? undefined
        : await db
            .selectFrom('backup_targets')
            .where('target', '=', target)
            .where('used_at', 'is', null)
            .selectAll()
            .executeTakeFirst()
    if (target !== null && testedTarget === undefined) throw refuse(calls.changeBackupTarget, 'notTried')
    if (target === null && previousTarget === undefined) throw refuse(calls.changeBackupTarget, 'none')
    await requireApproval(describeTargetChange(testedTarget, previousTarget))
    const previousName = previousTarget === undefined ? 'nowhere' : formatTarget(previousTarget)
    const newName = testedTarget === undefined ? 'nowhere' : formatTarget(testedTarget)
    await db
      .updateTable('backup_targets')
      .set({ ended_at: now() })
      .where('target', '=', previousTarget?.target ?? 0)
      .execute()
    await db
      .updateTable('backup_targets')
      .set({ used_at: now() })
      .where('target', '=', testedTarget?.target ?? 0)
      .execute()
    // The job then copies the newest backup to the new target at once.
    await db.updateTable('backups').set({ copied_at: null, copy_tried_at: null, copy_problem: '' }).execute()
    await mailOwners(db, deps, {
      subject: 'Backups are copied elsewhere',
      lines: [
        `${staff.userId} has changed where backups are copied to: ${newName}.`,
        `Before, it was ${previousName}.`,
      ],
    })
    record({
      target: ['place of backups', (testedTarget ?? previousTarget)?.target ?? 0],
      before: { 'copied to': previousName },
      after: { 'copied to': newName },
    })
    return {
      message:
        testedTarget === undefined
          ? 'Backups are no longer copied elsewhere.'
          : 'Every backup is copied there from now on.',
    }
  }),
]

/** Describes a change of the target for the owner who approves it (DESK-21). */
function describeTargetChange(
  testedTarget: TestedTarget | undefined,
  previousTarget: TestedTarget | undefined,
): ApprovalSubject {
  const previousName = previousTarget === undefined ? 'nowhere' : formatTarget(previousTarget)
  const newName = testedTarget === undefined ? 'nowhere' : formatTarget(testedTarget)
  return {
    approverKind: 'owner',
    accounts: [],
    summary:
      testedTarget === undefined
        ? `Stop copying backups to ${previousName}`
        : `Copy backups to ${newName}, in place of ${previousName}`,
    effect: { 'copied to': newName, number: testedTarget?.target ?? null, 'in place of': previousName },
  }
}

const isInside = (folder: string, path: string) => {
  const relativePath = relative(folder, path)
  return relativePath === '' || !(relativePath.startsWith('..') || isAbsolute(relativePath))
}

async function parseFolderTarget(
  { place: folderPath }: TargetInput,
  { config }: Pick<Deps, 'config'>,
): Promise<StoredTarget> {
  if (!isAbsolute(folderPath)) throw refuse(calls.tryBackupTarget, 'pathMissing')
  const realPath = await realpath(folderPath).catch(() => {
    throw refuse(calls.tryBackupTarget, 'notWritable')
  })
  const siteFolders = await Promise.all(
    [ROOT, config.dataDir, config.backupDir].map((path) => realpath(path).catch(() => path)),
  )
  if (siteFolders.some((folder) => isInside(folder, realPath))) throw refuse(calls.tryBackupTarget, 'ownFolder')
  return { kind: 'folder', place: realPath, bucket: '', region: '', access_key: '', sealed: null }
}

async function parseStoreTarget(
  input: TargetInput,
  { db, siteKey }: Pick<Deps, 'db' | 'siteKey'>,
): Promise<StoredTarget> {
  const { bucket, region, access_key, secret } = input
  const address = URL.parse(input.place)
  const isSafe = address?.protocol === 'https:' || (address?.protocol === 'http:' && isLoopback(address.hostname))
  if (address === null || !isSafe || address.username !== '' || address.search !== '' || address.hash !== '')
    throw refuse(calls.tryBackupTarget, 'addressMissing')
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) throw refuse(calls.tryBackupTarget, 'bucketMissing')
  if (access_key === '') throw refuse(calls.tryBackupTarget, 'accessKeyMissing')
  const store = { kind: 's3', place: address.href.replace(/\/+$/, ''), bucket, region, access_key } as const
  if (secret !== '') return { ...store, sealed: sealBackupKey(siteKey, store, secret) }
  const currentTarget = await findTarget(db)
  if (
    currentTarget?.place !== store.place ||
    currentTarget.bucket !== bucket ||
    currentTarget.access_key !== access_key
  )
    throw refuse(calls.tryBackupTarget, 'secretAgain')
  return { ...store, sealed: currentTarget.sealed }
}

/** Writes a small file to a target, checks that it is there, and deletes it (DESK-22). @throws Refusal 422 */
async function testTarget(target: StoredTarget, { siteKey }: Pick<Deps, 'siteKey'>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tambayan-try-'))
  const name = `tambayan-try-${randomUUID()}.txt`
  try {
    await writeFile(join(folder, name), 'Tambayan tries whether backups can be copied here.\n', { mode: 0o600 })
    const targetStore = openTarget(target, siteKey)
    await targetStore.put(join(folder, name))
    const isStored = await targetStore.has(name)
    await targetStore.remove(name)
    if (!isStored) throw new Error('The target does not list the file.')
  } catch (error) {
    throw target.kind === 'folder' ? refuse(calls.tryBackupTarget, 'notWritable') : createTestRefusal(error)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Converts a failed test to a refusal with a fixed text, because the response of a store is not shown. */
function createTestRefusal(error: unknown): Refusal {
  const { status, name } = error as { status?: unknown; name?: unknown }
  if (status === 401 || status === 403) return refuse(calls.tryBackupTarget, 'denied')
  if (status === 404) return refuse(calls.tryBackupTarget, 'unknownBucket')
  // `fetch` throws a TypeError for addresses that it refuses, such as one with a blocked port.
  if (name === 'S3NetworkError' || error instanceof TypeError) return refuse(calls.tryBackupTarget, 'storeUnreachable')
  return refuse(calls.tryBackupTarget, 'storeTestFailed')
}
