/**
 * What every public answer costs with 25,000 items, 100,000 news and 1,000,000 characters, against the demo world. Deep
 * pages are compared with the demo's last ones. Making the large world takes several minutes.
 *
 * `node bench/growth.ts [PART OF AN ADDRESS]`
 */
import { ensureBuilt } from '#scripts/build.ts'
import { growWorld } from '#test/grown-world.ts'
import { compareWorlds, type Probe } from './two-worlds.ts'

const GROWTH = { items: 25_000, news: 100_000, characters: 1_000_000 }

const ASKED: Probe[] = [
  '/api/shopcategories',
  '/api/itemshop?page=1',
  ['/api/itemshop?page=4', '/api/itemshop?page=1500'],
  '/api/itemshop?page=999999',
  ['/api/itemshop?sort=price&page=4', '/api/itemshop?sort=price&page=1500'],
  '/api/itemshop?sort=-price&page=999999',
  ['/api/itemshop?sort=name&page=4', '/api/itemshop?sort=name&page=1500'],
  ['/api/itemshop?category=2&page=2', '/api/itemshop?category=2&page=300'],
  ['/api/itemshop?category=2&page=2&sort=name', '/api/itemshop?category=2&page=300&sort=name'],
  ...['a', 'an', 'of', 'bottle', '42', 'zzzz'].map((q) => `/api/itemshop?q=${q}`),
  ...['price', '-price', 'name'].map((sort) => `/api/itemshop?q=an&page=3&sort=${sort}`),
  ['/api/shopitem/20', '/api/shopitem/20000'],
  '/api/getnewsall/0/1/0/1',
  '/api/getnewsall/0/8/1/0',
  ['/api/getnewsall/0/8/3/0', '/api/getnewsall/0/8/6000/0'],
  '/api/getnewsall/0/8/999999/0',
  '/api/getnewsall/0/50/0/0',
  ['/api/getnewsall/1/8/2/0', '/api/getnewsall/1/8/2000/0'],
  '/api/getnewsall/2/8/999999/0',
  ['/api/getspecificnews/20', '/api/getspecificnews/50000'],
  '/api/get-top-rankings-list',
  '/api/ranking-periods',
  '/api/site',
  '/api/club-areas',
  '/api/getSiteBanners',
  '/api/getdownloadsall',
  ...['gallery', 'wallpaper', 'movie'].map((kind) => `/api/media/${kind}`),
  ...['the', 'club', 'school', 'lantern', 'maintenance', 'potion', 'zzzzz', 'ma', 'st', 'an', 'juan', '4242'].map(
    (q) => `/api/search?q=${q}`,
  ),
  ...['patch notes', 'club war', '"club war"', 'the club -war', 'a or the or of or school or club'].map(
    (q) => `/api/search?q=${encodeURIComponent(q)}`,
  ),
  ['/api/search?q=club&kind=news&page=2', '/api/search?q=club&kind=news&page=5'],
  ['/api/search?q=ma&kind=characters&page=2', '/api/search?q=ma&kind=characters&page=50'],
  '/sitemap.xml',
  '/feed.xml',
  '/',
  ['/news?board=all&page=3', '/news?board=all&page=6000'],
  ['/itemshop?category=0&page=4', '/itemshop?category=0&page=1500'],
  '/rankings',
  '/search?q=club',
]

await ensureBuilt(console.log)
await compareWorlds(ASKED, { large: { name: 'grown', grow: (db) => growWorld(db, GROWTH) } })
process.exit(0)
