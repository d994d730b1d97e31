/** Types of the demo shop's items. The items are in the files beside this one; `items.ts` combines them. */

/** Index into `categories`: 0 Costumes, 1 Rides, 2 Potions, 3 School gear, 4 Charms, 5 Convenience. */
export type CategoryIndex = 0 | 1 | 2 | 3 | 4 | 5

export type ItemTone = 'gate' | 'peak' | 'phoenix' | 'gold' | 'violet'
export type ItemRibbon = 'NEW' | 'HOT' | '-20%'

export type DemoItem = {
  slug: string
  /** At most 40 characters. */
  name: string
  category: CategoryIndex
  /** Whole R-Coin or Milleage, see `section`. */
  price: number
  /** 2 = paid in R-Coin, 1 = paid in Milleage. */
  section: 1 | 2
  description: string
  /** An icon's name in the game-icons set. */
  icon: string
  tone: ItemTone
  ribbon: ItemRibbon | null
}
