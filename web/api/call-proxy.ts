type Sent = {
  param?: Record<string, string>
  query?: Record<string, string | undefined>
  json?: unknown
  header?: Record<string, string | undefined>
}

/** Drops what was left open. */
const given = (fields: Record<string, string | undefined> = {}) =>
  Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined)

/**
 * Turns `calls.getspecificnews[':id'].$get({ param: { id: '7' } })` into a request of
 * `base/getspecificnews/7`. The shapes are those of the server's routes (Hono's client type);
 * only this is left of that client in the browser.
 */
export function createCalls<Calls>(base: string, fetchImpl: typeof fetch): Calls {
  const at = (path: string[]): unknown =>
    new Proxy(() => {}, {
      get: (_, name) => (typeof name === 'string' && name !== 'then' ? at([...path, name]) : undefined),
      apply: (_, __, [sent]: [Sent?]) => send(path.slice(0, -1), (path.at(-1) ?? '').slice(1), sent ?? {}),
    })

  function send(path: string[], method: string, { param = {}, query, json, header }: Sent): Promise<Response> {
    const steps = path.map((step) => (step.startsWith(':') ? encodeURIComponent(param[step.slice(1)] ?? '') : step))
    const asked = new URLSearchParams(given(query)).toString()
    const headers = new Headers(given(header))
    if (json !== undefined) headers.set('Content-Type', 'application/json')
    return fetchImpl(`${base}/${steps.join('/')}${asked === '' ? '' : `?${asked}`}`, {
      method: method.toUpperCase(),
      headers,
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    })
  }

  return at([]) as Calls
}
