import type { Head } from '#web/api/page.ts'
import { classPath, namedClass, sharePictureOf } from './classes/class-guides.ts'

/** A shared class carries its own name and address; the page's own title stays its heading (DECISIONS §3). */
export function classHead(query: URLSearchParams): Partial<Head> {
  const guide = namedClass(query)
  if (guide === null) return {}
  return {
    description: `${guide.role}. Strengths, weaknesses, skills and a beginner’s build of the ${guide.name.toLowerCase()} class.`,
    path: classPath(guide.key),
    picture: sharePictureOf(guide.key),
    shareTitle: `${guide.name}: class guide`,
  }
}
