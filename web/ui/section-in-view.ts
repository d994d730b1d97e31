import { useEffect, useState } from 'react'

/** A section counts as being read while its top is above this fraction of the window's height. */
const READING_LINE = 0.3

function findSectionBeingRead(ids: readonly string[]): string | null {
  const line = window.innerHeight * READING_LINE
  const startedIds = ids.filter((id) => (document.getElementById(id)?.getBoundingClientRect().top ?? line) < line)
  return startedIds.at(-1) ?? null
}

/**
 * Returns the id of the section in view, or null above the first one. It measures only when a section crosses the
 * reading line.
 */
export function useSectionInView(ids: readonly string[]): string | null {
  const [sectionId, setSectionId] = useState<string | null>(null)
  useEffect(() => {
    const observer = new IntersectionObserver(() => setSectionId(findSectionBeingRead(ids)), {
      // The area extends far above the window, to detect a jump past several sections.
      rootMargin: `99999px 0px -${(1 - READING_LINE) * 100}% 0px`,
    })
    for (const id of ids) {
      const section = document.getElementById(id)
      if (section !== null) observer.observe(section)
    }
    return () => observer.disconnect()
  }, [ids])
  return sectionId
}
