import { ERROR_PAGE_TEXTS, NOT_FOUND_TEXTS } from '#contract/messages.ts'
import { DEFAULT_PICTURE, SHARE_SIZES } from '#contract/sharing.ts'
import type { Head } from './api/page.ts'
import { isNotFound } from './features/error/error-content.tsx'
import { useShellData } from './shell/shell-data.ts'

/**
 * Renders the title '{crumb} | {app name}', the description, the canonical link, and the Open Graph and Twitter tags of
 * a page (DOC-3). React moves them into the document's head.
 */
export function HeadTags({ head }: { head: Head }) {
  const { appName, publicUrl, theme } = useShellData() ?? {
    appName: 'Tambayan Online',
    publicUrl: '',
    theme: undefined,
  }
  const url = publicUrl + head.path
  const [themePicture] = theme?.pictures.share ?? []
  const sitePicture = themePicture === undefined ? DEFAULT_PICTURE : `/share/picture.jpg?of=${themePicture}`
  const picture = publicUrl + (head.picture ?? sitePicture)
  const shareTitle = head.shareTitle ?? head.crumb
  return (
    <>
      <title>{`${head.crumb} | ${appName}`}</title>
      <meta name="description" content={head.description} />
      <link rel="canonical" href={url} />
      <meta property="og:site_name" content={appName} />
      <meta property="og:type" content={head.type ?? 'website'} />
      <meta property="og:title" content={shareTitle} />
      <meta property="og:description" content={head.description} />
      <meta property="og:url" content={url} />
      <meta property="og:image" content={picture} />
      <meta property="og:image:width" content={String(SHARE_SIZES.wide.width)} />
      <meta property="og:image:height" content={String(SHARE_SIZES.wide.height)} />
      <meta property="og:image:type" content="image/jpeg" />
      <meta property="og:image:alt" content={head.pictureAlt ?? shareTitle} />
      <meta property="og:locale" content="en_US" />
      <meta name="twitter:card" content="summary_large_image" />
      <meta name="twitter:title" content={shareTitle} />
      <meta name="twitter:description" content={head.description} />
      <meta name="twitter:image" content={picture} />
      {head.hidden && <meta name="robots" content="noindex" />}
      {head.jsonLd && (
        <script
          type="application/ld+json"
          dangerouslySetInnerHTML={{ __html: JSON.stringify(head.jsonLd).replaceAll('<', '\\u003c') }}
        />
      )}
    </>
  )
}

/** Returns the head of a page that failed. */
export function createFailureHead(error: unknown): Head {
  const head = isNotFound(error)
    ? { crumb: NOT_FOUND_TEXTS.title, description: 'There is no page at this address.' }
    : { crumb: ERROR_PAGE_TEXTS.title, description: ERROR_PAGE_TEXTS.text }
  return { ...head, path: '/error', hidden: true }
}
