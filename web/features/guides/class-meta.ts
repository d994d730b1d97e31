import type { MetaDescriptor } from 'react-router'
import { pageMeta } from '#web/api/page-meta.ts'
import { classPath, namedClass, sharePictureOf } from './classes/class-guides.ts'

const SHARE_TITLES = new Set(['og:title', 'twitter:title'])

/** A shared class carries its own name and address; the page's own title stays its heading (DECISIONS §3). */
export function classMeta(matches: Parameters<typeof pageMeta>[0], query: URLSearchParams): MetaDescriptor[] {
  const guide = namedClass(query)
  if (guide === null) {
    return pageMeta(matches, {
      crumb: 'Character',
      description:
        'How to start playing in five steps, and every class explained: strengths, skills and a first build.',
      path: '/characters',
    })
  }
  const tags = pageMeta(matches, {
    crumb: 'Character',
    description: `${guide.role}. Strengths, weaknesses, skills and a beginner’s build of the ${guide.name.toLowerCase()} class.`,
    path: classPath(guide.key),
    picture: sharePictureOf(guide.key),
  })
  const share = `${guide.name}: class guide`
  return tags.map((tag) => {
    const named = 'property' in tag ? tag.property : 'name' in tag ? tag.name : undefined
    return typeof named === 'string' && SHARE_TITLES.has(named) ? { ...tag, content: share } : tag
  })
}
