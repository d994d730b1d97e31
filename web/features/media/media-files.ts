import type { StoredFile } from '#contract/media.ts'

export type Sources = {
  /** One `<source>` per format, in the given order. */
  sources: { type: string; srcSet: string }[]
  /** For browsers that support none of the formats. */
  fallback: StoredFile
}

const formatSrcSet = (files: readonly StoredFile[]) => files.map(({ url, width }) => `${url} ${width}w`).join(', ')

/** Returns the `<source>`s of a picture's files; undefined without files. */
export function listSources(files: readonly StoredFile[]): Sources | undefined {
  const types = [...new Set(files.map(({ type }) => type))]
  const lastTypeFiles = files.filter(({ type }) => type === types.at(-1))
  const fallback = lastTypeFiles.at(-1)
  if (fallback === undefined) return undefined
  return {
    sources: types.map((type) => ({ type, srcSet: formatSrcSet(files.filter((file) => file.type === type)) })),
    fallback,
  }
}

/** Returns only the portrait files (`tall`) or only the landscape ones (`wide`). A square counts as landscape. */
export function filterByShape<File extends StoredFile>(files: readonly File[], shape: 'wide' | 'tall'): File[] {
  return files.filter(({ width, height }) => (shape === 'tall' ? height > width : width >= height))
}

/** Formats a size: '451 kB' below a megabyte, '1.2 MB' above; '' if it is unknown. */
export function formatSize(bytes: number | null): string {
  if (bytes === null) return ''
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Returns the file name of a download: 'tambayan-last-trip-home-1920x1080.jpg'. */
export function createFileName(title: string, { url, width, height }: StoredFile): string {
  const slug = title
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9 ]/g, '')
    .trim()
    .replace(/ +/g, '-')
  const extension = /\.(\w{2,5})$/.exec(url)?.[1] ?? 'jpg'
  return `tambayan-${slug || 'wallpaper'}-${width}x${height}.${extension}`
}
