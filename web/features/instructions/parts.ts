import { INTERFACE_PART_KEYS, type InterfacePartKey } from '#contract/documents.ts'

/** Returns the region in `?part=`, in any letter case; null if it is missing or unknown. */
export function readPart(query: URLSearchParams): InterfacePartKey | null {
  const requestedPart = query.get('part')?.toLowerCase()
  return INTERFACE_PART_KEYS.find((key) => key === requestedPart) ?? null
}

/** Returns the region that a link opens; null for other links. */
export const findLinkedPart = (to: string): InterfacePartKey | null =>
  to.startsWith('/instructions?') ? readPart(new URLSearchParams(to.split('?')[1]?.split('#')[0])) : null

/** Returns the address of the guide, or of the popup of one of its regions. */
export function getPartPath(part: InterfacePartKey | null): string {
  return part === null ? '/instructions' : `/instructions?part=${part}`
}

/** Returns the number of a region in the picture, 1 to 9. */
export function getPartNumber(key: InterfacePartKey): number {
  return INTERFACE_PART_KEYS.indexOf(key) + 1
}
