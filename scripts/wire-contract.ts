import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import type { Endpoint } from '#contract/endpoint.ts'

const CONTRACT = join(import.meta.dirname, '../contract')
const SCHEMAS = '?schemas'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'places' in value && 'schema' in value

/** The code that fetches a form's `fields` from the `*-fields.ts` that exports them. */
async function importFields({ fields, path }: Endpoint): Promise<string> {
  for (const file of globSync('*-fields.ts', { cwd: CONTRACT })) {
    const module: Record<string, unknown> = await import(pathToFileURL(join(CONTRACT, file)).href)
    const name = Object.keys(module).find((name) => module[name] === fields)
    if (name !== undefined) return `import(${JSON.stringify(join(CONTRACT, file))}).then((fields) => fields.${name})`
  }
  throw new Error(`The fields of ${path} are exported by no *-fields.ts of the contract.`)
}

/** What the pages need of an endpoint. The rules of its form are a module that is fetched when it is asked for. */
async function writeEndpoint(file: string, name: string, endpoint: Endpoint): Promise<string> {
  const { method, path, access, cache, idempotent, places, isFile, fields } = endpoint
  const takesBody = Object.values(places).some((place) => place === 'body' || place === 'form')
  const bodySchema = `import(${JSON.stringify(file + SCHEMAS)}).then((area) => area.${name}.schema())`
  const schema = takesBody ? `, schema: () => ${fields ? await importFields(endpoint) : bodySchema}` : ''
  const wire = JSON.stringify({ method, path, access, ...(cache && { cache }), idempotent, places, isFile })
  return `export const ${name} = { ...${wire}${schema} }`
}

/**
 * Gives the pages the contract without its schemas: 14 kB of a first visit that nobody validates anything in. A file of
 * the contract that declares endpoints is read here, and its endpoints and plain values are written out; schemas,
 * which only forms need, stay in the file, which is fetched with `?schemas` in its address.
 */
export function wireContract(): Plugin {
  return {
    name: 'wire-contract',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!importer?.endsWith(SCHEMAS) || !source.startsWith('.')) return null
      const resolved = await this.resolve(source, importer.slice(0, -SCHEMAS.length), { skipSelf: true })
      return resolved === null ? null : resolved.id + SCHEMAS
    },
    async load(id) {
      if (!id.startsWith(`${CONTRACT}/`) || id.endsWith('/endpoint.ts')) return null
      if (id.endsWith(SCHEMAS)) return readFileSync(id.slice(0, -SCHEMAS.length), 'utf8')
      if (!/from 'zod'/.test(readFileSync(id, 'utf8'))) return null
      this.addWatchFile(id)
      const area: Record<string, unknown> = await import(pathToFileURL(id).href)
      const lines = Object.entries(area).map(async ([name, value]) => {
        if (isEndpoint(value)) return writeEndpoint(id, name, value)
        const isPlain = typeof value !== 'function' && !(typeof value === 'object' && value !== null && '_zod' in value)
        return isPlain ? `export const ${name} = ${JSON.stringify(value)}` : ''
      })
      return (await Promise.all(lines)).join('\n')
    },
  }
}
