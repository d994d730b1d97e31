import { useEffect } from 'react'

/** Focuses an element that the Tab key cannot reach, without scrolling. */
export function focusOn(element: HTMLElement): void {
  element.tabIndex = -1
  element.focus({ preventScroll: true })
}

/**
 * Restores a lost focus (SHELL-15). When the focused element is removed and no other element takes the focus, the
 * heading of the nearest remaining section gets it. Otherwise a keyboard user would start at the top of the page again.
 */
export function useFocusRestore(): void {
  useEffect(() => {
    const abort = new AbortController()
    /** The focused element and its ancestors. */
    let focusPath: Element[] = []
    const storeFocusPath = ({ target }: Event) => {
      focusPath = []
      for (let part = target as Element | null; part !== null; part = part.parentElement) focusPath.push(part)
    }
    const isFocusLost = () => focusPath[0]?.isConnected === false && document.activeElement === document.body
    const restoreFocus = () => {
      if (!isFocusLost()) return
      const targets = focusPath.filter(({ isConnected }) => isConnected).map(findFocusTarget)
      const target = targets.find((candidate) => candidate !== undefined)
      if (target !== undefined) focusOn(target)
    }
    const observer = new MutationObserver(() => {
      // If another element takes the focus, it does so before the next frame.
      if (isFocusLost()) requestAnimationFrame(restoreFocus)
    })
    observer.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('focusin', storeFocusPath, { signal: abort.signal })
    return () => {
      observer.disconnect()
      abort.abort()
    }
  }, [])
}

/** Returns the first visible heading in a part of the page, or the part itself if it is a named article. */
function findFocusTarget(part: Element): HTMLElement | undefined {
  const heading = [...part.querySelectorAll<HTMLElement>('h1, h2, h3, h4')].find((element) => element.checkVisibility())
  return heading ?? (part.matches('article[aria-label]') ? (part as HTMLElement) : undefined)
}
