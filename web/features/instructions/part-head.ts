import type { Head } from '#web/api/page.ts'
import { partPath, readPart } from './content/part-keys.ts'
import { PARTS } from './content/parts.ts'

/** The head of the guide with one of its popups open. */
export function partHead(query: URLSearchParams): Partial<Head> {
  const part = readPart(query)
  return part === null ? {} : { crumb: PARTS[part].title, description: PARTS[part].line, path: partPath(part) }
}
