import { type RefObject, useEffect } from 'react'
import type { Shown } from './gallery-view.ts'
import { sourcesOf } from './picture-sources.ts'

/**
 * Fetches the neighbours of the picture shown as soon as it is here itself, in the format the
 * browser chose for it, so that turning is at once.
 */
export function useNeighbours(ref: RefObject<HTMLElement | null>, { picture, previous, next }: Shown, sizes: string) {
  useEffect(() => {
    const image = ref.current?.querySelector('img')
    if (!image) return
    const left = new AbortController()
    const fetchBoth = () => {
      const chosen = new URL(image.currentSrc, location.href).pathname
      const type = sourcesOf(picture.previews)?.sources.find(({ srcSet }) => srcSet.includes(chosen))?.type
      for (const { previews } of [next, previous]) {
        const source = sourcesOf(previews)?.sources.find((known) => known.type === type)
        if (source) Object.assign(new Image(), { sizes, srcset: source.srcSet })
      }
    }
    if (image.complete && image.currentSrc !== '') fetchBoth()
    else image.addEventListener('load', fetchBoth, { signal: left.signal })
    return () => left.abort()
  }, [ref, picture, previous, next, sizes])
}
