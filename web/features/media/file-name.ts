import type { StoredFile } from '#contract/media.ts'

/** What a download is called on the visitor's disk: 'tambayan-last-trip-home-1920x1080.jpg'. */
export function fileName(title: string, { url, width, height }: StoredFile): string {
  const words = title
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9 ]/g, '')
    .trim()
    .replace(/ +/g, '-')
  const ending = /\.(\w{2,5})$/.exec(url)?.[1] ?? 'jpg'
  return `tambayan-${words || 'wallpaper'}-${width}x${height}.${ending}`
}
