import type { Db } from '#server/db/open.ts'
import { insertCampaign } from '#server/features/vouchers/codes.ts'
import { categories, items } from './content/items.ts'
import type { DemoItem } from './content/items-types.ts'
import { news } from './content/news.ts'
import { banners, clubAreas, downloads } from './content/site.ts'
import { insertMedia } from './media.ts'

const twoDigits = (value: number) => String(value).padStart(2, '0')
const before = (now: Date, minutes: number) => new Date(now.getTime() - minutes * 60_000)
const scene = (art: number) => `/art/banner-${art}.svg`

/** Inserts news, banners, downloads, media and club areas. The oldest guide has no date, to show 'No date available'. */
export async function insertContent(tx: Db, now: Date): Promise<void> {
  const oldestGuide = news.filter((item) => item.type === 1).reduce((a, b) => (a.ageMinutes > b.ageMinutes ? a : b))
  await tx
    .insertInto('news')
    .values(
      [...news].reverse().map((item) => ({
        subject: item.subject,
        type: item.type,
        author: item.author,
        content: item.html,
        picture: item.picture === null ? null : `/art/news-${twoDigits(item.picture)}.webp`,
        show_picture: item.showPicture,
        first_published_at: before(now, item.ageMinutes),
        announced_at: now,
        created_at: item === oldestGuide ? null : before(now, item.ageMinutes),
      })),
    )
    .execute()
  await tx
    .insertInto('banners')
    .values(
      banners.map((banner, position) => ({
        position,
        picture: scene(banner.image),
        picture_phone: `/art/banner-${banner.image}-phone.svg`,
        title: banner.title,
        line: banner.line,
        tag: banner.tag,
        href: banner.href,
      })),
    )
    .execute()
  await tx
    .insertInto('downloads')
    .values(
      downloads.map(({ ageMinutes, ...link }, position) => ({ ...link, position, link_date: before(now, ageMinutes) })),
    )
    .execute()
  await tx
    .insertInto('club_areas')
    .values(clubAreas.map((area, index) => ({ name: area.name, picture: `/art/club-${index + 1}.svg` })))
    .execute()
  await insertMedia(tx, now)
}

const DAY_MINUTES = 24 * 60
const SALE_LEFT_DAYS = 14

/** The sale of an item whose ribbon says so: it costs a fifth less. What the content states is the price to pay. */
function saleOf({ ribbon, price }: DemoItem, now: Date) {
  if (ribbon !== '-20%') return {}
  return {
    price: Math.round(price / 0.8),
    sale_price: price,
    sale_starts_at: before(now, DAY_MINUTES),
    sale_ends_at: before(now, -SALE_LEFT_DAYS * DAY_MINUTES),
    on_sale: true,
  }
}

/** What some items have that others have not: a sale that is yet to come, and a limit for each account. */
const offerOf = ({ slug, price }: DemoItem, now: Date) => ({
  ...(slug === 'fire-drill-cape' && {
    sale_price: price - 350,
    sale_starts_at: before(now, -5 * DAY_MINUTES),
    sale_ends_at: before(now, -7 * DAY_MINUTES),
  }),
  ...(slug === 'lolas-salabat' && { account_limit: 20 }),
})

/** Inserts the shop's categories and items, three of them on sale. */
export async function insertShop(tx: Db, now: Date): Promise<void> {
  const shelves = await tx
    .insertInto('shop_categories')
    .values(categories.map(({ name }, position) => ({ category_name: name, position })))
    .returning('id')
    .execute()
  await tx
    .insertInto('shop_items')
    .values(
      items.map((item, position) => ({
        category_id: shelves[item.category]?.id ?? 0,
        item_name: item.name,
        price: item.price,
        section: item.section,
        description: item.description,
        icon: `item-${item.slug}.svg`,
        image_url: `/art/item-${item.slug}.svg`,
        ribbon: item.ribbon,
        position,
        ...saleOf(item, now),
        ...offerOf(item, now),
      })),
    )
    .execute()
}

/** Inserts the five demo vouchers of 1,000 R-Coin and the referral code TAMBAYAN. */
export async function insertVouchers(tx: Db, now: Date): Promise<void> {
  const codes = [...'ABCDE'].map((letter) => `DEMO-1000-AAA${letter}`)
  const campaign = {
    name: 'Demo vouchers',
    rCoin: 1000,
    milleage: 0,
    expiresAt: null,
    perAccount: null,
    inTotal: null,
    streamer: null,
  }
  await insertCampaign(tx, campaign, codes, { now, madeBy: null })
  await tx.insertInto('referral_codes').values({ code: 'TAMBAYAN', streamer: 'Tambayan', created_at: now }).execute()
}
