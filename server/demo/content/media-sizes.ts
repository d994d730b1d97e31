/** The sizes in which the demo world's pictures are drawn and seeded, in pixels. */

export const GALLERY = { count: 15, avif: [480, 1200], webp: [1200], ratio: 3 / 2 } as const

export const WALLPAPERS = {
  count: 5,
  wide: [
    { width: 1920, height: 1080 },
    { width: 2560, height: 1440 },
  ],
  tall: [{ width: 1080, height: 2400 }],
  /** Widths of the previews on the page. */
  widePreviews: [480, 960],
  tallPreviews: [360],
} as const

export const MOVIE = { width: 960, height: 540 } as const

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** A drawn picture's name by kind, number and size, without its folder. */
export function galleryFile(number: number, width: number, format: 'avif' | 'webp'): string {
  return `gallery-${twoDigits(number)}-${width}.${format}`
}

/** The picture that messengers show for a link to a gallery picture. */
export function gallerySharePicture(number: number): string {
  return `gallery-${twoDigits(number)}-share.jpg`
}

export function wallpaperFile(number: number, { width, height }: { width: number; height: number }): string {
  return `wallpaper-${number}-${width}x${height}.jpg`
}

export function wallpaperPreview(
  number: number,
  shape: 'wide' | 'tall',
  width: number,
  format: 'avif' | 'webp',
): string {
  return `wallpaper-${number}-${shape}-${width}.${format}`
}

export function moviePoster(slug: string): string {
  return `movie-${slug}.webp`
}
