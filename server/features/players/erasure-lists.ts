import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { z } from 'zod'
import { DAY_MS } from '#contract/durations.ts'
import { IRREVERSIBLE_AFTER_MS } from '#contract/limits.ts'
import { StartError } from '#server/config.ts'
import type { Db } from '#server/db/open.ts'
import { hashAccount } from '#server/features/accounts/erasure-requests.ts'
import { eraseAccount } from './erasures.ts'

const erasureSchema = z.object({
  key: z.string(),
  user_num: z.int(),
  user_id_hash: z.string(),
  account_hash: z.string(),
  rename_characters: z.boolean(),
  erased_at: z.iso.datetime(),
})
const requestSchema = z.object({
  key: z.string(),
  user_num: z.int(),
  account_hash: z.string(),
  requested_at: z.iso.datetime(),
  due_at: z.iso.datetime(),
  taken_back_at: z.iso.datetime().nullable(),
})
type Erasure = z.infer<typeof erasureSchema>
type Request = z.infer<typeof requestSchema>

/** Requests stay in the list for this many milliseconds, which is longer than any backup is stored. */
const REQUEST_RETENTION_MS = 400 * DAY_MS

/** A list in a file next to the backups. A restore does not replace the file. */
type ErasureList<Entry> = {
  file: string
  /** The first text in the file, for people who open it. */
  about: string
  /** The key of the entries in the file. */
  name: string
  rows: z.ZodType<Entry[]>
  /** The entries, as an error names them. */
  contents: string
  /** The rows of the database that the entries come from, as an error names them. */
  source: string
}

const ERASURE_LIST: ErasureList<Erasure> = {
  file: 'erasures.json',
  about:
    'Accounts whose personal data was erased, as hashes. Restoring a backup erases them again; keep this file with the backups.',
  name: 'erasures',
  rows: z.array(erasureSchema),
  contents: 'erased accounts',
  source: 'erasures',
}
const REQUEST_LIST: ErasureList<Request> = {
  file: 'erasure-requests.json',
  about:
    'Accounts whose erasure was requested or taken back, as hashes. The Backups page shows the requests that a restored backup lacks; keep this file with the backups.',
  name: 'requests',
  rows: z.array(requestSchema),
  contents: 'requested erasures',
  source: 'requests',
}

/** @throws StartError when the list is damaged */
async function readList<Entry>(
  folder: string,
  { file, name, rows, contents, source }: ErasureList<Entry>,
): Promise<Entry[]> {
  const path = join(folder, file)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return []
  try {
    return rows.parse(z.record(z.string(), z.unknown()).parse(JSON.parse(text))[name])
  } catch {
    throw new StartError(
      `The list of ${contents} ${path} is damaged. Replace it with the copy that you store with your copies of the backups. If you have none, delete it: the site writes it again from the ${source} in the database.`,
    )
  }
}

async function writeList<Entry>(
  folder: string,
  { file, about, name }: ErasureList<Entry>,
  entries: Entry[],
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, file)
  // The file is flushed, because it could otherwise be empty after a power cut.
  const text = `${JSON.stringify({ about, [name]: entries }, null, 1)}\n`
  await writeFile(`${path}.unfinished`, text, { mode: 0o600, flush: true })
  await rename(`${path}.unfinished`, path)
}

/** Adds new entries to the lists next to the backups (UNDO-6). */
export async function writeErasureLists(db: Db, folder: string, now: Date): Promise<void> {
  const { key } = await db.selectFrom('erasure_key').select('key').executeTakeFirstOrThrow()
  await addErasures(db, folder, key)
  await addRequests(db, folder, key, now)
}

async function addErasures(db: Db, folder: string, key: string): Promise<void> {
  const erasureRows = await db.selectFrom('erasures').selectAll().orderBy('erased_at').execute()
  if (erasureRows.length === 0) return
  const storedEntries = await readList(folder, ERASURE_LIST)
  const storedHashes = new Set(storedEntries.map(({ account_hash }) => account_hash))
  const newRows = erasureRows.filter(({ account_hash }) => !storedHashes.has(account_hash))
  if (newRows.length === 0) return
  const entries = newRows.map((row) => ({ ...row, key, erased_at: row.erased_at.toISOString() }))
  await writeList(folder, ERASURE_LIST, [...storedEntries, ...entries])
}

const getRequestId = ({ account_hash, requested_at }: Request) => `${account_hash} ${requested_at}`

