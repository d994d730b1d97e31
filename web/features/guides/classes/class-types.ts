import type { ClassName } from '#contract/game.ts'

/**
 * A page of the class guide by its address: the contract's nine classes, and the conductor. The specification's panels
 * without tabs are magician, shaper and "an eighth class". The server has no tenth class code, so ours is the class that
 * the school has announced but not opened: it has a page of its own and is in no ranking, filter or register form.
 */
export type GuideClass = ClassName | 'conductor'

/** How much of it a class has, 1 to 5. */
export type TraitScore = 1 | 2 | 3 | 4 | 5

export const TRAITS = ['Damage', 'Toughness', 'Speed', 'Reach', 'Support', 'Easy to start'] as const
export type Trait = (typeof TRAITS)[number]

export type ClassSkill = {
  name: string
  /** Where the quick slot guide puts it; 'Always' needs no key. */
  key: 'F1' | 'F2' | 'F3' | 'F4' | 'Always'
  line: string
  /** Its icon in the game-icons set. */
  icon: string
}

export type ClassGuide = {
  key: GuideClass
  /** As the tab says it. Swordsman and gunner go by Sword and Scientist here (DECISIONS §4). */
  name: string
  /** What the rankings call it, where that differs. */
  alsoCalled?: string
  /** What its poster shows. */
  picture: string
  role: string
  weapon: string
  blurb: string
  strengths: readonly string[]
  weaknesses: readonly string[]
  traits: Record<Trait, TraitScore>
  /** The two stats to raise, the first one first. */
  stats: readonly [string, string]
  skills: readonly ClassSkill[]
  tip: string
  /** Colour of the bars and lines, readable on ink. */
  tint: string
}
