import { type RefObject, useEffect, useState } from 'react'

/**
 * True once an element has come near the screen. The shop has the same for its scroller; sharing it would cut
 * the scroller's script, which the first visit fetches, in two.
 */
export function useNearScreen(element: RefObject<Element | null>): boolean {
  const [near, setNear] = useState(false)
  useEffect(() => {
    if (element.current === null || near) return
    const observer = new IntersectionObserver((entries) => setNear(entries.some((entry) => entry.isIntersecting)), {
      rootMargin: '200px',
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, near])
  return near
}
