import { PART_KEYS, type PartKey } from '#contract/documents.ts'

/** Returns the region in `?part=`, in any letter case; null if it is missing or unknown. */
export function readPart(query: URLSearchParams): PartKey | null {
  const requestedPart = query.get('part')?.toLowerCase()
  return PART_KEYS.find((key) => key === requestedPart) ?? null
}

/** Returns the region that a link opens; null for other links. */
export const findLinkedPart = (to: string): PartKey | null =>
  to.startsWith('/instructions?') ? readPart(new URLSearchParams(to.split('?')[1]?.split('#')[0])) : null

/** Returns the address of the guide, or of the popup of one of its regions. */
export function getPartPath(part: PartKey | null): string {
  return part === null ? '/instructions' : `/instructions?part=${part}`
}

/** Returns the number of a region in the picture, 1 to 9. */
export function getPartNumber(key: PartKey): number {
  return PART_KEYS.indexOf(key) + 1
}
