import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'
import { NOT_FOUND_PAGE, PAGES } from './pages.ts'

/** The route table, from the manifest of pages. Paths match in any letter case and with a trailing slash. */
export default [
  layout('layout.tsx', { id: 'layout' }, [
    ...PAGES.map(({ path, file }) =>
      // Two pages may have the same module, so each route is named by its path.
      path === '/' ? index(file, { id: path }) : route(path.slice(1), file, { id: path }),
    ),
    route('*', NOT_FOUND_PAGE.file, { id: '*' }),
  ]),
] satisfies RouteConfig
