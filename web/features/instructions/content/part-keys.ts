/** The nine regions of the interface picture in the order of SPEC §2.10; the words of `?part=`. */
export const PART_KEYS = [
  'status',
  'items',
  'skills',
  'chat',
  'shortcuts',
  'inventory',
  'map',
  'keys',
  'mouse',
] as const

export type PartKey = (typeof PART_KEYS)[number]

/** The part an address asks for, or null. Letter case does not matter. */
export function readPart(query: URLSearchParams): PartKey | null {
  const wanted = query.get('part')?.toLowerCase()
  return PART_KEYS.find((key) => key === wanted) ?? null
}

/** The address of the guide, or of one of its nine popups. */
export function partPath(part: PartKey | null): string {
  return part === null ? '/instructions' : `/instructions?part=${part}`
}
