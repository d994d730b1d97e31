import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import type { Endpoint } from '#contract/endpoint.ts'

/** Vite names modules with slashes on every system. */
const CONTRACT = join(import.meta.dirname, '../contract').replaceAll('\\', '/')

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
async function writeEndpoint(name: string, endpoint: Endpoint): Promise<string> {
  const { method, path, access, cache, idempotent, places, isFile, fields } = endpoint
  const wire = JSON.stringify({ method, path, access, ...(cache && { cache }), idempotent, places, isFile })
  const schema = fields === undefined ? '' : `, schema: () => ${await importFields(endpoint)}`
  return `export const ${name} = { ...${wire}${schema} }`
}

/**
 * Gives the pages the contract without its schemas: 14 kB of a first visit that nobody validates anything in. A file of
 * the contract that uses Zod is read here, and its endpoints and plain values are written out. The rules of forms are
 * in the files `*-fields.ts`, which are written with zod/mini and fetched as they are.
 */
export function wireContract(): Plugin {
  return {
    name: 'wire-contract',
    enforce: 'pre',
    async load(id) {
      if (!id.startsWith(`${CONTRACT}/`) || id.endsWith('/endpoint.ts')) return null
      if (!/from 'zod'/.test(readFileSync(id, 'utf8'))) return null
      this.addWatchFile(id)
      const area: Record<string, unknown> = await import(pathToFileURL(id).href)
      const lines = Object.entries(area).map(async ([name, value]) => {
        if (isEndpoint(value)) return writeEndpoint(name, value)
        const isPlain = typeof value !== 'function' && !(typeof value === 'object' && value !== null && '_zod' in value)
        return isPlain ? `export const ${name} = ${JSON.stringify(value)}` : ''
      })
      return (await Promise.all(lines)).join('\n')
    },
  }
}
