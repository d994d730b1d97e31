import type { PGlite } from '@electric-sql/pglite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PGliteDialect,
  PostgresDialect,
  type QueryResult,
} from 'kysely'
import pg from 'pg'
import { markDriverError } from '#server/db/errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { openTestDatabase, type TestDatabase, type World } from './databases.ts'

/**
 * The ways in which a statement fails: the database rejects it; the connection is lost before it runs; or it runs, and
 * its response is lost with the connection. A commit whose response is lost has stored everything.
 */
export const FAILURES = ['error', 'lost before', 'lost after'] as const
type Failure = (typeof FAILURES)[number]

/** Chooses the statement that fails. Statements, including commits, are counted from `arm` on. */
export type Faults = {
  /** Makes the `nth` statement from now on fail; the first is 1. */
  arm(nth: number, failure: Failure): void
  /** @returns whether the statement was reached, and the number of statements */
  disarm(): { hasFailed: boolean; statements: number }
}

const createRejection = () => Object.assign(new Error('could not write block: a test'), { code: 'XX000' })
const createConnectionLoss = () => {
  const error = Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' })
  markDriverError(error)
  return error
}

/** A connection that can be lost. Nothing more is then sent on it, and its transaction is rolled back. */
class FailingConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection
  readonly #take: () => Failure | null
  isInTransaction = false
  createLaterError: (() => Error) | null = null

  constructor(inner: DatabaseConnection, takeFailure: () => Failure | null) {
    this.inner = inner
    this.#take = takeFailure
  }

  /** Runs a statement, or fails if it is the chosen one. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.createLaterError !== null) throw this.createLaterError()
    const failure = this.#take()
    if (failure === null) return work()
    const error = failure === 'error' ? createRejection : createConnectionLoss
    // After a rejected statement, a transaction accepts no more statements.
    if (failure !== 'error' || this.isInTransaction) this.createLaterError = error
    if (failure === 'lost after') await work()
    throw error()
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.run(() => this.inner.executeQuery<Row>(query))
  }

  streamQuery<Row>(query: CompiledQuery, size: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.inner.streamQuery<Row>(query, size)
  }
}

function createFailingDriver(inner: Driver, takeFailure: () => Failure | null): Driver {
  const toFailing = (connection: DatabaseConnection) => connection as FailingConnection
  return {
    init: () => inner.init(),
    acquireConnection: async () => new FailingConnection(await inner.acquireConnection(), takeFailure),
    releaseConnection: (connection) => inner.releaseConnection(toFailing(connection).inner),
    beginTransaction: async (connection, settings) => {
      await inner.beginTransaction(toFailing(connection).inner, settings)
      toFailing(connection).isInTransaction = true
    },
    commitTransaction: (connection) =>
      toFailing(connection).run(() => inner.commitTransaction(toFailing(connection).inner)),
    rollbackTransaction: async (connection) => {
      const failingConnection = toFailing(connection)
      failingConnection.isInTransaction = false
      failingConnection.createLaterError = null
      // After a commit whose response was lost, there is nothing to roll back.
      await inner.rollbackTransaction(failingConnection.inner).catch(() => {})
    },
    destroy: () => inner.destroy(),
  }
}

function createDialect({ url, pglite }: TestDatabase & { pglite?: PGlite }): Dialect {
  if (url !== undefined) return new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 8 }) })
  if (pglite === undefined) throw new Error('There is no database.')
  return new PGliteDialect({ pglite })
}

/**
 * Opens a test database whose statements can be made to fail, one at a time. `reliableDatabase` is the same database
 * without faults.
 */
export async function openFailingDatabase(
  world: World,
): Promise<{ database: TestDatabase; reliableDatabase: TestDatabase; faults: Faults }> {
  const reliableDatabase = await openTestDatabase(world)
  let remainingStatements = 0
  let statements = 0
  let failure: Failure | null = null
  let hasFailed = false
  const takeFailure = (): Failure | null => {
    if (failure === null) return null
    statements++
    if (--remainingStatements !== 0) return null
    hasFailed = true
    return failure
  }
  const dialect = createDialect(reliableDatabase)
  const db = new Kysely<Schema>({
    dialect: {
      createAdapter: () => dialect.createAdapter(),
      createIntrospector: (db) => dialect.createIntrospector(db),
      createQueryCompiler: () => dialect.createQueryCompiler(),
      createDriver: () => createFailingDriver(dialect.createDriver(), takeFailure),
    },
  })
  const close = async () => {
    // The embedded engine is shared, so it is closed only once.
    if (reliableDatabase.url !== undefined) await db.destroy()
    await reliableDatabase.close()
  }
  return {
    database: { ...reliableDatabase, db, browseDb: db, jobsDb: db, close },
    reliableDatabase,
    faults: {
      arm: (nth, armedFailure) => {
        remainingStatements = nth
        statements = 0
        failure = armedFailure
        hasFailed = false
      },
      disarm: () => {
        failure = null
        return { hasFailed, statements }
      },
    },
  }
}
