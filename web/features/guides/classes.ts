import { CLASS_GUIDES, type ClassGuide } from '#content/classes.ts'

export type GuideClass = ClassGuide['key']

/** The classes with tabs, in the order of GUIDE-1. Scientist is the guide's name of the gunner, Sword the swordsman's. */
export const TABBED_CLASSES = CLASS_GUIDES.filter(({ hasTab }) => hasTab)

/** The panels without tabs, reached by their address: magician, shaper, and the eighth class (GUIDE-2). */
export const UNTABBED_CLASSES = CLASS_GUIDES.filter(({ hasTab }) => !hasTab)

/** The class that `?class=` names, by the name of the game or of the tab; null without one or for an unknown one. */
export function namedClass(query: URLSearchParams): ClassGuide | null {
  const wanted = query.get('class')?.toLowerCase()
  return CLASS_GUIDES.find(({ key, name }) => wanted === key || wanted === name.toLowerCase()) ?? null
}

/** The class whose panel to show: the one that `?class=` names, otherwise the first tab's. */
export function shownClass(query: URLSearchParams): ClassGuide {
  return namedClass(query) ?? (TABBED_CLASSES[0] as ClassGuide)
}

/** The address of a class's panel. */
export function classPath(key: GuideClass): string {
  return `/characters?class=${key}`
}
