import { manilaDay } from '#contract/manila.ts'
import { getItemShop, getShopCategories, getShopItem, openItem, toShopItem } from '#contract/shop.ts'
import { refuse } from '#server/errors.ts'
import { type Mounted, mount } from '#server/http/mount.ts'
import { countOpening, selectCategories, selectItem } from './queries.ts'
import { browseShop, nearestShelf } from './service.ts'

/** The calls of the shop (CALL-2) and one item. */
export const shopCalls: Mounted[] = [
  mount(getShopCategories, (_, { deps }) => selectCategories(deps.db)),
  mount(getItemShop, { nearest: nearestShelf, read: (input, { deps }) => browseShop(deps, nearestShelf(input, deps)) }),
  mount(getShopItem, async ({ productnum }, { deps }) => {
    const row = await selectItem(deps.db, productnum)
    if (row === undefined) throw refuse(getShopItem, 'noItem')
    return { data: toShopItem(row, deps.now()) }
  }),
  mount(openItem, async ({ productnum }, { deps }) => {
    if (!(await countOpening(deps.db, productnum, manilaDay(deps.now())))) throw refuse(openItem, 'noItem')
    return {}
  }),
]
