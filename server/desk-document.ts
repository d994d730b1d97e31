import type { MiddlewareHandler } from 'hono'
import { html, raw } from 'hono/html'
import type { Deps } from './deps.ts'
import { readSiteTheme } from './features/theme/queries.ts'
import { FRAMING_HEADER } from './http/security-headers.ts'
import { readSettings } from './settings.ts'

const DEFAULT_ICONS =
  '<link rel="icon" href="/art/favicon.svg" type="image/svg+xml"><link rel="icon" href="/art/favicon-32.png" type="image/png" sizes="32x32">'
/**
 * Answers `/admin` and every address below it with the desk's document, which is the same for all of them: the desk is
 * private, so nothing is rendered or cached here. Its script checks who is logged in and shows the screen.
 */
export function createDeskDocument(deps: Pick<Deps, 'db' | 'config' | 'cache' | 'frontend'>): MiddlewareHandler {
  return async (c, next) => {
    const isForDesk = /^\/admin(\/|$)/i.test(c.req.path) && (c.req.method === 'GET' || c.req.method === 'HEAD')
    if (!isForDesk) return next()
    c.header('Cache-Control', 'no-store')
    c.header(FRAMING_HEADER, 'may-frame')
    const { site_name } = await readSettings(deps)
    const theme = await readSiteTheme(deps)
    return c.html(renderDocument(await deps.frontend.getDeskTags(), site_name, theme?.pictures.icon?.at(-1)))
  }
}

function renderDocument(codeTags: string, appName: string, icon: string | undefined) {
  return html`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="theme-color" content="#0A0C13">
<meta name="robots" content="noindex"><meta name="application-name" content="${appName}"><title>Desk | ${appName}</title>
${raw(icon === undefined ? DEFAULT_ICONS : `<link rel="icon" href="${icon}" type="image/png" sizes="32x32">`)}
${raw(codeTags)}</head><body><div id="desk"></div><noscript>The desk needs JavaScript.</noscript></body></html>`
}
