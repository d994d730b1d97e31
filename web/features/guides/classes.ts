import { GUIDE_CLASSES } from '#contract/documents.ts'

export type GuideClass = keyof typeof GUIDE_CLASSES

const CLASS_KEYS = Object.keys(GUIDE_CLASSES) as GuideClass[]

/** The classes with tabs, in the order of GUIDE-1. The guide calls the gunner Scientist and the swordsman Sword. */
export const TABBED_CLASSES = CLASS_KEYS.slice(0, 7)

/** The classes without tabs, which have addresses: magician, shaper, and the eighth class (GUIDE-2). */
export const UNTABBED_CLASSES = CLASS_KEYS.slice(7)

/** Returns a class's name in the guide; for the eighth class, the operators' name, without which it is not shown (PAGE-5). */
export const getClassName = (key: GuideClass, eighthName: string): string =>
  key === 'conductor' ? eighthName : GUIDE_CLASSES[key]

/** Returns the class in `?class=`, by its name in the game or on its tab; null if it is missing or unknown. */
export function readNamedClass(query: URLSearchParams): GuideClass | null {
  const requestedName = query.get('class')?.toLowerCase()
  return CLASS_KEYS.find((key) => requestedName === key || requestedName === GUIDE_CLASSES[key].toLowerCase()) ?? null
}

/** Returns the class whose panel is shown: the class in `?class=`, otherwise the first tab's. */
export const readShownClass = (query: URLSearchParams): GuideClass => readNamedClass(query) ?? 'brawler'

/** Returns the address of a class's panel. */
export function getClassPath(key: GuideClass): string {
  return `/characters?class=${key}`
}
