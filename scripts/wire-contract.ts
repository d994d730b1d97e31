import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Plugin, parseSync } from 'vite'
import type { Endpoint } from '#contract/endpoint.ts'

/** Vite names modules with slashes on every system. */
const pathOf = (folder: string) => join(import.meta.dirname, '..', folder).replaceAll('\\', '/')
const CONTRACT = pathOf('contract')
const CONTENT = pathOf('content')
/** What is appended to the name of a file of the contract to ask for the rules of its forms. */
const FORMS = '?forms'

type Module = Record<string, unknown>
const importModule = (file: string): Promise<Module> => import(pathToFileURL(file).href)

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'places' in value && 'schema' in value

/** A statement of a file: what it declares, its code, and the names of the file that it uses. */
type Statement = { names: string[]; code: string; uses: string[] }
/** A file of the contract in its parts. `imports` has the file and the name behind each imported name. */
type Source = {
  file: string
  statements: Statement[]
  imports: Map<string, { from: string; name: string; code: string }>
}

type Node = { type: string } & Record<string, unknown>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** The parts of code that can have names: neither types nor the names of properties. */
function findParts(node: Node): Node[] {
  const skipped = node.computed === true ? '' : node.type === 'MemberExpression' ? 'property' : 'key'
  return Object.entries(node)
    .flatMap(([key, value]) => (key === skipped ? [] : value))
    .filter((part) => isNode(part) && !/^TS.*(Type|Annotation|Instantiation)/.test(part.type)) as Node[]
}

/** The names that a function gives its parameters and constants. */
function findOwnNames(node: Node, isPattern = false): string[] {
  if (isPattern && node.type === 'Identifier') return [String(node.name)]
  return findParts(node).flatMap((part) => {
    if ('params' in part || (node.type === 'AssignmentPattern' && part === node.right)) return []
    const isParameter = Array.isArray(node.params) && node.params.includes(part)
    const isConstant = node.type === 'VariableDeclarator' && part === node.id
    return findOwnNames(part, isPattern || isParameter || isConstant)
  })
}

/** The names from outside that code uses. */
function findNames(node: Node): string[] {
  if (node.type === 'Identifier') return [String(node.name)]
  const own = 'params' in node ? findOwnNames(node) : []
  return findParts(node)
    .flatMap(findNames)
    .filter((name) => !own.includes(name))
}

const SOURCES = new Map<string, Source>()

/** Takes a file of the contract apart. */
function readSource(file: string): Source {
  const known = SOURCES.get(file)
  if (known !== undefined) return known
  const code = readFileSync(file, 'utf8')
  const source: Source = { file, statements: [], imports: new Map() }
  for (const statement of parseSync(file, code).program.body) {
    if (statement.type === 'ImportDeclaration') {
      const { value } = statement.source
      const from = value.startsWith('.') ? join(dirname(file), value).replaceAll('\\', '/') : value
      for (const imported of statement.specifiers) {
        const local = imported.local.name
        const name = imported.type === 'ImportSpecifier' && 'name' in imported.imported ? imported.imported.name : '*'
        const what = name === '*' ? `* as ${local}` : name === local ? `{ ${name} }` : `{ ${name} as ${local} }`
        source.imports.set(local, { from, name, code: what })
      }
      continue
    }
    const inner = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    const names =
      inner?.type === 'VariableDeclaration'
        ? inner.declarations.flatMap(({ id }) => findOwnNames(id as never, true))
        : inner?.type === 'FunctionDeclaration' && inner.id
          ? [inner.id.name]
          : []
    if (inner && names.length > 0)
      source.statements.push({ names, code: code.slice(inner.start, inner.end), uses: findNames(inner as never) })
  }
  SOURCES.set(file, source)
  return source
}

/** What a name of a file is made of: schemas of calls (Zod), rules of forms (Zod Mini), or neither. */
function kindOf(file: string, name: string, asked = new Set<string>()): 'plain' | 'form' | 'schema' {
  if (file === 'zod' || file === 'zod/mini') return file === 'zod' ? 'schema' : 'form'
  const key = `${file} ${name}`
  if (asked.has(key)) return 'plain'
  asked.add(key)
  const { statements, imports } = readSource(file)
  const imported = imports.get(name)
  if (imported !== undefined) return kindOf(imported.from, imported.name, asked)
  const uses = statements.find(({ names }) => names.includes(name))?.uses ?? []
  const kinds = new Set(uses.map((used) => kindOf(file, used, asked)))
  return kinds.has('schema') ? 'schema' : kinds.has('form') ? 'form' : 'plain'
}

