/**
 * Stands in for react-router where render-rankings.ts renders the page's elements by React
 * alone: the address and the loaded data are given. What a page
 * takes from react-router beyond this has to be added here, or the bench does not build.
 */
import { createContext as createReactContext, type ReactNode, use } from 'react'

/** The routes from the root to the page: what each shows and what its loader returned. */
export type Level = { id: string; show: () => ReactNode; loaded: unknown }

const Here = createReactContext<{ levels: readonly Level[]; depth: number; url: URL }>({
  levels: [],
  depth: -1,
  url: new URL('http://none'),
})

/** Shows the levels, each in its parent's Outlet. */
export function Levels({ levels, url, children }: { levels: readonly Level[]; url: URL; children: ReactNode }) {
  return <Here value={{ levels, depth: -1, url }}>{children}</Here>
}

export function Outlet() {
  const here = use(Here)
  const depth = here.depth + 1
  const Show = here.levels[depth]?.show
  return <Here value={{ ...here, depth }}>{Show && <Show />}</Here>
}

export const useLoaderData = () => {
  const { levels, depth } = use(Here)
  return levels[depth]?.loaded
}
export const useRouteLoaderData = (id: string) => use(Here).levels.find((level) => level.id === id)?.loaded
export const useLocation = () => {
  const { pathname, search } = use(Here).url
  return { pathname, search, hash: '', state: null, key: 'default' }
}
export const useParams = () => ({})
export const useNavigate = () => () => {}
export const useNavigation = () => ({ state: 'idle' })
export const useRouteError = () => undefined
export const isRouteErrorResponse = () => false

export const useLinkClickHandler = () => () => {}
export const ScrollRestoration = () => null

export const createContext = () => ({})
export const data = (body: unknown) => body
export const redirectDocument = (url: string) => url
