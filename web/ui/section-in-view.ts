import { useEffect, useState } from 'react'

/** A section counts as read once its top is above this fraction of the window's height. */
const READ_FROM = 0.3

function findSectionBeingRead(ids: readonly string[]): string | null {
  const line = window.innerHeight * READ_FROM
  const begun = ids.filter((id) => (document.getElementById(id)?.getBoundingClientRect().top ?? line) < line)
  return begun.at(-1) ?? null
}

/**
 * Returns the id of the section in view, or null above the first one. It measures only when a section crosses the line.
 */
export function useSectionInView(ids: readonly string[]): string | null {
  const [inView, setInView] = useState<string | null>(null)
  useEffect(() => {
    const watch = new IntersectionObserver(() => setInView(findSectionBeingRead(ids)), {
      // The area extends far above the window, to detect a jump past several sections.
      rootMargin: `99999px 0px -${(1 - READ_FROM) * 100}% 0px`,
    })
    for (const id of ids) {
      const section = document.getElementById(id)
      if (section !== null) watch.observe(section)
    }
    return () => watch.disconnect()
  }, [ids])
  return inView
}