/** Imports what statements of a file use of its imports and, for the rules of forms, of its plain values. */
function writeImports({ file, statements, imports }: Source, kept: Statement[], suffix = ''): string[] {
  const used = new Set(kept.flatMap(({ uses }) => uses))
  const own =
    suffix === '' ? [] : statements.filter((statement) => !kept.includes(statement)).flatMap(({ names }) => names)
  const here = own.filter((name) => used.has(name)).map((name) => `import { ${name} } from '${file}'`)
  const others = [...imports].flatMap(([local, { from, name, code }]) => {
    const isForm = from.startsWith('/') && kindOf(from, name) === 'form'
    return used.has(local) ? [`import ${code} from '${from}${isForm ? suffix : ''}'`] : []
  })
  return [...here, ...others]
}

/** The rules of a file's forms, as code that the browser fetches when a form is first used. */
function writeForms(source: Source): string {
  const kept = source.statements.filter(({ names }) => names.some((name) => kindOf(source.file, name) === 'form'))
  return [...writeImports(source, kept, FORMS), ...kept.map(({ code }) => `export ${code}`)].join('\n')
}

/** The code that fetches a form's `fields` from the file of the contract that exports them. */
async function importFields({ fields, path }: Endpoint): Promise<string> {
  for (const name of globSync('*.ts', { cwd: CONTRACT, exclude: ['*.test.ts'] })) {
    const file = `${CONTRACT}/${name}`
    const [exported] = Object.entries(await importModule(file)).find(([, value]) => value === fields) ?? []
    if (exported !== undefined) return `import('${file}${FORMS}').then((forms) => forms.${exported})`
  }
  throw new Error(`The fields of ${path} are exported by no file of the contract.`)
}

/** What the pages need of an endpoint. The rules of its form are a module that is fetched when it is asked for. */
async function writeEndpoint(name: string, endpoint: Endpoint): Promise<string> {
  const { method, path, access, cache, idempotent, places, isFile, fields } = endpoint
  const wire = JSON.stringify({ method, path, access, ...(cache && { cache }), idempotent, places, isFile })
  const schema = fields === undefined ? '' : `, schema: () => ${await importFields(endpoint)}`
  return `export const ${name} = { ...${wire}${schema} }`
}

const isPlain = (value: unknown) =>
  typeof value !== 'function' && !(typeof value === 'object' && value !== null && '_zod' in value)

/** A file without its schemas: its plain values and functions as they are, its endpoints written out. */
async function writePlain(source: Source, module: Module): Promise<string> {
  const kept = source.statements.filter(({ names }) => names.every((name) => kindOf(source.file, name) === 'plain'))
  const code = kept.map(({ code }) => `export ${code}`)
  const left = Object.entries(module).filter(([name]) => !kept.some(({ names }) => names.includes(name)))
  for (const [name, value] of left) {
    if (isEndpoint(value)) code.push(await writeEndpoint(name, value))
    else if (isPlain(value)) code.push(`export const ${name} = ${JSON.stringify(value)}`)
  }
  return [...writeImports(source, kept), ...code].join('\n')
}

/**
 * Gives the pages the contract without its schemas: 14 kB of a first visit that nobody validates anything in. A file of
 * the contract becomes two modules: one with its endpoints, texts and numbers, and one, fetched on demand, with the rules
 * of its forms, which are what is written with Zod Mini. Of a file of `content` the pages get the texts that it read.
 */
export function wireContract(): Plugin {
  return {
    name: 'wire-contract',
    enforce: 'pre',
    async load(id) {
      const [file = id, query] = id.split('?')
      const isContent = file.startsWith(`${CONTENT}/`)
      if (!isContent && !file.startsWith(`${CONTRACT}/`)) return null
      if (!/from 'zod(\/mini)?'/.test(readFileSync(file, 'utf8'))) return null
      this.addWatchFile(file)
      const module = await importModule(file)
      if (!isContent) return query === undefined ? writePlain(readSource(file), module) : writeForms(readSource(file))
      const texts = Object.entries(module).filter(([, value]) => isPlain(value))
      return texts.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`).join('\n')
    },
  }
}
