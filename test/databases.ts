import { createHash, createSecretKey, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { DAY_MS } from '#contract/durations.ts'
import { seedDemoWorld } from '#demo/seed.ts'
import { migrate } from '#server/db/migrate.ts'
import { type Database, type Db, openInMemory, openPostgres } from '#server/db/open.ts'
import { setPasswordCost } from '#server/features/accounts/passwords.ts'
import { seedDocuments } from '#server/features/documents/seed.ts'
import { rollOver } from '#server/features/rankings/rollover.ts'
import { preparePushKeys } from '#server/push/keys.ts'

const ROOT = join(import.meta.dirname, '..')
const IMAGES = join(ROOT, 'node_modules/.cache/tambayan')

/** The time at which every test starts: a Friday evening in Manila. */
export const TEST_NOW = new Date('2026-11-20T13:42:07.000Z')

/** The minimal cost of password hashing, for tests. */
export const TEST_PASSWORD_COST = { memoryCost: 8, timeCost: 1, parallelism: 1 }
setPasswordCost(TEST_PASSWORD_COST)

/** The key that seals secrets in tests. */
export const TEST_KEY = createSecretKey(Buffer.alloc(32, 7))

export type World = 'empty' | 'demo'
const WORLDS: World[] = ['empty', 'demo']
/** An image of the embedded database: a world, or a database without tables. */
type Image = World | 'bare'

/** The URL of a PostgreSQL server that replaces the embedded database; `npm run test:postgres` sets it. */
const TEST_SERVER_URL = process.env.TEST_DATABASE_URL

async function fillWorld(database: Database, world: World): Promise<void> {
  await migrate(database.jobsDb)
  if (world === 'demo') await seedDemoWorld(database.jobsDb, TEST_NOW)
  else await openPurchases(database.jobsDb)
  await seedDocuments(database.jobsDb, { demo: world === 'demo', now: TEST_NOW })
  await rollOver(database.jobsDb, TEST_NOW)
  await preparePushKeys({ db: database.jobsDb, siteKey: TEST_KEY }, TEST_NOW)
}

/** Opens purchases. The empty test world sells from the start, unlike a new site. */
export const openPurchases = (db: Db) =>
  db.insertInto('settings').values({ name: 'purchases_open', value: 'true', changed_at: TEST_NOW }).execute()

async function hashSources(): Promise<string> {
  const hash = createHash('sha256')
  const files: string[] = []
  for await (const file of glob(
    [
      'server/db/**/*.{sql,ts}',
      'demo/**/*.*',
      'server/features/{rankings,documents}/*.ts',
      'content/**/*.*',
      'server/push/keys.ts',
      'server/features/accounts/password*.ts',
      'test/databases.ts',
    ],
    { cwd: ROOT },
  ))
    files.push(file)
  for (const file of files.sort()) hash.update(await readFile(join(ROOT, file)))
  return hash.digest('hex').slice(0, 12)
}

let hashPromise: Promise<string> | undefined
/** Returns the hash of the sources of the worlds, which is computed once per process. */
const getSourcesHash = () => (hashPromise ??= hashSources())

const toDatabaseName = (world: Image, hash: string) => `tambayan_${world}_${hash}`

/** Creates the worlds as images, and on the server at `serverUrl` if there is one. Each test file then opens a copy. */
export async function prepareWorlds(serverUrl = TEST_SERVER_URL): Promise<void> {
  const hash = await getSourcesHash()
  for (const world of WORLDS) await prepareImage(world)
  await deleteOldImages(hash)
  if (serverUrl !== undefined)
    for (const world of WORLDS) await prepareTemplate(serverUrl, toDatabaseName(world, hash), world)
}

/** Deletes the images of other sources that are older than a day. A newer one may belong to tests that are running. */
async function deleteOldImages(hash: string): Promise<void> {
  for (const name of await readdir(IMAGES)) {
    const path = join(IMAGES, name)
    if (!name.includes(hash) && Date.now() - (await stat(path)).mtimeMs > DAY_MS) await rm(path, { force: true })
  }
}

/** Creates an image unless it exists. @returns its path */
async function prepareImage(world: Image): Promise<string> {
  const path = join(IMAGES, `${toDatabaseName(world, await getSourcesHash())}.tar`)
  if (existsSync(path)) return path
  await mkdir(IMAGES, { recursive: true })
  const database = await (world === 'bare' ? installInMemory() : openImage('bare'))
  if (world !== 'bare') await fillWorld(database, world)
  // Without a checkpoint, every copy would contain the whole log and replay it.
  await sql`checkpoint`.execute(database.db)
  const image = await database.pglite.dumpDataDir('none')
  await database.close()
  const temporaryPath = `${path}.${process.pid}`
  await writeFile(temporaryPath, Buffer.from(await image.arrayBuffer()))
  await rename(temporaryPath, path)
  return path
}

/** Installs a database in memory without templates, because every copy would write their thousand files. */
async function installInMemory() {
  const database = await openInMemory()
  await sql`update pg_database set datistemplate = false`.execute(database.db)
  for (const templateName of ['template0', 'template1'])
    await sql`drop database ${sql.id(templateName)}`.execute(database.db)
  return database
}

async function openImage(world: Image) {
  const image = await readFile(await prepareImage(world))
  return { ...(await openInMemory(new Blob([image]))), url: undefined }
}

function toDatabaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

async function runAsAdmin<Result>(serverUrl: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  return work(client).finally(() => client.end())
}

async function prepareTemplate(serverUrl: string, name: string, world: World): Promise<void> {
  await runAsAdmin(serverUrl, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount !== 0) return
    const temporaryName = `${name}_${process.pid}`
    await client.query(`create database ${temporaryName}`)
    const database = await openPostgres(toDatabaseUrl(serverUrl, temporaryName))
    await fillWorld(database, world)
    await database.close()
    await client.query(`alter database ${temporaryName} rename to ${name}`)
  })
}

export type TestDatabase = Database & { url: string | undefined }

/** Opens a copy of a world for one test file. */
export async function openTestDatabase(world: World): Promise<TestDatabase> {
  if (TEST_SERVER_URL === undefined) return openImage(world)
  const name = toDatabaseName(world, await getSourcesHash())
  await prepareTemplate(TEST_SERVER_URL, name, world)
  const databaseName = `test_${randomUUID().replaceAll('-', '')}`
  await runAsAdmin(TEST_SERVER_URL, (client) =>
    client.query(`create database ${databaseName} template ${name} strategy file_copy`),
  )
  const url = toDatabaseUrl(TEST_SERVER_URL, databaseName)
  const database = await openPostgres(url)
  return {
    ...database,
    url,
    close: async () => {
      await database.close()
      await runAsAdmin(TEST_SERVER_URL, (client) => client.query(`drop database ${databaseName} with (force)`))
    },
  }
}

/** Opens a database without tables, of the tested kind by default. */
export async function openBareDatabase(
  kind: Database['kind'] = TEST_SERVER_URL ? 'postgres' : 'embedded',
): Promise<TestDatabase> {
  if (kind === 'embedded') return openImage('bare')
  const serverUrl = TEST_SERVER_URL ?? ''
  const databaseName = `fresh_${randomUUID().replaceAll('-', '')}`
  await runAsAdmin(serverUrl, (client) => client.query(`create database ${databaseName}`))
  const database = await openPostgres(toDatabaseUrl(serverUrl, databaseName))
  return {
    ...database,
    url: toDatabaseUrl(serverUrl, databaseName),
    close: async () => {
      await database.close()
      await runAsAdmin(serverUrl, (client) => client.query(`drop database ${databaseName} with (force)`))
    },
  }
}
