/** The servers of a `DATABASE_URL`, of which one is the primary. */
export type Servers = ReturnType<typeof createServers>

/** The settings that the site sets on each connection; those in an address are removed. */
const SITE_SETTINGS = [
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'target_session_attrs',
]

/**
 * Turns off PostgreSQL's JIT compiler, because compiling takes longer than any visitor's statement. The cost estimate that
 * triggers it ignores a LIMIT inside a UNION.
 */
const JIT_OFF = '-c jit=off'

/**
 * Splits a `DATABASE_URL` into the addresses of its servers. It may name several, separated by commas, as in
 * `postgres://user:password@one:5432,two:5432/name`.
 *
 * @returns an empty list when it is not an address of PostgreSQL
 */
export function splitDatabaseUrl(databaseUrl: string): string[] {
  const [, urlStart, hosts, urlEnd] = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/.exec(databaseUrl) ?? []
  if (urlStart === undefined || hosts === undefined) return []
  const urls = hosts.split(',').map((host) => `${urlStart}${host}${urlEnd}`)
  if (urls.length > 1 && hosts.split(',').includes('')) return []
  if (!urls.every((url) => URL.canParse(url))) return []
  return urls.map((text) => {
    const url = new URL(text)
    for (const name of SITE_SETTINGS) url.searchParams.delete(name)
    url.searchParams.set('options', `${url.searchParams.get('options') ?? ''} ${JIT_OFF}`.trim())
    return url.href
  })
}

/** Creates a selector of servers. It stays with one server until a caller leaves it, and then moves on to the next. */
export function createServers(databaseUrl: string) {
  const urls = splitDatabaseUrl(databaseUrl)
  let currentIndex = 0
  return {
    count: urls.length,
    current: () => urls[currentIndex] ?? databaseUrl,
    leave: (url: string) => {
      if (urls[currentIndex] === url) currentIndex = (currentIndex + 1) % urls.length
    },
  }
}
