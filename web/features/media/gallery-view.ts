import type { Media } from '#contract/media.ts'
import { readWholeNumber } from '#web/api/page.ts'

/** Returns the address of the gallery, or of one of its pictures. */
export function getPicturePath(id?: number): string {
  return id === undefined ? '/gallery' : `/gallery?picture=${id}`
}

/** Returns the picture's id in an address: null if there is none, NaN if it is no number. */
export function readPictureId(query: URLSearchParams): number | null {
  const text = query.get('picture')
  if (text === null || text === '') return null
  return readWholeNumber(text) ?? Number.NaN
}

export type ShownPicture = { picture: Media; number: number; count: number; previous: Media; next: Media }

/** Returns the picture with an id and its neighbours. The first picture follows the last one. */
export function findShownPicture(pictures: readonly Media[], id: number | null): ShownPicture | undefined {
  const index = pictures.findIndex((picture) => picture.id === id)
  const picture = pictures[index]
  if (picture === undefined) return undefined
  const [previous, next] = [findNeighbour(pictures, picture.id, -1), findNeighbour(pictures, picture.id, 1)]
  return { picture, number: index + 1, count: pictures.length, previous, next }
}

/** Returns the picture before (−1) or after (1) the picture with an id. */
export function findNeighbour(pictures: readonly Media[], id: number, step: -1 | 1): Media {
  const index = pictures.findIndex((picture) => picture.id === id) + step
  const neighbour = pictures.at(index % pictures.length)
  if (neighbour === undefined) throw new RangeError('There are no pictures')
  return neighbour
}

/** The search parameter of the gallery. */
export const gallerySearch = { names: ['picture'], read: readPictureId }
