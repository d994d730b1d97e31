import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { PLAYER_ROUTES, ROUTES } from '#test/e2e/routes.ts'
import { pickDeclaredQuery, type SearchSpec } from './api/page.ts'
import { findPage } from './api/page-loading.ts'
import { buildMainMenu, findLeftMenu } from './menus.ts'
import { getPageAt, NOT_FOUND_PAGE, PAGES } from './pages.ts'

const WEB = import.meta.dirname
const listPathsInSection = (section: string) => PAGES.filter((page) => page.section === section).map(({ path }) => path)
const sectionsWithMenu = [
  ...['account', 'recharge', 'news', 'guide', 'shop', 'download', 'support', 'rankings', 'forum'],
] as const

test('lists every page of ROUTE-1 in the manifest', () => {
  const routes = [
    ...['/', '/gamesystem', '/story', '/characters', '/instructions', '/news', '/topic/:id', '/news/:id', '/itemshop'],
    ...['/shoppingcart', '/shoppurchases', '/topup', '/topuphistory', '/gallery', '/wallpaper', '/movies'],
    ...['/downloads', '/download', '/ticket', '/checkticket', '/rankings', '/register', '/login', '/changepassword'],
    ...['/user', '/findaccount', '/serverinfo', '/socials'],
  ]
  const declaredPaths = new Set(PAGES.map(({ path }) => path))
  assert.deepEqual(
    routes.filter((path) => !declaredPaths.has(path)),
    [],
  )
  assert.equal(getPageAt('/nowhere').page, NOT_FOUND_PAGE)
})

/** Pages that only one page test opens, because they need a link, a certain account or no network, or are an alias. */
const PAGES_OF_ONE_TEST = ['/topic/:id', '/news/:id', '/claim', '/discord', '/keepaccount', '/page/:name', '/offline']

test('opens every page in the page tests of all pages', () => {
  const testedPages = new Set([...ROUTES, ...PLAYER_ROUTES].map(([path]) => getPageAt(path.split('?')[0] ?? '').page))
  assert.deepEqual(
    PAGES.filter((page) => !testedPages.has(page)).map(({ path }) => path),
    PAGES_OF_ONE_TEST,
    'add an address of these pages to test/e2e/routes.ts',
  )
})

test('gives each page a path that leads only to it', () => {
  const paths = PAGES.map(({ path }) => path)
  assert.equal(new Set(paths).size, paths.length)
  for (const page of PAGES) {
    assert.match(page.path, /^\/[a-z]*(\/[a-z]+)?(\/:[a-z]+){0,2}$/)
    assert.equal(findPage(PAGES, page.path)?.page, page)
  }
  assert.deepEqual(getPageAt('/Topic/7/'), { page: getPageAt('/topic/:id').page, params: { id: '7' } })
})

test('exports each page’s component as the default of its file, without loading data in it', async () => {
  for (const { path, file } of [...PAGES, NOT_FOUND_PAGE]) {
    const source = await readFile(join(WEB, file), 'utf8')
    assert.match(source, /^export default /m, path)
    assert.doesNotMatch(source, /^export (const|(async )?function) (loader|clientLoader|meta)\b/m, path)
  }
})

test('gives every page a name and a description, and lists only public pages', () => {
  for (const { path, crumb, description, access, listing } of PAGES) {
    assert.notEqual(crumb, '', path)
    assert.match(description, /\.$/, path)
    if (access === 'players') assert.equal(listing, 'noindex', path)
    if (path.includes(':')) assert.equal(listing, 'unlisted', path)
  }
  assert.deepEqual(
    PAGES.filter(({ access }) => access === 'players').map(({ path }) => path),
    ['/shoppingcart', '/shoppurchases', '/mailbox', '/topuphistory', '/user', '/claim', '/discord', '/changepassword'],
  )
})

test('finds the section of a path in any letter case', () => {
  assert.equal(getPageAt('/Register').page.section, 'account')
  assert.equal(getPageAt('/itemshop/12').page.section, 'shop')
  assert.equal(getPageAt('/nowhere').page.section, 'other')
})

test('links only existing pages in menus, and players’ pages for players only', () => {
  const mainMenus = [false, true].flatMap((onLoginPage) => buildMainMenu({ onLoginPage, agentUrl: null }))
  const leftMenus = sectionsWithMenu.map((section) => findLeftMenu(section))
  const links = [
    ...mainMenus,
    ...mainMenus.flatMap((entry) => entry.links),
    ...leftMenus.flatMap((menu) => menu?.links ?? []),
  ]
  for (const { label, to } of links) {
    assert.notEqual(label, '')
    assert.notEqual(getPageAt(to).page, NOT_FOUND_PAGE, to)
  }
  for (const link of leftMenus.flatMap((menu) => menu?.links ?? [])) {
    if (getPageAt(link.to).page.access === 'players') assert.equal(link.for, 'player', link.to)
  }
  for (const { sections } of mainMenus)
    for (const section of sections) assert.notDeepEqual(listPathsInSection(section), [])
})

/** Asserts that a page reads only parameters that it declares. */
function assertReadsDeclared(path: string, { names, read }: SearchSpec<unknown>): void {
  assert.equal(new Set(names).size, names.length, path)
  const readNames = new Set<string>()
  const noteName =
    (query: URLSearchParams, method: string | symbol) =>
    (name: string): unknown => {
      readNames.add(name)
      return Reflect.get(query, method).call(query, name)
    }
  read(new Proxy(new URLSearchParams(), { get: noteName }))
  for (const name of readNames) assert.ok(names.includes(name), `${path} reads ${name}`)
}

test('passes only declared parameters of an address to a page', () => {
  const query = new URLSearchParams('q=1&tab=killer&utm_source=x&school=2&tab=level')
  assert.equal(pickDeclaredQuery(['tab', 'school'], query).toString(), 'school=2&tab=killer&tab=level')
  assert.equal(pickDeclaredQuery([], query).toString(), '')
  for (const { path, search, browserSearch } of PAGES) {
    for (const spec of [search, browserSearch]) if (spec !== undefined) assertReadsDeclared(path, spec)
  }
})

test('reads parameters of addresses only with usePageSearch, in pages and the shell', async () => {
  const readsAddress = /\buseSearchParams\b|\blocation\.search\b|new URLSearchParams\((window|location|search)\b/
  const files: string[] = []
  for await (const file of glob('{features,shell}/**/*.{ts,tsx}', { cwd: WEB })) {
    if (!file.includes('.test.') && readsAddress.test(await readFile(join(WEB, file), 'utf8'))) files.push(file)
  }
  assert.deepEqual(files, [])
})
