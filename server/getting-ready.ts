import type { RequestListener } from 'node:http'

const RETRY_SECONDS = 3

/**
 * Answers requests while the site starts. `/healthz` answers 200, because the process is running. All other addresses
 * answer 503: calls and `/readyz` with JSON, everything else with a page that reloads itself.
 *
 * @param count returns the current step, counted from 1, and the number of steps; both are 0 before the steps are known
 */
export function answerWhileStarting(count: () => { step: number; of: number }): RequestListener {
  return (req, res) => {
    const [path = ''] = (req.url ?? '').split('?')
    const headers = {
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    }
    const json = { ...headers, 'Content-Type': 'application/json' }
    if (path === '/healthz') return void res.writeHead(200, json).end(JSON.stringify({ status: 'ok' }))
    const { step, of } = count()
    const progress = of === 0 ? '' : `, step ${step} of ${of}`
    const unavailable = { 'Retry-After': String(RETRY_SECONDS) }
    if (path === '/readyz' || path.startsWith('/api/'))
      return void res
        .writeHead(503, { ...json, ...unavailable })
        .end(JSON.stringify({ status: 'starting', message: `Tambayan is getting ready${progress}.` }))
    res.writeHead(503, { ...headers, ...unavailable, 'Content-Type': 'text/html; charset=utf-8' }).end(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${RETRY_SECONDS}">
<title>Getting ready</title>
<style>
body { display: grid; place-content: center; min-height: 90vh; margin: 0; padding: 1rem; background: #0a0c13; color: #f2f3f7; font: 1.25rem/1.5 system-ui, sans-serif; text-align: center }
</style>
<h1>Tambayan is getting ready${progress}</h1>
<p>This page opens the site as soon as it can.</p>
</html>
`)
  }
}
