import { createHash } from 'node:crypto'
import { basename, relative } from 'node:path'
import { ROOT } from './root.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Returns the path of a stylesheet relative to the project, the same on every system. */
const findPath = (file: string) => relative(ROOT, file.replace(/\?.*/, '')).replaceAll('\\', '/')

/** Names a class during development after its name and the path of its file, so edits do not change the result. */
export function nameClass(name: string, file: string): string {
  const path = findPath(file)
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 5)
  return `${basename(path, '.module.css')}_${name}_${hash}`
}

/** Returns the four letters with which the class names of a stylesheet begin. */
export function createPrefix(file: string): string {
  const hash = createHash('sha256').update(findPath(file)).digest()
  return [...hash.subarray(0, 4)].map((byte) => LETTERS[byte % LETTERS.length]).join('')
}

/**
 * Returns a function that names the classes of a build: the prefix of the stylesheet and a number. Readable names would
 * add 3 kB to a first visit, because each page contains its styles.
 */
export function createClassNames(): (name: string, file: string) => string {
  const numbers = new Map<string, Map<string, string>>()
  return (name, file) => {
    const prefix = createPrefix(file)
    const fileNumbers = numbers.get(prefix) ?? new Map<string, string>()
    numbers.set(prefix, fileNumbers)
    const number = fileNumbers.get(name) ?? fileNumbers.size.toString(36)
    fileNumbers.set(name, number)
    return prefix + number
  }
}
