import { useParams } from 'react-router'
import { PageHead } from '#web/shell/page-head.tsx'
import { ItemDetails } from './item-details.tsx'
import { itemQuery, readProductNum, useShown } from './queries.ts'
import { SameShelf } from './same-shelf.tsx'
import { ShopBanners } from './shop-banners.tsx'

/** One item at an address of its own, to link and to share. */
export default function ItemPage() {
  const productNum = readProductNum(useParams().productnum)
  const { data: item } = useShown(itemQuery(productNum))
  if (item === undefined) return null
  return (
    <>
      <PageHead crumb={item.ItemName} title={item.ItemName} />
      <ItemDetails key={item.ProductNum} shown={item} />
      <SameShelf item={item} />
      <ShopBanners />
    </>
  )
}
