import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MiddlewareHandler } from 'hono'
import { html, raw } from 'hono/html'
import type { Deps } from './deps.ts'
import { readSiteLook } from './features/look/queries.ts'
import { FRAMING_HEADER } from './http/security-headers.ts'
import { readSettings } from './settings.ts'

type BuiltPart = { file: string; css?: string[]; imports?: string[] }

const MANIFEST = join(import.meta.dirname, '../build/desk/.vite/manifest.json')
const ENTRY = 'web/admin/entry.tsx'
const OUR_ICONS =
  '<link rel="icon" href="/art/favicon.svg" type="image/svg+xml"><link rel="icon" href="/art/favicon-32.png" type="image/png" sizes="32x32">'
/** The two fonts that every screen starts with. */
const FONTS = ['sofia-sans-extra-condensed-core.woff2', 'source-sans-3-core.woff2']

/**
 * Answers `/admin` and every address below it with the desk's document, which is the same for all of them: the desk is
 * private, so nothing is rendered here and nothing is cached. Its script finds out who asks and shows the screen.
 */
export function deskDocument(deps: Pick<Deps, 'db' | 'config' | 'cache'>): MiddlewareHandler {
  let built: ReturnType<typeof readBuild> | undefined
  return async (c, next) => {
    const isForDesk = /^\/admin(\/|$)/i.test(c.req.path) && (c.req.method === 'GET' || c.req.method === 'HEAD')
    if (!isForDesk) return next()
    built ??= readBuild()
    c.header('Cache-Control', 'no-store')
    c.header(FRAMING_HEADER, 'frames')
    return c.html(
      renderDocument(built, (await readSettings(deps)).site_name, (await readSiteLook(deps))?.pictures.icon?.at(-1)),
    )
  }
}

function renderDocument(
  { styles, scripts, fonts }: ReturnType<typeof readBuild>,
  appName: string,
  icon: string | undefined,
) {
  const links = [
    ...fonts.map((file) => `<link rel="preload" href="/${file}" as="font" type="font/woff2" crossorigin="anonymous">`),
    ...styles.map((file) => `<link rel="stylesheet" href="/${file}">`),
    ...scripts.slice(1).map((file) => `<link rel="modulepreload" href="/${file}">`),
    `<script type="module" src="/${scripts[0]}"></script>`,
  ].join('')
  return html`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="theme-color" content="#0A0C13">
<meta name="robots" content="noindex"><meta name="application-name" content="${appName}"><title>Desk | ${appName}</title>
${raw(icon === undefined ? OUR_ICONS : `<link rel="icon" href="${icon}" type="image/png" sizes="32x32">`)}
${raw(links)}</head><body><div id="desk"></div><noscript>The desk needs JavaScript.</noscript></body></html>`
}

/** What the document names: the entry's file first, then what it imports; styles; fonts. */
function readBuild() {
  const built: Record<string, BuiltPart> = JSON.parse(readFileSync(MANIFEST, 'utf8'))
  const parts = new Set<BuiltPart>()
  const add = (source: string) => {
    const part = built[source]
    if (part === undefined) throw new Error(`The build of the desk has no file for ${source}.`)
    if (parts.has(part)) return
    parts.add(part)
    for (const next of part.imports ?? []) add(next)
  }
  add(ENTRY)
  const files = Object.entries(built)
  return {
    scripts: [...parts].map(({ file }) => file),
    styles: [...new Set([...parts].flatMap(({ css }) => css ?? []))],
    fonts: FONTS.flatMap((font) => files.filter(([source]) => source.endsWith(font)).map(([, { file }]) => file)),
  }
}
