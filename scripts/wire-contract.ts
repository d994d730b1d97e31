import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type EnvironmentModuleNode, type Plugin, parseSync } from 'vite'
import type { Endpoint } from '#contract/endpoint.ts'

/** Converts a path to slashes, as Vite names modules on every system. */
const toSlashes = (path: string) => path.replaceAll('\\', '/')
const CONTRACT = toSlashes(join(import.meta.dirname, '../contract'))
const CONTENT = toSlashes(join(import.meta.dirname, '../content'))

const usesZod = (file: string) => /from 'zod(\/mini)?'/.test(readFileSync(file, 'utf8'))
/** Returns whether a path is in `contract/` or `content/`. */
const isSource = (file: string | null) =>
  file !== null && (file.startsWith(`${CONTRACT}/`) || file.startsWith(`${CONTENT}/`))

export type ImportModule = (file: string) => Promise<Record<string, unknown>>
const importOnce: ImportModule = (file) => import(pathToFileURL(file).href)

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const isPlain = (value: object) => Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
/** Whether a value can be written as JSON: it contains no function, schema or regular expression. */
const isData = (value: unknown): boolean =>
  isObject(value) ? isPlain(value) && Object.values(value).every(isData) : typeof value !== 'function'
const isEndpoint = (value: unknown): value is Endpoint => isObject(value) && 'inputParts' in value && 'schema' in value

/** Marks the initial values of a file's variables as free of side effects, so the bundler drops unused ones. */
function markAsPure(file: string): string {
  let code = readFileSync(file, 'utf8')
  for (const statement of parseSync(file, code).program.body.reverse()) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declared?.type !== 'VariableDeclaration') continue
    for (const { init } of declared.declarations.reverse()) {
      if (init === null || init.type === 'ArrowFunctionExpression') continue
      const pureCode = `/* @__PURE__ */ (() => (${code.slice(init.start, init.end)}))()`
      code = code.slice(0, init.start) + pureCode + code.slice(init.end)
    }
  }
  return code
}

/** Imports all files of the contract, with their paths. */
async function importContract(importModule: ImportModule): Promise<[file: string, Record<string, unknown>][]> {
  const files = globSync('*.ts', { cwd: CONTRACT, exclude: ['*.test.ts'] }).map((name) => `${CONTRACT}/${name}`)
  return Promise.all(files.map(async (file) => [file, await importModule(file)]))
}

/** Returns every endpoint of the contract. */
async function readEndpoints(importModule: ImportModule): Promise<Endpoint[]> {
  return (await importContract(importModule)).flatMap(([, module]) => Object.values(module).filter(isEndpoint))
}

/** Maps each exported value of the contract to the code that imports it as the `fields` of a form. */
type FieldImports = ReadonlyMap<unknown, string>

async function writeFieldImports(importModule: ImportModule): Promise<FieldImports> {
  const imports = new Map<unknown, string>()
  for (const [file, module] of await importContract(importModule))
    for (const [name, value] of Object.entries(module))
      if (!imports.has(value)) imports.set(value, `import('${file}?forms').then((forms) => forms.${name})`)
  return imports
}

/**
 * Returns the code of the part of an endpoint that pages need. The rules of its form are a separate module, loaded on
 * demand.
 */
function writeEndpoint(name: string, endpoint: Endpoint, fieldImports: FieldImports): string {
  const { method, path, access, cache, idempotent, inputParts, isFile, fields } = endpoint
  const wireFields = JSON.stringify({ method, path, access, ...(cache && { cache }), idempotent, inputParts, isFile })
  const fieldImport = fieldImports.get(fields)
  if (fields !== undefined && fieldImport === undefined)
    throw new Error(`The fields of ${path} are exported by no file of the contract.`)
  const schema = fields === undefined ? '' : `, schema: () => ${fieldImport}`
  return `export const ${name} = { ...${wireFields}${schema} }`
}

/**
 * Gives pages the contract without its schemas, which saves 14 kB of a first visit. A contract file becomes its
 * endpoints and data, written out, and the functions that pages use. The rules of its forms are a module that loads on
 * demand. A module can be in only one chunk, so the file's code becomes two: `?plain` for the pages and `?rules` for
 * the forms. For a file of `content`, pages get the texts that it read.
 *
 * In `npm run dev`, the environment `server`, which has the handlers, gets the whole contract.
 *
 * @param importModule imports a source file; `npm run dev` imports a file again after a change, which Node never does
 */
export function wireContract(importModule: ImportModule = importOnce): Plugin {
  return {
    name: 'wire-contract',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name !== 'server',
    // The written data of a file can come from imported files, so it changes with each of them.
    hotUpdate({ file, modules }) {
      if (!isSource(file)) return
      const { moduleGraph } = this.environment
      // A text of the content belongs to no module.
      const readers = [...moduleGraph.idToModuleMap.values()].filter((module) => module.file?.startsWith(`${CONTENT}/`))
      const changedModules = new Set<EnvironmentModuleNode>(modules.length > 0 ? modules : readers)
      for (const module of changedModules)
        for (const importer of module.importers) if (isSource(importer.file)) changedModules.add(importer)
      return [...changedModules]
    },
    // Drops unused names that are destructured from a schema.
    config: () => ({ build: { rolldownOptions: { treeshake: { propertyReadSideEffects: false } } } }),
    resolveId(source, importer = '') {
      const query = importer.match(/\?(plain|rules)$/)?.[0]
      if (query === undefined || !source.startsWith('.')) return null
      const file = toSlashes(join(dirname(importer), source))
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
        const usedFields = new Set<unknown>((await readEndpoints(importModule)).map(({ fields }) => fields))
        const forms = module.filter(([, value]) => value !== undefined && usedFields.has(value))
        return `export { ${forms.map(([name]) => name).join()} } from '${file}?rules'`
      }
      const hasForms = endpoints.some(({ value }) => value.fields !== undefined)
      const fieldImports: FieldImports = hasForms ? await writeFieldImports(importModule) : new Map()
      const data = module.filter(([, value]) => isData(value))
      return [
        ...(isContent ? [] : [`export * from '${file}?plain'`]),
        ...data.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`),
        ...endpoints.map(({ name, value }) => writeEndpoint(name, value, fieldImports)),
      ].join('\n')
    },
  }
}
