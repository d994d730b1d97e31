import { itemsToUse } from './items-to-use.ts'
import { itemsToWear } from './items-to-wear.ts'
import type { DemoItem } from './items-types.ts'

/** The shop's categories, in the order of the tabs. `DemoItem.category` is an index into this list. */
export const categories: { name: string }[] = [
  { name: 'Costumes' },
  { name: 'Rides' },
  { name: 'Potions' },
  { name: 'School gear' },
  { name: 'Charms' },
  { name: 'Convenience' },
]

/** Every demo shop item, ordered so that the first pages of 'All' show every kind. */
export const items: DemoItem[] = mixCategories([...itemsToWear, ...itemsToUse])

/** One of each category in turn, so that a page of 'All' is a mixed shelf. */
function mixCategories(all: DemoItem[]): DemoItem[] {
  const shelves = categories.map((_, index) => all.filter((item) => item.category === index))
  const longest = Math.max(...shelves.map((shelf) => shelf.length))
  return Array.from({ length: longest }, (_, row) => shelves.flatMap((shelf) => shelf.slice(row, row + 1))).flat()
}
