import { randomUUID } from 'node:crypto'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join, relative } from 'node:path'
import { sql } from 'kysely'
import * as calls from '#contract/backups.ts'
import type { ValidInput } from '#contract/endpoint.ts'
import type { ApprovalSubject } from '#server/approvals/approvals.ts'
import { findTarget, nameTarget, openTarget, type StoredTarget, sealBackupKey } from '#server/backup/targets.ts'
import { isLoopback } from '#server/config.ts'
import type { Deps } from '#server/deps.ts'
import { type Refusal, refuse } from '#server/errors.ts'
import { mailOwners } from '#server/features/staff/notify.ts'
import { type Mounted, mount } from '#server/http/mount.ts'

const ROOT = join(import.meta.dirname, '../../..')

type TargetInput = ValidInput<typeof calls.tryBackupTarget>
type Tried = StoredTarget & { target: number }

/** The desk's calls about where backups are copied to. */
export const backupTargetDeskCalls: Mounted[] = [
  mount(calls.tryBackupTarget, {
    prepare: async (input, { deps }) => {
      const place = input.kind === 'folder' ? await readFolder(input, deps) : await readStore(input, deps)
      await testTarget(place, deps)
      return place
    },
    write: async (_, { deps: { db, now }, staff, record, prepared }) => {
      const { target } = await db
        .insertInto('backup_targets')
        .values({ ...prepared, tried_at: now(), tried_by: staff.userNum })
        .returning('target')
        .executeTakeFirstOrThrow()
      record({ target: ['place of backups', target], after: { tried: nameTarget(prepared) } })
      return { message: 'A small file could be written there, found and deleted.', target }
    },
  }),

  mount(calls.useBackupTarget, async ({ target }, { deps, staff, record, requireApproval }) => {
    const { db, now } = deps
    await sql`lock table backup_targets in share row exclusive mode`.execute(db)
    const former = await findTarget(db)
    const tried =
      target === null
        ? undefined
        : await db
            .selectFrom('backup_targets')
            .where('target', '=', target)
            .where('used_at', 'is', null)
            .selectAll()
            .executeTakeFirst()
    if (target !== null && tried === undefined) throw refuse(calls.useBackupTarget, 'notTried')
    if (target === null && former === undefined) throw refuse(calls.useBackupTarget, 'none')
    await requireApproval(describeChange(tried, former))
    const before = former === undefined ? 'nowhere' : nameTarget(former)
    const after = tried === undefined ? 'nowhere' : nameTarget(tried)
    await db
      .updateTable('backup_targets')
      .set({ ended_at: now() })
      .where('target', '=', former?.target ?? 0)
      .execute()
    await db
      .updateTable('backup_targets')
      .set({ used_at: now() })
      .where('target', '=', tried?.target ?? 0)
      .execute()
    // The job then copies the newest backup to the new target at once.
    await db.updateTable('backups').set({ copied_at: null, copy_tried_at: null, copy_problem: '' }).execute()
    await mailOwners(db, deps, {
      subject: 'Backups are copied elsewhere',
      lines: [`${staff.userId} has changed where backups are copied to: ${after}.`, `Before, it was ${before}.`],
    })
    record({
      target: ['place of backups', (tried ?? former)?.target ?? 0],
      before: { 'copied to': before },
      after: { 'copied to': after },
    })
    return {
      message:
        tried === undefined ? 'Backups are copied nowhere any more.' : 'Every backup is copied there from now on.',
    }
  }),
]

/** Describes a change for the owner who approves it. */
function describeChange(tried: Tried | undefined, former: Tried | undefined): ApprovalSubject {
  const before = former === undefined ? 'nowhere' : nameTarget(former)
  const after = tried === undefined ? 'nowhere' : nameTarget(tried)
  return {
    by: 'owner',
    accounts: [],
    summary: `Copy backups to ${after}, in place of ${before}`,
    effect: { 'copied to': after, number: tried?.target ?? null, 'in place of': before },
  }
}

const isInside = (folder: string, path: string) => {
  const way = relative(folder, path)
  return way === '' || !(way.startsWith('..') || isAbsolute(way))
}

async function readFolder({ place }: TargetInput, { config }: Pick<Deps, 'config'>): Promise<StoredTarget> {
  if (!isAbsolute(place)) throw refuse(calls.tryBackupTarget, 'pathMissing')
  const real = await realpath(place).catch(() => {
    throw refuse(calls.tryBackupTarget, 'notWritable')
  })
  const siteFolders = await Promise.all(
    [ROOT, config.dataDir, config.backupDir].map((path) => realpath(path).catch(() => path)),
  )
  if (siteFolders.some((folder) => isInside(folder, real))) throw refuse(calls.tryBackupTarget, 'ownFolder')
  return { kind: 'folder', place: real, bucket: '', region: '', access_key: '', sealed: null }
}

async function readStore(input: TargetInput, { db, siteKey }: Pick<Deps, 'db' | 'siteKey'>): Promise<StoredTarget> {
  const { bucket, region, access_key, secret } = input
  const address = URL.parse(input.place)
  const isSafe = address?.protocol === 'https:' || (address?.protocol === 'http:' && isLoopback(address.hostname))
  if (address === null || !isSafe || address.username !== '' || address.search !== '' || address.hash !== '')
    throw refuse(calls.tryBackupTarget, 'addressMissing')
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) throw refuse(calls.tryBackupTarget, 'bucketMissing')
  if (access_key === '') throw refuse(calls.tryBackupTarget, 'accessKeyMissing')
  const place = { kind: 's3', place: address.href.replace(/\/+$/, ''), bucket, region, access_key } as const
  if (secret !== '') return { ...place, sealed: sealBackupKey(siteKey, place, secret) }
  const used = await findTarget(db)
  if (used?.place !== place.place || used.bucket !== bucket || used.access_key !== access_key)
    throw refuse(calls.tryBackupTarget, 'secretAgain')
  return { ...place, sealed: used.sealed }
}

/** Writes a small file to a target, checks that it is there, and deletes it. @throws Refusal 422 */
async function testTarget(place: StoredTarget, { siteKey }: Pick<Deps, 'siteKey'>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tambayan-try-'))
  const name = `tambayan-try-${randomUUID()}.txt`
  try {
    await writeFile(join(folder, name), 'Tambayan tries whether backups can be copied here.\n', { mode: 0o600 })
    const copies = openTarget(place, siteKey)
    await copies.put(join(folder, name))
    const isThere = await copies.has(name)
    await copies.remove(name)
    if (!isThere) throw new Error('It is not there.')
  } catch (error) {
    throw place.kind === 'folder' ? refuse(calls.tryBackupTarget, 'notWritable') : explain(error)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Converts a failed test to a refusal with a fixed text, because the response of a store is not shown. */
function explain(error: unknown): Refusal {
  const { status, name } = error as { status?: unknown; name?: unknown }
  if (status === 401 || status === 403) return refuse(calls.tryBackupTarget, 'denied')
  if (status === 404) return refuse(calls.tryBackupTarget, 'unknownBucket')
  // `fetch` throws a TypeError for addresses that it refuses, such as one with a blocked port.
  if (name === 'S3NetworkError' || error instanceof TypeError) return refuse(calls.tryBackupTarget, 'storeUnreachable')
  return refuse(calls.tryBackupTarget, 'storeTestFailed')
}
