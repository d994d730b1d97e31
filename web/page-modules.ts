/**
 * Imports the code of every page. Import nothing else here: the first page of a visit starts from its own script, without
 * this module.
 */
import type { ComponentType } from 'react'

const MODULES = import.meta.glob<{ default: ComponentType }>('./features/*/*-page.tsx')

/** Downloads the code of a page. @param file its path in the manifest (`pages.ts`) @throws if the download fails */
export async function fetchPageModule(file: string): Promise<{ default: ComponentType }> {
  const fetchModule = MODULES[`./${file}`]
  if (fetchModule === undefined) throw new Error(`${file} has no page.`)
  return fetchModule()
}
