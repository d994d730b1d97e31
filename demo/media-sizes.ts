/** The sizes in pixels of the demo world's pictures, which scripts/bake-art.ts draws and pages list. */

export const GALLERY = { avif: [480, 1200], webp: [1200], ratio: 3 / 2 } as const

export const WALLPAPERS = {
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

/** The address of a gallery picture by its number and size. */
export const galleryFile = (number: number, size: number | 'share', format: 'avif' | 'webp' | 'jpg'): string =>
  `/art/gallery-${String(number).padStart(2, '0')}-${size}.${format}`
