import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderToString } from 'react-dom/server'
import {
  createStaticHandler,
  createStaticRouter,
  isRouteErrorResponse,
  RouterContextProvider,
  type StaticHandlerContext,
  StaticRouterProvider,
} from 'react-router'
import type { SiteTheme } from '#contract/theme.ts'
import { EARLY_EVENTS_SCRIPT } from './api/early-events.ts'
import { getLoadedValues, type Handoff, renderHandoff } from './api/handoff.ts'
import { pickDeclaredQuery } from './api/page.ts'
import { createQueryClient } from './api/queries.ts'
import { type Rendering, renderingContext, ServerRenderingProvider } from './api/render.tsx'
import { SCROLL_BOOT_SCRIPT, SESSION_BOOT_SCRIPT } from './api/session.ts'
import { fetchPageModule } from './page-modules.ts'
import { getPageAt, NOT_FOUND_PAGE, NOT_FOUND_PATH, PAGES } from './pages.ts'
import { buildRoutes, createRoutes } from './routes.tsx'
import { loadOnServer, loadShell } from './server-loaders.ts'
import { CLOSED_NOTICES_SCRIPT } from './shell/notice-time.ts'
import type { ShellData } from './shell/shell-data.ts'
import displayFont from './ui/fonts/sofia-sans-extra-condensed-core.woff2?url'
import readingFont from './ui/fonts/source-sans-3-core.woff2?url'

export { NOT_FOUND_PATH, PAGES }

/**
 * Returns the address under which a page is rendered and cached: its path as in the manifest, and its declared
 * parameters. All unknown paths share one address. `/RANKINGS//?x=1` becomes `/rankings`.
 */
export function getRenderedAddress({ pathname, searchParams }: URL): string {
  const { page, params } = getPageAt(pathname)
  if (page === NOT_FOUND_PAGE) return NOT_FOUND_PATH
  const path = page.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const query = pickDeclaredQuery(page.search?.names ?? [], searchParams)
  return query.size === 0 ? path : `${path}?${query}`
}

/** A rendered page. `failure` is the error, except for a refused call. */
export type RenderedPage = { status: number; html: string; failure: unknown }

const pages = buildRoutes([...PAGES, NOT_FOUND_PAGE], fetchPageModule)
const site = createStaticHandler(createRoutes({ shell: loadShell, page: loadOnServer }, pages))

/**
 * Renders the page at an address as a whole document (DOC-2, docs/decisions/008), because a page must be complete before
 * it is cached.
 *
 * @throws if even the error page fails to render
 */
export async function renderPage(
  address: string,
  options: Omit<Rendering, 'queries'>,
  findCode: (page: PageEntry) => PageCode | Promise<PageCode> = findBuiltCode,
): Promise<RenderedPage> {
  const rendering = { ...options, queries: createQueryClient() }
  const requestContext = new RouterContextProvider()
  requestContext.set(renderingContext, rendering)
  const context = await site.query(new Request(`http://site.internal${address}`), { requestContext })
  if (context instanceof Response) throw new Error(`${address} redirects to another address.`)
  const path = context.matches.at(-1)?.route.path
  const code = await findCode(PAGES.find((page) => page.path === path) ?? NOT_FOUND_PAGE)
  try {
    const failure = Object.values(context.errors ?? {}).find((error) => !isRouteErrorResponse(error))
    return { status: context.statusCode, html: renderDocument(context, rendering, code), failure }
  } catch (failure) {
    return { status: 500, html: renderDocument({ ...context, errors: { layout: failure } }, rendering, code), failure }
  }
}

function renderDocument(context: StaticHandlerContext, rendering: Rendering, code: PageCode): string {
  const router = createStaticRouter(site.dataRoutes, context)
  const page = renderToString(
    <ServerRenderingProvider rendering={rendering}>
      <StaticRouterProvider router={router} context={context} hydrate={false} />
    </ServerRenderingProvider>,
  )
  const path = context.matches.at(-1)?.route.path ?? NOT_FOUND_PAGE.path
  const handoff = renderHandoff({
    at: rendering.renderedAt,
    values: getLoadedValues(rendering.queries),
    page: { path, module: code.module },
    loaderData: context.loaderData,
    errors: context.errors && describeErrors(context.errors),
  })
  const head = page.indexOf('</head>')
  const end = page.lastIndexOf('</body>')
  const endScripts = `${handoff}<script>${SCROLL_BOOT_SCRIPT}</script>`
  const { theme } = (context.loaderData.root ?? {}) as Partial<ShellData>
  const sheetAddress = theme?.stylesheet ? `<link rel="stylesheet" href="${theme.stylesheet}"/>` : ''
  const parts = [FONT_TAGS, renderIconTags(theme), code.scripts, code.styles, sheetAddress].join('')
  return `<!DOCTYPE html>${page.slice(0, head)}${parts}${page.slice(head, end)}${endScripts}</body></html>`
}

