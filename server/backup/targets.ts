import { openAsBlob } from 'node:fs'
import { access, copyFile, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Selectable, sql } from 'kysely'
import { S3mini } from 's3mini'
import { DAY_MS } from '#contract/durations.ts'
import type { Db } from '#server/db/open.ts'
import type { BackupTargets } from '#server/db/schema/operation.ts'
import { openSecret, type SiteKey, sealSecret } from '#server/site-key.ts'

/** The values for writing to a backup target. */
export type StoredTarget = Pick<
  Selectable<BackupTargets>,
  'kind' | 'place' | 'bucket' | 'region' | 'access_key' | 'sealed'
>

/** How long a tested target can still be used, also by a request that waits for approval. */
const TEST_RESULT_RETENTION_MS = 8 * DAY_MS
/** The timeout for a store's response. */
const STORE_TIMEOUT_MS = 60_000

/** Finds the current backup target, if there is one. */
export const findTarget = (db: Db) =>
  db
    .selectFrom('backup_targets')
    .where('used_at', 'is not', null)
    .where('ended_at', 'is', null)
    .selectAll()
    .$narrowType<{ used_at: Date }>()
    .executeTakeFirst()

/** Describes a backup target: `folder /mnt/backups`, `bucket tambayan at https://s3.example.ph`. */
export const formatTarget = ({ kind, place, bucket }: Pick<StoredTarget, 'kind' | 'place' | 'bucket'>) =>
  kind === 'folder' ? `folder ${place}` : `bucket ${bucket} at ${place}`

/**
 * The context of a sealed secret key: it can be opened only for the bucket and access key that it was entered for
 * (DESK-22).
 */
const getSealingContext = ({ place, bucket, access_key }: Omit<StoredTarget, 'sealed'>) =>
  `backup key ${access_key} of ${bucket} at ${place}`

export const sealBackupKey = (key: SiteKey, target: Omit<StoredTarget, 'sealed'>, secret: string) =>
  sealSecret(key, secret, getSealingContext(target))

/** The functions of a backup target. They never list its files, so a key that can write and delete is enough. */
export type TargetFiles = {
  put(path: string): Promise<void>
  has(name: string): Promise<boolean>
  remove(name: string): Promise<void>
}

/** Opens a backup target. Its functions throw the errors of the system or the store. */
export const openTarget = (target: StoredTarget, key: SiteKey): TargetFiles =>
  target.kind === 'folder' ? openFolder(target.place) : openStore(target, key)

const openFolder = (folder: string): TargetFiles => ({
  put: async (path) => {
    const unfinishedPath = join(folder, `${basename(path)}.unfinished`)
    await copyFile(path, unfinishedPath).catch(async (error: unknown) => {
      await rm(unfinishedPath, { force: true })
      throw error
    })
    await rename(unfinishedPath, join(folder, basename(path)))
  },
  has: (name) =>
    access(join(folder, name)).then(
      () => true,
      () => false,
    ),
  remove: (name) => rm(join(folder, name), { force: true }),
})

function openStore(target: StoredTarget, key: SiteKey): TargetFiles {
  const store = new S3mini({
    endpoint: `${target.place.replace(/\/+$/, '')}/${target.bucket}`,
    region: target.region === '' ? 'auto' : target.region,
    accessKeyId: target.access_key,
    secretAccessKey: openSecret(key, target.sealed ?? '', getSealingContext(target)),
    requestAbortTimeout: STORE_TIMEOUT_MS,
    // Don't follow redirects: the request is signed for this address.
    fetch: (url, init) => fetch(url, { ...init, redirect: 'error' }),
  })
  return {
    put: async (path) => void (await store.putAnyObject(basename(path), await openAsBlob(path))),
    has: async (name) => (await store.objectExists(name)) === true,
    remove: async (name) => void (await store.deleteObject(name)),
  }
}

/** Deletes former targets, targets that were tested but not used within eight days, ended requests and expired downloads. */
export async function sweepBackupTargets(db: Db, now: Date): Promise<void> {
  await sql`
    delete from backup_targets
    where ended_at is not null or (used_at is null and tried_at < ${new Date(now.getTime() - TEST_RESULT_RETENTION_MS)})`.execute(
    db,
  )
  await db.deleteFrom('backup_downloads').where('until', '<', now).execute()
  await db
    .deleteFrom('backup_requests')
    .where('ended_at', '<', new Date(now.getTime() - TEST_RESULT_RETENTION_MS))
    .execute()
}
