import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CompiledQuery } from 'kysely'
import { prepareStatementAs } from './connections.ts'
import type { Db } from './open.ts'

const STATEMENTS_FOLDER = join(import.meta.dirname, 'statements')

/** Runs a statement with a value for each of its named parameters and returns its rows. */
export type Statement<Parameters, Row> = (db: Db, parameters: Parameters) => Promise<Row[]>

/**
 * Loads `statements/NAME.sql`, one statement with named parameters such as `:user_num`.
 *
 * PostgreSQL prepares it under its name, so each connection plans it once: planning a purchase takes several times
 * longer than running it. The embedded database gets the plain text.
 *
 * @throws when the file does not exist; on the first call, when a parameter is missing or unknown
 */
export function loadStatement<Parameters extends Record<string, unknown>, Row>(
  name: string,
): Statement<Parameters, Row> {
  const { text, names } = numberParameters(readFileSync(join(STATEMENTS_FOLDER, `${name}.sql`), 'utf8'))
  prepareStatementAs(name, text)
  let isChecked = false
  return async (db, parameters) => {
    if (!isChecked) checkNames(name, names, Object.keys(parameters))
    isChecked = true
    const values = names.map((parameter) => parameters[parameter])
    const { rows } = await db.executeQuery(CompiledQuery.raw(text, values) as CompiledQuery<Row>)
    return rows
  }
}

/** Matches, in this order: strings, quoted names, `$$` bodies and casts, which stay unchanged; comments; parameters. */
const TOKEN_PATTERN =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|::|(?<comment>--[^\n]*|\/\*[\s\S]*?\*\/)|:(?<parameter>[a-z_]\w*)/gi

/** Removes comments and replaces each `:name` by `$n`; a name that occurs twice gets the same number. */
export function numberParameters(source: string): { text: string; names: string[] } {
  const names: string[] = []
  const text = source.replace(TOKEN_PATTERN, (token: string, ...replaceArguments: unknown[]) => {
    const { comment, parameter } = replaceArguments.at(-1) as { comment?: string; parameter?: string }
    if (comment !== undefined) return ' '
    if (parameter === undefined) return token
    if (!names.includes(parameter)) names.push(parameter)
    return `$${names.indexOf(parameter) + 1}`
  })
  return { text: text.replace(/\s*;?\s*$/, '').trimStart(), names }
}

function checkNames(name: string, parameterNames: string[], passedNames: string[]): void {
  const problems = [
    ...parameterNames
      .filter((parameter) => !passedNames.includes(parameter))
      .map((parameter) => `${parameter} is missing`),
    ...passedNames
      .filter((parameter) => !parameterNames.includes(parameter))
      .map((parameter) => `${parameter} is unknown`),
  ]
  if (problems.length > 0) throw new Error(`Parameters of statement ${name}: ${problems.join(', ')}.`)
}
