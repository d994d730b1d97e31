import { readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { MiddlewareHandler } from 'hono'
import type { RenderModule } from '#web/entry.server.tsx'
import { createStaticFiles, isPublicFile } from './http/static-files.ts'

/** The source of the pages' code and files: the build, or with `npm run dev` the source files. */
export type Frontend = {
  /** Loads the code that renders pages. */
  loadRenderer(): Promise<RenderModule>
  /** Returns the tags of the desk's document that load its code, once it is built. */
  getDeskTags(): Promise<string>
  /** Serves scripts, styles, fonts, pictures and films. */
  files: MiddlewareHandler
  /** Returns the path on disk of one of the site's own drawings or films, or null for any other address. */
  findFile(url: string): Promise<string | null>
  /** Directives that the code needs in the security policy. The build needs none. */
  extraPolicy?: string[]
}

const BUILD_FOLDER = join(import.meta.dirname, '../build')
const CLIENT_FOLDER = join(BUILD_FOLDER, 'client')
const DESK_FOLDER = join(BUILD_FOLDER, 'desk')
const MEDIA_FOLDER = join(import.meta.dirname, '../web/public')

/** A build that may still build the desk and draw pictures while the site is open. */
type RunningBuild = {
  desk: Promise<unknown>
  finished: Promise<unknown>
  ensurePicture(name: string): Promise<unknown>
}

/**
 * Opens the pages that `scripts/build.ts` has built.
 *
 * @param build a running build. Until it ends, missing pictures are drawn on request. If it fails, no more are drawn,
 *   because each request would repeat the failure at the cost of a drawing
 */
export function openBuiltFrontend(build?: RunningBuild): Frontend {
  let tags: string | undefined
  let serveFiles: MiddlewareHandler | undefined
  let runningBuild = build
  const forgetBuild = () => {
    runningBuild = undefined
  }
  build?.finished.then(forgetBuild, forgetBuild)
  const ensureFile = async (url: string) => {
    if (url.startsWith('/art/')) await runningBuild?.ensurePicture(url.slice('/art/'.length))
  }
  return {
    loadRenderer: () => import(/* @vite-ignore */ pathToFileURL(join(BUILD_FOLDER, 'server/index.js')).href),
    async getDeskTags() {
      await build?.desk
      tags ??= readDeskTags()
      return tags
    },
    // Opened on the first request, because the build may be unfinished, and tests of calls have none.
    async files(c, next) {
      await ensureFile(c.req.path)
      serveFiles ??= createStaticFiles({ client: CLIENT_FOLDER, desk: DESK_FOLDER, media: MEDIA_FOLDER })
      return serveFiles(c, next)
    },
    async findFile(url) {
      if (!isPublicFile(url)) return null
      await ensureFile(url)
      const file = join(MEDIA_FOLDER, url)
      return (await stat(file).catch(() => null)) === null ? null : file
    },
  }
}

type ManifestEntry = { file: string; css?: string[]; imports?: string[] }

const DESK_ENTRY = 'web/admin/entry.tsx'
/** The two fonts that every screen starts with. */
const FONT_FILES = ['sofia-sans-extra-condensed-core.woff2', 'source-sans-3-core.woff2']

/** Returns the tags for the desk's fonts, styles and scripts: the entry's file and all that it imports. */
function readDeskTags(): string {
  const manifest: Record<string, ManifestEntry> = JSON.parse(
    readFileSync(join(DESK_FOLDER, '.vite/manifest.json'), 'utf8'),
  )
  const manifestEntries = new Set<ManifestEntry>()
  const addWithImports = (source: string) => {
    const manifestEntry = manifest[source]
    if (manifestEntry === undefined) throw new Error(`The build of the desk has no file for ${source}.`)
    if (manifestEntries.has(manifestEntry)) return
    manifestEntries.add(manifestEntry)
    for (const next of manifestEntry.imports ?? []) addWithImports(next)
  }
  addWithImports(DESK_ENTRY)
  const [entry, ...importedFiles] = [...manifestEntries].map(({ file }) => file)
  const styles = new Set([...manifestEntries].flatMap(({ css }) => css ?? []))
  const fonts = FONT_FILES.flatMap((font) =>
    Object.entries(manifest).flatMap(([source, { file }]) => (source.endsWith(font) ? [file] : [])),
  )
  return [
    ...fonts.map((file) => `<link rel="preload" href="/${file}" as="font" type="font/woff2" crossorigin="anonymous">`),
    ...[...styles].map((file) => `<link rel="stylesheet" href="/${file}">`),
    ...importedFiles.map((file) => `<link rel="modulepreload" href="/${file}">`),
    `<script type="module" src="/${entry}"></script>`,
  ].join('')
}
