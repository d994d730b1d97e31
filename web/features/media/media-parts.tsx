import type { StoredFile } from '#contract/media.ts'
import { EMPTY_LIST_TEXTS } from '#contract/messages.ts'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState, Loading, Skeleton } from '#web/ui/states.tsx'
import styles from './media.module.css'
import { listSources } from './media-files.ts'

type PictureProps = {
  files: readonly StoredFile[]
  /** The address of the picture if it has no sized files. */
  fallbackUrl: string | null
  alt: string
  /** The width of the picture on the page, in the syntax of the `sizes` attribute. */
  sizes: string
  /** Whether the picture is visible at first; others load lazily. */
  isEager?: boolean
  className?: string | undefined
}

/** A picture in the best format and size for the browser. The HTML reserves its space while it loads. */
export function Picture({ files, fallbackUrl, alt, sizes, isEager = false, className }: PictureProps) {
  const pictureSources = listSources(files)
  const loadingMode = isEager ? 'eager' : 'lazy'
  if (pictureSources === undefined) {
    return fallbackUrl === null ? null : <img className={className} src={fallbackUrl} alt={alt} loading={loadingMode} />
  }
  const { sources, fallback } = pictureSources
  return (
    <picture>
      {sources.map(({ type, srcSet }) => (
        <source key={type} type={type} srcSet={srcSet} sizes={sizes} />
      ))}
      <img
        className={className}
        src={fallback.url}
        alt={alt}
        width={fallback.width}
        height={fallback.height}
        loading={loadingMode}
        decoding="async"
      />
    </picture>
  )
}

type StatesProps = { isLoading: boolean; hasFailed: boolean /** Such as 'pictures'. */; itemsName: string }

/** The loading, failed and empty states of the media pages. */
export function MediaStates({ isLoading, hasFailed, itemsName }: StatesProps) {
  if (isLoading) {
    return (
      <Loading className={styles.skeletons}>
        {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
          <Skeleton key={key} width="100%" height={216} />
        ))}
      </Loading>
    )
  }
  return (
    <Panel>
      <EmptyState
        title={EMPTY_LIST_TEXTS.emptyText}
        line={
          hasFailed
            ? `We couldn’t load the ${itemsName}. Open the page again in a moment.`
            : `There are no ${itemsName} yet. Come back soon.`
        }
      />
    </Panel>
  )
}
