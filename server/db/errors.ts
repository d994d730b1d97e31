/**
 * Whether a statement failed because it would have broken a constraint, a unique index or what a trigger checks. Works for
 * errors of pg and of PGlite, which name the constraint in the same field.
 *
 * @param constraint its name as the migrations have it
 */
export function breaksConstraint(error: unknown, constraint: string): boolean {
  return error instanceof Error && (error as { constraint?: unknown }).constraint === constraint
}

/**
 * What PostgreSQL answers while it cannot do the work now: connection lost (08), read-only after a failover (25006), a
 * transaction left idle (25P03), deadlock and serialization failure (40), out of disk, memory or connections (53), a lock
 * not had in time (55P03), a statement cancelled by its timeout (57014), starting or stopping (57P0).
 */
const AWAY_CODES = /^(08...|25006|25P0[34]|40001|40P01|53...|55P03|57014|57P0\d)$/
const NETWORK_CODES = /^(ECONN\w+|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|E(HOST|NET)(UNREACH|DOWN))$/
/** What pg says without a code when it lost a connection or had to wait for one too long. */
const AWAY_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed)/

const refusedConnections = new WeakSet<Error>()

/**
 * Marks an error that came before a connection was established: whatever its reason, such as a database that was renamed
 * or a role that may not log in, the database is away.
 */
export function markAsAway(error: unknown): void {
  if (error instanceof Error) refusedConnections.add(error)
}

/** Whether an error means that the database cannot work at the moment, not that it refused a statement. Answers 503. */
export function isDatabaseAway(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  return (
    (error instanceof Error && refusedConnections.has(error)) ||
    (typeof code === 'string' && (AWAY_CODES.test(code) || NETWORK_CODES.test(code))) ||
    (typeof message === 'string' && AWAY_MESSAGES.test(message))
  )
}

/** Whether PostgreSQL rolled a transaction back because of others that ran at the same time; it may be run again. */
export function isRolledBack(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return code === '40001' || code === '40P01'
}

/** Why a database cannot take this site, in one line that names the way out. */
export class UnfitDatabase extends Error {
  override name = 'UnfitDatabase'
}
