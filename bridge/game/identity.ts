import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { promisify } from 'node:util'
import type { DatabaseIdentity } from '#contract/bridge.ts'
import { type Dialect, type GameConnection, GameUnavailable, toText } from './driver.ts'

/** The facts that distinguish a database from a copy of it. Each is queried separately, because permissions may differ. */
const FACT_QUERIES: Record<Dialect, Record<string, string>> = {
  mariadb: {
    server: 'select @@server_uuid as fact',
    host: 'select @@hostname as fact',
    port: 'select @@port as fact',
    folder: 'select @@datadir as fact',
    database: 'select database() as fact',
  },
  postgres: {
    server: 'select system_identifier::text as fact from pg_control_system()',
    port: `select current_setting('port') as fact`,
    folder: `select current_setting('data_directory') as fact`,
    database: `select current_database() || ' ' || oid as fact from pg_database where datname = current_database()`,
  },
  mssql: {
    server: `select convert(varchar(100), serverproperty('ServerName')) as fact`,
    database: `select concat(name, ' ', database_id, ' ', convert(varchar(30), create_date, 126)) as fact
      from sys.databases where name = db_name()`,
  },
}

/** A container's host name is random, and changes when the container is recreated. */
const isRandomName = (name: string): boolean => /^[0-9a-f]{12}$/.test(name)

/** Reads the identity and the location of a connection's database (BRIDGE-24). */
export async function readIdentity(connection: GameConnection): Promise<DatabaseIdentity> {
  const identity: DatabaseIdentity = {}
  for (const [name, statement] of Object.entries(FACT_QUERIES[connection.dialect])) {
    const [row] = await connection.query(statement).catch((error: unknown) => {
      if (error instanceof GameUnavailable) throw error
      return []
    })
    const fact = toText(row?.fact).slice(0, 200)
    if (fact !== '' && !isRandomName(fact)) identity[name] = fact
  }
  const machineId = await findMachineId()
  return machineId === undefined ? identity : { ...identity, machine: machineId }
}

/** Returns a short hash of the system's ID for this machine, or else the machine's name; undefined in a container. */
async function findMachineId(): Promise<string | undefined> {
  if (existsSync('/.dockerenv') || existsSync('/run/.containerenv')) return undefined
  const id =
    process.platform === 'win32' ? await readMachineGuid() : await readFile('/etc/machine-id', 'utf8').catch(() => '')
  if (id.trim() !== '') return createHash('sha256').update(id.trim()).digest('hex').slice(0, 16)
  return isRandomName(hostname()) ? undefined : hostname()
}

const readMachineGuid = () =>
  promisify(execFile)('reg', ['query', 'HKLM\\SOFTWARE\\Microsoft\\Cryptography', '/v', 'MachineGuid']).then(
    ({ stdout }) => /REG_SZ\s+(\S+)/.exec(stdout)?.[1] ?? '',
    () => '',
  )
