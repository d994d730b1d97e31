/**
 * Imports the code of every page. Add nothing else: a document that starts a page without this module would lack its
 * imports.
 */
import type { ComponentType } from 'react'

const MODULES = import.meta.glob<{ default: ComponentType }>('./features/*/*-page.tsx')

/** Downloads the code of the page in a file of the manifest. @throws if the download fails */
export async function fetchPageModule(file: string): Promise<{ default: ComponentType }> {
  const fetchModule = MODULES[`./${file}`]
  if (fetchModule === undefined) throw new Error(`${file} has no page.`)
  return fetchModule()
}
