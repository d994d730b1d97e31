import type { StoredFile } from '#contract/media.ts'

export type Sources = {
  /** One `<source>` a format, the formats in the order they are given. */
  sources: { type: string; srcSet: string }[]
  /** What browsers show that know none of the formats before the last. */
  fallback: StoredFile
}

const srcSetOf = (files: readonly StoredFile[]) => files.map(({ url, width }) => `${url} ${width}w`).join(', ')

/** How a picture's files become `<source>`s; undefined without files. */
export function sourcesOf(files: readonly StoredFile[]): Sources | undefined {
  const types = [...new Set(files.map(({ type }) => type))]
  const last = files.filter(({ type }) => type === types.at(-1))
  const fallback = last.at(-1)
  if (fallback === undefined) return undefined
  return {
    sources: types.map((type) => ({ type, srcSet: srcSetOf(files.filter((file) => file.type === type)) })),
    fallback,
  }
}

/** Only the upright files, or only those that lie. */
export function filesOfShape<File extends StoredFile>(files: readonly File[], shape: 'wide' | 'tall'): File[] {
  return files.filter(({ width, height }) => (shape === 'tall' ? height > width : width >= height))
}

/** '451 kB' below a megabyte, '1.2 MB' from there; '' when nobody knows. */
export function sizeWords(bytes: number | null): string {
  if (bytes === null) return ''
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
