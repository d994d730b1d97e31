import type { MetaDescriptor } from 'react-router'

type MetaInput = {
  /** The page's heading: the first half of the title (SPEC §1). */
  crumb: string
  description: string
  /** Site path with the query that belongs to the address. */
  path: string
  picture?: string | undefined
  type?: 'website' | 'article'
  jsonLd?: Record<string, unknown>
  /** Pages that search engines should leave out. */
  hidden?: boolean
}

type Matches = readonly ({ id: string; loaderData?: unknown } | undefined)[]

function shellOf(matches: Matches): { appName: string; publicUrl: string } {
  const root = matches.find((match) => match?.id === 'root')?.loaderData
  return (root as { appName: string; publicUrl: string } | undefined) ?? { appName: 'Tambayan Online', publicUrl: '' }
}

/** Title, description, canonical link, Open Graph and Twitter tags of a page. Title: '{crumb} | {app name}'. */
export function pageMeta(matches: Matches, input: MetaInput): MetaDescriptor[] {
  const { appName, publicUrl } = shellOf(matches)
  const title = `${input.crumb} | ${appName}`
  const url = publicUrl + input.path
  const picture = publicUrl + (input.picture ?? '/art/share.png')
  return [
    { title },
    { name: 'description', content: input.description },
    { tagName: 'link', rel: 'canonical', href: url },
    { property: 'og:site_name', content: appName },
    { property: 'og:type', content: input.type ?? 'website' },
    { property: 'og:title', content: input.crumb },
    { property: 'og:description', content: input.description },
    { property: 'og:url', content: url },
    { property: 'og:image', content: picture },
    { name: 'twitter:card', content: 'summary_large_image' },
    { name: 'twitter:title', content: input.crumb },
    { name: 'twitter:description', content: input.description },
    { name: 'twitter:image', content: picture },
    ...(input.hidden ? [{ name: 'robots', content: 'noindex' }] : []),
    ...(input.jsonLd ? [{ 'script:ld+json': input.jsonLd }] : []),
  ]
}
