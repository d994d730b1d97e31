import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type EnvironmentModuleNode, type Plugin, parseSync } from 'vite'
import type { Endpoint } from '#contract/endpoint.ts'

/** Vite names modules with slashes on every system. */
const withSlashes = (path: string) => path.replaceAll('\\', '/')
const CONTRACT = withSlashes(join(import.meta.dirname, '../contract'))
const CONTENT = withSlashes(join(import.meta.dirname, '../content'))

const usesZod = (file: string) => /from 'zod(\/mini)?'/.test(readFileSync(file, 'utf8'))
/** Whether a file, or a module named after it, is part of the contract or of the content. */
const isSource = (file: string | null) =>
  file !== null && (file.startsWith(`${CONTRACT}/`) || file.startsWith(`${CONTENT}/`))

export type ImportModule = (file: string) => Promise<Record<string, unknown>>
const importOnce: ImportModule = (file) => import(pathToFileURL(file).href)

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const isPlain = (value: object) => Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
/** Whether a value can be written as JSON: no function, no schema and no regular expression is in it. */
const isData = (value: unknown): boolean =>
  isObject(value) ? isPlain(value) && Object.values(value).every(isData) : typeof value !== 'function'
const isEndpoint = (value: unknown): value is Endpoint => isObject(value) && 'places' in value && 'schema' in value

/** Marks the calls in a contract file as free of side effects, so the bundler drops unused ones. */
function markAsPure(file: string): string {
  let code = readFileSync(file, 'utf8')
  for (const statement of parseSync(file, code).program.body.reverse()) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declared?.type !== 'VariableDeclaration') continue
    for (const { init } of declared.declarations.reverse()) {
      if (init === null || init.type === 'ArrowFunctionExpression') continue
      const made = `/* @__PURE__ */ (() => (${code.slice(init.start, init.end)}))()`
      code = code.slice(0, init.start) + made + code.slice(init.end)
    }
  }
  return code
}

/** Every endpoint of the contract. */
async function readEndpoints(importModule: ImportModule): Promise<Endpoint[]> {
  const names = globSync('*.ts', { cwd: CONTRACT, exclude: ['*.test.ts'] })
  const modules = await Promise.all(names.map((name) => importModule(`${CONTRACT}/${name}`)))
  return modules.flatMap((module) => Object.values(module).filter(isEndpoint))
}

/** The code that fetches a form's `fields` from the file of the contract that exports them. */
async function importFields({ fields, path }: Endpoint, importModule: ImportModule): Promise<string> {
  for (const name of globSync('*.ts', { cwd: CONTRACT, exclude: ['*.test.ts'] })) {
    const file = `${CONTRACT}/${name}`
    const [exported] = Object.entries(await importModule(file)).find(([, value]) => value === fields) ?? []
    if (exported !== undefined) return `import('${file}?forms').then((forms) => forms.${exported})`
  }
  throw new Error(`The fields of ${path} are exported by no file of the contract.`)
}

/**
 * Writes the part of an endpoint that pages need. The rules of its form are a separate module, which loads on demand.
 */
async function writeEndpoint(name: string, endpoint: Endpoint, importModule: ImportModule): Promise<string> {
  const { method, path, access, cache, idempotent, places, isFile, fields } = endpoint
  const wire = JSON.stringify({ method, path, access, ...(cache && { cache }), idempotent, places, isFile })
  const schema = fields === undefined ? '' : `, schema: () => ${await importFields(endpoint, importModule)}`
  return `export const ${name} = { ...${wire}${schema} }`
}

/**
 * Gives pages the contract without its schemas, which saves 14 kB of a first visit. A contract file becomes its
 * endpoints and its data, written out, and the functions that pages use. The rules of its forms are a module that loads
 * on demand. A module is in one chunk only, so there are two of the file's code: `?plain` for the pages and `?rules`
 * for the forms. Of a file of `content`, pages get the texts that it read.
 *
 * In `npm run dev` the environment `server`, which has the handlers, gets the whole contract.
 *
 * @param importModule imports a source file; `npm run dev` imports a file again after it has changed, which Node never
 *   does
 */
export function wireContract(importModule: ImportModule = importOnce): Plugin {
  return {
    name: 'wire-contract',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name !== 'server',
    // The written data of a file may come from the files that it imports, so it changes with each of them.
    hotUpdate({ file, modules }) {
      if (!isSource(file)) return
      const { moduleGraph } = this.environment
      // A text of the content belongs to no module.
      const readers = [...moduleGraph.idToModuleMap.values()].filter((module) => module.file?.startsWith(`${CONTENT}/`))
      const changed = new Set<EnvironmentModuleNode>(modules.length > 0 ? modules : readers)
      for (const module of changed)
        for (const importer of module.importers) if (isSource(importer.file)) changed.add(importer)
      return [...changed]
    },
    // Drops unused names that are destructured from a schema.
    config: () => ({ build: { rolldownOptions: { treeshake: { propertyReadSideEffects: false } } } }),
    resolveId(source, importer = '') {
      const query = importer.match(/\?(plain|rules)$/)?.[0]
      if (query === undefined || !source.startsWith('.')) return null
      const file = withSlashes(join(dirname(importer), source))
      return usesZod(file) ? file + query : file
    },
    async load(id) {
      const [file = id, query] = id.split('?')
      const isContent = file.startsWith(`${CONTENT}/`)
      if (!isSource(file) || !usesZod(file)) return null
      this.addWatchFile(file)
      if (query === 'plain' || query === 'rules') return markAsPure(file)
      const module = Object.entries(await importModule(file))
      const endpoints = module.flatMap(([name, value]) => (isEndpoint(value) ? [{ name, value }] : []))
      if (query === 'forms') {
        const used = new Set<unknown>((await readEndpoints(importModule)).map(({ fields }) => fields))
        const forms = module.filter(([, value]) => value !== undefined && used.has(value))
        return `export { ${forms.map(([name]) => name).join()} } from '${file}?rules'`
      }
      const data = module.filter(([, value]) => isData(value))
      return [
        ...(isContent ? [] : [`export * from '${file}?plain'`]),
        ...data.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`),
        ...(await Promise.all(endpoints.map(({ name, value }) => writeEndpoint(name, value, importModule)))),
      ].join('\n')
    },
  }
}
