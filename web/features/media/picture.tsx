import type { StoredFile } from '#contract/media.ts'
import { sourcesOf } from './picture-sources.ts'

type Props = {
  files: readonly StoredFile[]
  /** Shown when there are no sized files. */
  single: string | null
  alt: string
  /** How wide the picture stands on the page, as `sizes` says it. */
  sizes: string
  /** Seen at once; all others are fetched when they come near. */
  eager?: boolean
  className?: string | undefined
}

/** A picture in the format and size that suits the browser, its place kept free before it is here. */
export function Picture({ files, single, alt, sizes, eager = false, className }: Props) {
  const found = sourcesOf(files)
  const loading = eager ? 'eager' : 'lazy'
  if (found === undefined) {
    return single === null ? null : <img className={className} src={single} alt={alt} loading={loading} />
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
        loading={loading}
        decoding="async"
      />
    </picture>
  )
}
