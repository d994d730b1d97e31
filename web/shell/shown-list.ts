import { useEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'

/**
 * After a change by the visitor the focus is on the heading of what has changed, and the top of a list is in view (SHELL-12).
 * Steps through the history, and jumps within a page, are left to the browser and the router.
 */
export function useShownList(): void {
  const { key, pathname, hash, state } = useLocation()
  const way = useNavigationType()
  const shownPath = useRef(pathname)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each step of the history
  useEffect(() => {
    const isOtherPage = shownPath.current !== pathname
    shownPath.current = pathname
    const id = (state as { list?: string } | null)?.list
    if (way === NavigationType.Pop || hash !== '' || !(isOtherPage || id)) return
    // A page may have given the focus to a part of it.
    if (id === undefined && document.activeElement?.closest('main')) return
    const list = id === undefined ? null : document.getElementById(id)
    const heading = (list ?? document).querySelector<HTMLElement>('h1, h2, h3')
    if (heading === null) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
    if (id === undefined) return
    const { top = -1 } = list?.getBoundingClientRect() ?? {}
    if (top < 0 || top > innerHeight / 2) (list ?? document.body).scrollIntoView({ behavior: 'instant' })
  }, [key])
}
