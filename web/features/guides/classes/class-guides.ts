import type { ClassGuide, GuideClass } from './class-types.ts'
import { archer, gunner, magician, shaman, shaper } from './far.ts'
import { assassin, brawler, conductor, extreme, swordsman } from './near.ts'

/** The classes with tabs, in the order of SPEC §2.10. Scientist is the guide's name of the gunner, Sword the swordsman's. */
export const TABBED_CLASSES: readonly ClassGuide[] = [brawler, archer, swordsman, shaman, extreme, gunner, assassin]

/** The panels without tabs, reached by their address: magician, shaper, and the eighth class of SPEC §2.10. */
export const UNTABBED_CLASSES: readonly ClassGuide[] = [magician, shaper, conductor]

export const CLASS_GUIDES: readonly ClassGuide[] = [...TABBED_CLASSES, ...UNTABBED_CLASSES]

const GUIDE_OF = new Map<string, ClassGuide>(CLASS_GUIDES.map((guide) => [guide.key, guide]))

/** The tabs' own names are understood in addresses too. */
for (const guide of CLASS_GUIDES) GUIDE_OF.set(guide.name.toLowerCase(), guide)

/** The class an address names in `?class=`, or null when it names none or one that does not exist. */
export function namedClass(query: URLSearchParams): ClassGuide | null {
  return GUIDE_OF.get(query.get('class')?.toLowerCase() ?? '') ?? null
}

/** The class whose panel an address shows; the first tab's unless it names another. */
export function shownClass(query: URLSearchParams): ClassGuide {
  return namedClass(query) ?? brawler
}

/** Where the class guide begins on the page. */
export const GUIDE_ID = 'class-guide'

/** The address of a class's panel. */
export function classPath(key: GuideClass): string {
  return `/characters?class=${key}`
}

/** The poster of a class, the picture of its link previews, and its sheet of skill icons, which holds them as `#s1`, `#s2` … */
export const posterOf = (key: GuideClass) => `/art/class-${key}.svg`
export const sharePictureOf = (key: GuideClass) => `/art/class-${key}-share.jpg`
export const skillsOf = (key: GuideClass) => `/art/class-${key}-skills.svg`
