import { GUIDE_CLASSES } from '#contract/documents.ts'

export type GuideClass = keyof typeof GUIDE_CLASSES

const KEYS = Object.keys(GUIDE_CLASSES) as GuideClass[]

/** The classes with tabs, in the order of GUIDE-1. Scientist is the guide's name of the gunner, Sword the swordsman's. */
export const TABBED_CLASSES = KEYS.slice(0, 7)

/** The panels without tabs, reached by their address: magician, shaper, and the eighth class (GUIDE-2). */
export const UNTABBED_CLASSES = KEYS.slice(7)

/** Returns a class's name in the guide; of the eighth, the operators' name. */
export const getClassName = (key: GuideClass, eighthName: string): string =>
  key === 'conductor' ? eighthName : GUIDE_CLASSES[key]

/** The class that `?class=` names, by the name of the game or of the tab; null without one or for an unknown one. */
export function namedClass(query: URLSearchParams): GuideClass | null {
  const wanted = query.get('class')?.toLowerCase()
  return KEYS.find((key) => wanted === key || wanted === GUIDE_CLASSES[key].toLowerCase()) ?? null
}

/** The class whose panel to show: the one that `?class=` names, otherwise the first tab's. */
export const shownClass = (query: URLSearchParams): GuideClass => namedClass(query) ?? 'brawler'

/** The address of a class's panel. */
export function classPath(key: GuideClass): string {
  return `/characters?class=${key}`
}
