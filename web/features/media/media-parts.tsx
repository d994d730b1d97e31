import type { StoredFile } from '#contract/media.ts'
import { EMPTY_LIST_TEXTS } from '#contract/messages.ts'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState, Loading, Skeleton } from '#web/ui/states.tsx'
import styles from './media.module.css'
import { listSources } from './media-files.ts'

type PictureProps = {
  files: readonly StoredFile[]
  /** The address of the picture if it has no sized files. */
  single: string | null
  alt: string
  /** The width of the picture on the page, in the syntax of the `sizes` attribute. */
  sizes: string
  /** Whether the picture is visible at first; others load lazily. */
  eager?: boolean
  className?: string | undefined
}

/** A picture in the best format and size for the browser. The HTML reserves its space while it loads. */
export function Picture({ files, single, alt, sizes, eager = false, className }: PictureProps) {
  const found = listSources(files)
  const loadingMode = eager ? 'eager' : 'lazy'
  if (found === undefined) {
    return single === null ? null : <img className={className} src={single} alt={alt} loading={loadingMode} />
  }
  const { sources, fallback } = found
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

type StatesProps = { loading: boolean; failed: boolean /** Such as 'pictures'. */; what: string }

/** The loading, failed and empty states of the media pages. */
export function MediaStates({ loading, failed, what }: StatesProps) {
  if (loading) {
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
          failed
            ? `We couldn’t load the ${what}. Open the page again in a moment.`
            : `There are no ${what} yet. Be the first.`
        }
      />
    </Panel>
  )
}
