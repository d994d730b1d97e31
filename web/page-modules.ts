/**
 * The code of every page. Do not add anything else: a document that starts a page without this module would miss its
 * imports.
 */
import type { ComponentType } from 'react'

const MODULES = import.meta.glob<{ default: ComponentType }>('./features/*/*-page.tsx')

/** Fetches the code of the page in a file of the manifest. @throws when it cannot be fetched */
export async function fetchPageModule(file: string): Promise<{ default: ComponentType }> {
  const fetchModule = MODULES[`./${file}`]
  if (fetchModule === undefined) throw new Error(`${file} has no page.`)
  return fetchModule()
}
