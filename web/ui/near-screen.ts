import { type RefObject, startTransition, useEffect, useState } from 'react'

/** Returns true once an element has come within 200 px of the screen, to start the download of its content. */
export function useNearScreen(element: RefObject<Element | null>): boolean {
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    if (element.current === null || isNear) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) startTransition(() => setIsNear(true))
      },
      { rootMargin: '200px' },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, isNear])
  return isNear
}