async function addRequests(db: Db, folder: string, key: string, now: Date): Promise<void> {
  const since = new Date(now.getTime() - REQUEST_RETENTION_MS)
  const rows = await db.selectFrom('account_erasures').where('requested_at', '>', since).selectAll().execute()
  if (rows.length === 0) return
  const storedEntries = await readList(folder, REQUEST_LIST)
  const entries = new Map(
    storedEntries
      .filter((stored) => new Date(stored.requested_at) > since)
      .map((stored) => [getRequestId(stored), stored]),
  )
  for (const { user_num, account_hash, requested_at, due_at, outcome, ended_at } of rows) {
    const entry = {
      key,
      user_num,
      account_hash,
      requested_at: requested_at.toISOString(),
      due_at: due_at.toISOString(),
      taken_back_at: outcome === 'taken back' ? (ended_at?.toISOString() ?? null) : null,
    }
    // A withdrawal in the list stays, because a restored database may lack it.
    const storedEntry = entries.get(getRequestId(entry))
    if (storedEntry?.taken_back_at == null) entries.set(getRequestId(entry), entry)
  }
  const sortedEntries = [...entries.values()].sort((a, b) => (a.requested_at < b.requested_at ? -1 : 1))
  if (JSON.stringify(sortedEntries) !== JSON.stringify(storedEntries))
    await writeList(folder, REQUEST_LIST, sortedEntries)
}

/**
 * Repeats the changes that a restored backup lacks: withdraws the withdrawn requests, and erases the erased accounts
 * (UNDO-6). The lists identify an account by a hash of its number, user ID and creation time, so they never match an
 * account of another site.
 *
 * @returns the number of erased accounts
 */
export async function repeatErasures(db: Db, folder: string): Promise<number> {
  await repeatWithdrawals(db, folder)
  const entries = await readList(folder, ERASURE_LIST)
  if (entries.length === 0) return 0
  await adoptKey(db, entries)
  let repeatedCount = 0
  for (const entry of entries)
    await db.transaction().execute(async (tx) => {
      const account = await findAccount(tx, entry)
      const options = { renameCharacters: entry.rename_characters, now: new Date(entry.erased_at) }
      if (account !== undefined && (await eraseAccount(tx, { userNum: entry.user_num, ...options }))) repeatedCount++
      if (account === undefined) await reserveUserId(tx, entry)
    })
  return repeatedCount
}

/** Returns the beginning of a sentence for the terminal: how many accounts were erased again. */
export const describeRepeatedErasures = (count: number) =>
  `Erased the personal data of ${count === 1 ? '1 account' : `${count} accounts`} again`

/** Finds the account of an entry; undefined if the database has no account or another account with its number. */
async function findAccount(
  db: Db,
  { key, user_num, account_hash }: Pick<Request, 'key' | 'user_num' | 'account_hash'>,
) {
  const account = await db
    .selectFrom('accounts')
    .where('user_num', '=', user_num)
    .select(['user_num', 'user_id', 'created_at'])
    .executeTakeFirst()
  return account !== undefined && hashAccount(key, account) === account_hash ? account : undefined
}

async function repeatWithdrawals(db: Db, folder: string): Promise<void> {
  for (const { user_num, account_hash, requested_at, taken_back_at } of await readList(folder, REQUEST_LIST)) {
    if (taken_back_at === null) continue
    await db
      .updateTable('account_erasures')
      .set({ outcome: 'taken back', ended_at: new Date(taken_back_at) })
      .where('user_num', '=', user_num)
      .where('account_hash', '=', account_hash)
      .where('requested_at', '=', new Date(requested_at))
      .where('ended_at', 'is', null)
      .execute()
  }
}

/** Stores the key of the list in a database without erasures, which makes the hashes of the list valid. */
async function adoptKey(db: Db, listedErasures: Erasure[]): Promise<void> {
  const key = listedErasures.at(-1)?.key ?? ''
  await sql`update erasure_key set key = ${key} where key <> ${key} and not exists (select from erasures)`.execute(db)
}

/** Reserves the user ID of an erased account that the backup does not contain. */
async function reserveUserId(tx: Db, { key, ...entry }: Erasure): Promise<void> {
  const keyRow = await tx.selectFrom('erasure_key').where('key', '=', key).select('key').executeTakeFirst()
  if (keyRow === undefined) return
  await tx
    .insertInto('erasures')
    .values({ ...entry, erased_at: new Date(entry.erased_at) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Restarts the seven days of requests in a restored backup, because their later history is unknown if the lists are missing.
 */
export async function restartGracePeriods(db: Db, now: Date): Promise<void> {
  const dueAt = new Date(now.getTime() + IRREVERSIBLE_AFTER_MS)
  await db
    .updateTable('account_erasures')
    .set({ due_at: dueAt })
    .where('ended_at', 'is', null)
    .where('due_at', '<', dueAt)
    .execute()
}

/** Finds requests in the lists that were made or withdrawn after a time and that a restored database lacks. */
export async function findUnknownRequests(db: Db, folder: string, since: Date) {
  const unknownRequests = []
  for (const entry of await readList(folder, REQUEST_LIST)) {
    if (new Date(entry.taken_back_at ?? entry.requested_at) <= since) continue
    const account = await findAccount(db, entry)
    if (account === undefined) continue
    const requestRow = await db
      .selectFrom('account_erasures')
      .where('user_num', '=', entry.user_num)
      .where('requested_at', '>=', new Date(entry.requested_at))
      .select('erasure')
      .executeTakeFirst()
    const { user_num, user_id } = account
    const { requested_at, taken_back_at } = entry
    if (requestRow === undefined) unknownRequests.push({ user_num, user_id, requested_at, taken_back_at })
  }
  return unknownRequests
}
