/**
 * Returns whether a statement failed because of a constraint, a unique index or a trigger's check. Works for errors of
 * pg and of PGlite, which name the constraint in the same field.
 *
 * @param constraint its name in the migrations
 */
export function breaksConstraint(error: unknown, constraint: string): boolean {
  return error instanceof Error && (error as { constraint?: unknown }).constraint === constraint
}

/**
 * PostgreSQL's codes for temporary failures: connection lost (08), read-only after a failover (25006), a
 * transaction left idle (25P03) or over its timeout (25P04), deadlock and serialization failure (40P01, 40001), out of
 * disk, memory or connections (53), a lock not available in time (55P03), a statement cancelled, as by its timeout
 * (57014), starting or stopping (57P0).
 */
const UNAVAILABLE_CODES = /^(08...|25006|25P0[34]|40001|40P01|53...|55P03|57014|57P0\d)$/
const NETWORK_CODES = /^(ECONN\w+|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|E(HOST|NET)(UNREACH|DOWN))$/
/** Messages of pg's errors without a code, for a lost connection or a long wait for one. */
const UNAVAILABLE_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed)/

const unavailableErrors = new WeakSet<Error>()

/**
 * Marks an error of connecting. Whatever its reason, such as a renamed database or a role that may not log in, the
 * database is unavailable.
 */
export function markUnavailable(error: unknown): void {
  if (error instanceof Error) unavailableErrors.add(error)
}

/** Marks an error of the driver if its cause is the network. Other errors with the same code do not concern the database. */
export function markDriverError(error: unknown): void {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  const isNetwork = typeof code === 'string' && NETWORK_CODES.test(code)
  if (isNetwork || (typeof message === 'string' && UNAVAILABLE_MESSAGES.test(message))) markUnavailable(error)
}

/**
 * Returns whether an error means that the database is temporarily unavailable, rather than that it refused a statement;
 * the site then answers 503 (FAIL-10). A network error counts only if `markDriverError` marked it.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return (
    (error instanceof Error && unavailableErrors.has(error)) ||
    (typeof code === 'string' && UNAVAILABLE_CODES.test(code))
  )
}

/** Returns whether PostgreSQL rolled a transaction back because of concurrent ones; it can be run again. */
export function isRolledBack(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return code === '40001' || code === '40P01'
}

/** The site cannot use a database; the message is one line with the reason and the solution. */
export class IncompatibleDatabase extends Error {
  override name = 'IncompatibleDatabase'
}
