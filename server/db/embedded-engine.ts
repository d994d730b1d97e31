import { setTimeout as sleep } from 'node:timers/promises'
import { PGlite, type PGliteOptions, types } from '@electric-sql/pglite'
import type { PGlite as KyselyPGlite, PGliteTransaction } from 'kysely'
import { parseBigint } from './connections.ts'

/** Callbacks for an embedded database that stops and is opened again (docs/decisions/005). */
export type Recovery = {
  /** Returns whether the disk has enough space to open the database. */
  hasRoom(): Promise<boolean>
  onStop(reason: string): void
  onRecovery(): void
}

/** The interval of attempts to reopen a stopped database. */
const RETRY_MS = 3000

/** The error of every statement to a database that stopped; its code means that the database is unavailable. */
class EngineStopped extends Error {
  override name = 'EngineStopped'
  readonly code = '57P02'
}

/**
 * A PGlite that refuses statements once it has aborted. PostgreSQL aborts with a PANIC, for example when it cannot write
 * its log to a full disk. A server would restart; PGlite's next statement would never return and block the process.
 */
class Engine extends PGlite {
  readonly #onStop: (reason: string) => void
  #stopped: EngineStopped | undefined

  constructor(options: PGliteOptions, onStop: (reason: string) => void) {
    super(options)
    this.#onStop = onStop
  }

  get isStopped(): boolean {
    return this.#stopped !== undefined
  }

  /** Every statement passes through here, including those with which PGlite begins and ends a transaction. */
  override async execProtocolStream(...args: Parameters<PGlite['execProtocolStream']>) {
    if (this.#stopped !== undefined) throw this.#stopped
    return super.execProtocolStream(...args).catch((error: Error & { severity?: string }) => {
      if (error.severity !== 'PANIC') throw error
      this.#stopped = new EngineStopped(`The embedded database has stopped: ${error.message}`)
      this.#onStop(error.message)
      throw this.#stopped
    })
  }

  override async runExclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#stopped !== undefined) throw this.#stopped
    return super.runExclusive(work)
  }
}

/**
 * An embedded database that outlives its engine: while the engine is stopped, statements fail with the error of an
 * unavailable database.
 */
export type EmbeddedEngine = {
  /** For Kysely. */
  pglite: KyselyPGlite
  listen(channel: string, onNotice: (payload: string) => void): Promise<void>
  /** Runs `work` while no statement runs. Statements wait until it ends. */
  runExclusive<Result>(work: () => Promise<Result>): Promise<Result>
}

/**
 * Opens an embedded database. With `recovery`, a stopped one is opened again when there is space; uncommitted changes
 * are lost, as after a crash.
 */
export async function openEngine(options: PGliteOptions, recovery?: Recovery): Promise<EmbeddedEngine> {
  const listeners: { channel: string; onNotice: (payload: string) => void }[] = []
  let isClosed = false

  const startEngine = async () => {
    const engine = new Engine(options, (reason) => {
      // If the engine stops before it is open, `startEngine` rejects.
      if (engine !== currentEngine || recovery === undefined) return
      recovery.onStop(reason)
      void reopen(recovery)
    })
    await engine.waitReady
    engine.parsers[types.INT8] = parseBigint
    for (const { channel, onNotice } of listeners) await engine.listen(channel, onNotice)
    return engine
  }

  const reopen = async ({ hasRoom, onRecovery }: Recovery) => {
    while (!isClosed) {
      await sleep(RETRY_MS, undefined, { ref: false })
      const nextEngine =
        !isClosed && (await hasRoom().catch(() => false)) && (await startEngine().catch(() => undefined))
      if (!nextEngine) continue
      currentEngine = nextEngine
      if (isClosed) return nextEngine.close()
      onRecovery()
      for (const { onNotice } of listeners) onNotice('reconnected')
      return
    }
  }

  let currentEngine: Engine | undefined
  currentEngine = await startEngine()
  const getEngine = () => currentEngine as Engine
  return {
    pglite: {
      ready: true,
      waitReady: Promise.resolve(),
      get closed() {
        return isClosed
      },
      query: (...args) => getEngine().query(...args),
      transaction: (work) => transact(getEngine(), work),
      close: async () => {
        isClosed = true
        if (!getEngine().isStopped) await getEngine().close()
      },
    },
    listen: async (channel, onNotice) => {
      listeners.push({ channel, onNotice })
      await getEngine().listen(channel, onNotice)
    },
    runExclusive: (work) => getEngine().runExclusive(work),
  }
}

/**
 * Runs `work` in a transaction. Kysely would wait forever for a transaction that cannot begin, so `work` starts in any
 * case; if the engine has stopped, its first statement fails.
 */
async function transact<Result>(
  engine: KyselyPGlite,
  work: (tx: PGliteTransaction) => Promise<Result>,
): Promise<Result> {
  let hasStarted = false
  const startWork = (tx: PGliteTransaction) => {
    hasStarted = true
    return work(tx)
  }
  return engine.transaction(startWork).catch((error) => {
    if (hasStarted) throw error
    const rejectStatement = () => Promise.reject(error)
    return startWork({ query: rejectStatement, rollback: rejectStatement })
  })
}