/** Returns the tags for the icons of browser tabs and home screens, and the manifest. */
function renderIconTags(theme: SiteTheme | undefined): string {
  const [large, middle = large, small = middle] = theme?.pictures.icon ?? []
  const icons =
    large === undefined
      ? [
          '<link rel="icon" href="/art/favicon.svg" type="image/svg+xml"/>',
          '<link rel="icon" href="/art/favicon-32.png" type="image/png" sizes="32x32"/>',
          '<link rel="apple-touch-icon" href="/art/apple-touch-icon.png"/>',
        ]
      : [
          `<link rel="icon" href="${small}" type="image/png" sizes="32x32"/>`,
          `<link rel="apple-touch-icon" href="${middle}"/>`,
        ]
  return [...icons, '<link rel="manifest" href="/manifest.webmanifest"/>'].join('')
}

/** Returns the errors for the browser, without the details of internal failures. */
function describeErrors(errors: Record<string, unknown>): Handoff['errors'] {
  const describeError = (error: unknown) =>
    isRouteErrorResponse(error) ? { status: error.status, data: error.data as unknown } : { status: 500, data: null }
  return Object.fromEntries(
    Object.entries(errors).map(([id, error]) => [id, { ...describeError(error), statusText: '', internal: false }]),
  )
}

type BuiltPart = { file: string; css?: string[]; imports?: string[] }

const CLIENT = join(import.meta.dirname, '../client')
const ENTRY = 'web/entry.client.tsx'
const FONT_TAGS = [displayFont, readingFont]
  .map((font) => `<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin="anonymous"/>`)
  .join('')

let manifest: Record<string, BuiltPart> | undefined
/** Reads the manifest of the browser's build: its files by source. */
function readManifest(): Record<string, BuiltPart> {
  manifest ??= JSON.parse(readFileSync(join(CLIENT, '.vite/manifest.json'), 'utf8')) as Record<string, BuiltPart>
  return manifest
}

/** Returns the built file of a source, preceded by the files that it imports. */
function collectParts(source: string, parts = new Set<BuiltPart>()): Set<BuiltPart> {
  const builtFiles = readManifest()
  const part = builtFiles[source]
  if (part === undefined) throw new Error(`The build has no file for ${source}.`)
  for (const name of part.imports ?? []) if (!parts.has(builtFiles[name] ?? part)) collectParts(name, parts)
  return parts.add(part)
}

type PageEntry = Pick<(typeof PAGES)[number], 'path' | 'file'>
/** The code of a page's document: the address of its module, and the tags for scripts and styles. */
export type PageCode = { module: string; scripts: string; styles: string }
const codeByPath = new Map<string, PageCode>()

/**
 * Finds the built code of a page. The browser downloads the scripts at once. Styles are inlined, because each stylesheet
 * would delay the first paint.
 */
function findBuiltCode({ path, file }: PageEntry): PageCode {
  const cachedCode = codeByPath.get(path)
  if (cachedCode !== undefined) return cachedCode
  const builtFiles = readManifest()
  const entry = builtFiles[ENTRY]?.file
  const parts = [...collectParts(`web/${file}`, collectParts(ENTRY))]
  // Downloaded after the fonts, which the first paint needs, and the entry, which the modules need.
  const modules = parts
    .filter(({ file }) => file !== entry)
    .map(({ file }) => `<link rel="modulepreload" fetchpriority="low" href="/${file}"/>`)
  const sheets = [...new Set(parts.flatMap(({ css }) => css ?? []))]
  const styles = sheets.map((sheetAddress) => readFileSync(join(CLIENT, sheetAddress), 'utf8').trim()).join('')
  // The browser's build treats a stylesheet with an element as loaded. `disabled` prevents the download, and `media` prevents
  // it in browsers that download disabled stylesheets, such as Chromium 150.
  const stylesheetMarks = sheets.map(
    (sheetAddress) => `<link rel="stylesheet" href="/${sheetAddress}" media="not all" disabled/>`,
  )
  const code = {
    module: `/${builtFiles[`web/${file}`]?.file ?? ''}`,
    scripts: [`<script type="module" src="/${entry}"></script>`, ...modules].join(''),
    styles: `<style>${styles}</style>${stylesheetMarks.join('')}`,
  }
  codeByPath.set(path, code)
  return code
}

const hashScript = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`

/** The hashes of the inline scripts of every page, for the security policy. */
export const SCRIPT_HASHES = [SESSION_BOOT_SCRIPT, CLOSED_NOTICES_SCRIPT, EARLY_EVENTS_SCRIPT, SCROLL_BOOT_SCRIPT]
  .map(hashScript)
  .join(' ')

/** The part of the built site that the server uses. */
export type RenderModule = {
  renderPage: typeof renderPage
  getRenderedAddress: typeof getRenderedAddress
  PAGES: typeof PAGES
  NOT_FOUND_PATH: typeof NOT_FOUND_PATH
  SCRIPT_HASHES: string
}
