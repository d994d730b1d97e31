import { useEffect, useState } from 'react'

/** A section is being read from the moment its top comes this far up, as a part of the window's height. */
const READ_FROM = 0.3

function readId(ids: readonly string[]): string | null {
  const line = window.innerHeight * READ_FROM
  const begun = ids.filter((id) => (document.getElementById(id)?.getBoundingClientRect().top ?? line) < line)
  return begun.at(-1) ?? null
}

/** The id of the section being read, or null above the first one. Looked up only when a section crosses the line. */
export function useSectionInView(ids: readonly string[]): string | null {
  const [inView, setInView] = useState<string | null>(null)
  useEffect(() => {
    const watch = new IntersectionObserver(() => setInView(readId(ids)), {
      // Everything above the line counts as crossed, so that a jump past many sections is noticed too.
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
