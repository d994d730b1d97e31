import type { LoaderFunction, RouteObject } from 'react-router'
import type { Page } from './api/page.ts'
import { LayoutFailure, ShellLayout, shouldRevalidate } from './layout.tsx'
import type { fetchPageModule } from './page-modules.ts'
import { Root, RootFailure } from './root.tsx'

type Loaders = { shell: LoaderFunction; page: LoaderFunction }

/**
 * Returns the route table: the document, the layout, and `pages` below it. Only the loaders differ between server and
 * browser.
 */
export function createRoutes(loaders: Loaders, pages: RouteObject[]): RouteObject[] {
  const layout: RouteObject = {
    id: 'layout',
    Component: ShellLayout,
    ErrorBoundary: LayoutFailure,
    loader: loaders.page,
    shouldRevalidate,
    children: pages,
  }
  return [
    {
      id: 'root',
      Component: Root,
      ErrorBoundary: RootFailure,
      loader: loaders.shell,
      // The document contains the shell's data, and the shell's queries refresh it.
      shouldRevalidate: () => false,
      children: [layout],
    },
  ]
}

/** Returns the routes of pages. Paths match in any letter case and with a trailing slash. */
export function buildRoutes(pages: readonly Page[], fetchModule: typeof fetchPageModule): RouteObject[] {
  return pages.map(({ path, file }) => ({
    id: path,
    path,
    lazy: async () => ({ Component: (await fetchModule(file)).default }),
  }))
}
