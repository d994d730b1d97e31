import { sql } from 'kysely'
import type { LoggerOptions } from 'pino'
import type { Db } from './db/open.ts'

const FLUSH_EVERY_MS = 5000
/** The maximum number of kinds between two writes; further kinds are counted together. */
const KINDS_MAX = 40
const OTHER_KINDS = 'others'
const ERROR_LEVEL = 50
/** Requests that fail without the database are all counted, but logged only at this interval. */
const UNAVAILABLE_LINE_EVERY_MS = 60_000

type ErrorCount = { count: number; lastAt: Date; message: string }

/**
 * Counts logged errors of this process by kind and hour in the table `recent_errors`, which the desk shows. Pass
 * `hooks` to the logger. It writes every few seconds with one statement, however many errors there were. An outage of
 * the database does not flood the log either.
 */
export function createErrorCounter(now: () => Date = () => new Date()) {
  let counts = new Map<string, ErrorCount>()
  let timer: NodeJS.Timeout | undefined
  let unavailableLoggedAt = Number.NEGATIVE_INFINITY
  /** How many lines about the unavailable database were suppressed since the last logged one. */
  let suppressedLines = 0

  function addCount(kind: string, { count, lastAt, message }: ErrorCount): void {
    const name = counts.has(kind) || counts.size < KINDS_MAX ? kind : OTHER_KINDS
    const other = counts.get(name)
    if (other === undefined) counts.set(name, { count, lastAt, message })
    else {
      const latest = lastAt >= other.lastAt ? { lastAt, message } : other
      counts.set(name, { ...latest, count: other.count + count })
    }
  }

  /** Writes the counts. While the database is unavailable, counting continues in memory. */
  async function flush(db: Db): Promise<void> {
    const countsToWrite = counts
    if (countsToWrite.size === 0) return
    counts = new Map()
    try {
      const rows = [...countsToWrite].map(
        ([kind, { count, lastAt, message }]) =>
          sql`(date_trunc('hour', ${lastAt}::timestamptz), ${kind}, ${count}::int, ${lastAt}::timestamptz, ${message})`,
      )
      await sql`
        insert into recent_errors (hour, kind, count, last_at, last_message) values ${sql.join(rows)}
        on conflict (hour, kind) do update set count = recent_errors.count + excluded.count,
          last_at = greatest(recent_errors.last_at, excluded.last_at), last_message = excluded.last_message`.execute(db)
    } catch {
      for (const [kind, errorCount] of countsToWrite) addCount(kind, errorCount)
    }
  }

  const hooks: LoggerOptions['hooks'] = {
    logMethod(args, method, level) {
      if (level >= ERROR_LEVEL) {
        const [kind, message] = describeEntry(args)
        addCount(kind, { count: 1, lastAt: now(), message })
      }
      const [firstArgument, ...otherArguments]: unknown[] = args
      if (!isDatabaseUnavailableLine(firstArgument)) return method.apply(this, args)
      const sinceMs = now().getTime() - unavailableLoggedAt
      // If the clock was set back, continue to log.
      if (sinceMs >= 0 && sinceMs < UNAVAILABLE_LINE_EVERY_MS) {
        suppressedLines++
        return
      }
      method.apply(this, [{ ...firstArgument, unwritten: suppressedLines }, ...otherArguments] as typeof args)
      unavailableLoggedAt = now().getTime()
      suppressedLines = 0
    },
  }

  return {
    hooks,
    flush,
    start: (db: Db) => {
      timer = setInterval(() => void flush(db), FLUSH_EVERY_MS)
      timer.unref()
    },
    stop: () => clearInterval(timer),
  }
}

const isDatabaseUnavailableLine = (argument: unknown): argument is object =>
  typeof argument === 'object' && argument !== null && 'id' in argument && argument.id === 'database-away'

type LoggedFields = { err?: { type?: unknown; message?: unknown }; path?: unknown; job?: unknown }

/** Returns the kind and the message of a log entry. The kind contains a shortened path, to limit the number of kinds. */
function describeEntry([fieldsOrMessage, messageAfterFields]: unknown[]): [kind: string, message: string] {
  const { err, path, job }: LoggedFields =
    typeof fieldsOrMessage === 'object' && fieldsOrMessage !== null ? fieldsOrMessage : {}
  const message = String(typeof fieldsOrMessage === 'string' ? fieldsOrMessage : (messageAfterFields ?? 'error'))
  const location = typeof job === 'string' ? `: ${job}` : typeof path === 'string' ? ` at ${toRoute(path)}` : ''
  const type = typeof err?.type === 'string' && err.type !== 'Error' ? ` (${err.type})` : ''
  return [`${message}${location}${type}`.slice(0, 120), removePersonalData(String(err?.message ?? message))]
}

/** Returns the first part of a path, or the first four of an API's path, with `#` for each number. */
function toRoute(address: string): string {
  const [firstPart = '', ...moreParts] = address.split('/').slice(1)
  const routeParts = firstPart === 'api' ? moreParts.slice(0, 3) : []
  return `/${[firstPart, ...routeParts].map((part) => part.replace(/\d+/g, '#').slice(0, 40)).join('/')}`
}

/** Removes possible personal data from a message: addresses, quoted values, long numbers and tokens. */
export function removePersonalData(message: string): string {
  return message
    .slice(0, 1000)
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, '…')
    .replace(/[^\s@"'<>]+@[^\s@"'<>]+/g, '…')
    .replace(/\b(constraint|relation|column|table|function) "([a-z0-9_.]{1,60})"/gi, '$1 $2')
    .replace(/"[^"]*"|'[^']*'|“[^”]*”/g, '…')
    .replace(/\b[0-9a-f]*:[0-9a-f:]{4,}\b|\b\d{1,3}(\.\d{1,3}){3}\b/gi, '…')
    .replace(/\b(?=\w*\d)\w{12,}\b|\b\d{4,}\b/g, '…')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200)
}
