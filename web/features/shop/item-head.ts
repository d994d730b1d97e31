import type { ShopItem } from '#contract/shop.ts'
import type { Head } from '#web/api/page.ts'
import { CURRENCY_NAMES, currencyOf } from './currency.ts'
import { itemPath } from './shop-view.ts'

/** A picture that messengers can show: they know no SVG, so that each drawn item lies beside its photograph. */
function sharePictureOf({ image_url }: ShopItem): string | undefined {
  const drawn = /^(\/art\/item-[\w-]+)\.svg$/.exec(image_url ?? '')
  if (drawn) return `${drawn[1]}-share.jpg`
  return image_url?.startsWith('/') && !/\.(svg|webp)$/i.test(image_url) ? image_url : undefined
}

/** The head of an item's page, with the item in the words of schema.org. `siteUrl` makes its addresses absolute. */
export function itemHead(item: ShopItem, siteUrl: string) {
  const path = itemPath(item.ProductNum)
  const picture = sharePictureOf(item)
  return {
    crumb: item.ItemName,
    description: item.description,
    path,
    picture,
    jsonLd: {
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: item.ItemName,
      description: item.description,
      sku: String(item.ProductNum),
      image: [siteUrl + (item.image_url ?? picture ?? '/art/share.png')],
      offers: {
        '@type': 'Offer',
        url: siteUrl + path,
        price: item.price.toFixed(2),
        priceCurrency: CURRENCY_NAMES[currencyOf(item.section)],
        availability: 'https://schema.org/InStock',
      },
    },
  } satisfies Partial<Head>
}
