import { createServer, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { openHydrated } from './hydrated.ts'
import { storeSession } from './log-in.ts'

type Network = { origin: string; disconnect: () => Promise<void>; reconnect: () => Promise<void> }

/**
 * Starts a relay to the site that can be disconnected, because a browser's offline mode does not reach service workers in
 * every Chromium. The browser's own cache may not answer for the site, so the relay removes `stale-while-revalidate`.
 */
async function startRelay(): Promise<Network> {
  const site = new URL(process.env.E2E_ORIGIN ?? '')
  const relay = createServer((request, response) => {
    const { url = '/', method, headers } = request
    const forwarded = sendRequest(new URL(url, site), { method, headers }, (answer) => {
      const caching = answer.headers['cache-control']?.replace(/, stale-.*/, '')
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...(caching && { 'cache-control': caching }) })
      answer.pipe(response)
    })
    request.pipe(forwarded.on('error', () => response.destroy()))
  })
  const listen = (port: number) => new Promise<void>((resolve) => relay.listen(port, site.hostname, resolve))
  await listen(0)
  const { port } = relay.address() as AddressInfo
  return {
    origin: `http://${site.hostname}:${port}`,
    disconnect: async () => {
      const closed = new Promise((resolve) => relay.close(resolve))
      relay.closeAllConnections()
      await closed
    },
    reconnect: () => listen(port),
  }
}

const test = base.extend<{ network: Network }>({
  network: async ({ browserName: _ }, use) => {
    const relay = await startRelay()
    await use(relay)
    await relay.disconnect()
  },
  baseURL: async ({ network }, use) => use(network.origin),
})
test.use({ serviceWorkers: 'allow' })

const NETWORK_ERROR = 'Network error. Please check your connection.'

/** Returns the address, the size in bytes and the text of each response in the service worker's caches. */
const readCachedResponses = (page: Page) =>
  page.evaluate(async () => {
    const cachedResponses: { address: string; bytes: number; text: string }[] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const body = await (await cache.match(request))?.blob()
        const { pathname, search } = new URL(request.url)
        cachedResponses.push({ address: pathname + search, bytes: body?.size ?? 0, text: (await body?.text()) ?? '' })
      }
    }
    return cachedResponses
  })

/** Returns the addresses of the responses in the service worker's caches. */
const readCachedAddresses = (page: Page) =>
  page.evaluate(async () => {
    const requests = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname + new URL(url).search)
  })

const expectCached = (page: Page, ...addresses: string[]) =>
  expect
    .poll(() => readCachedAddresses(page), { timeout: 30_000, intervals: [100] })
    .toEqual(expect.arrayContaining(addresses))

/** Opens a page and presses a key, after which the site caches this page and the pages that are always cached. */
async function visit(page: Page, address: string): Promise<void> {
  await openHydrated(page, address)
  await page.keyboard.press('Shift')
  await expectCached(page, address, '/news', '/offline')
}

async function openOnPhone(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.setViewportSize({ width: 360, height: 780 })
  return page
}

test('without network, cached pages open with Try again; other pages list the cached pages', async ({
  context,
  network,
}) => {
  const page = await openOnPhone(context)
  await visit(page, '/rankings')
  await page.getByRole('link', { name: 'Killer' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Killer Ranking')
  const killerUrl = new URL(page.url())
  await expectCached(page, killerUrl.pathname + killerUrl.search)

  await network.disconnect()
  const notice = page.getByRole('alert').filter({ hasText: NETWORK_ERROR })
  await expect(notice).toBeHidden()
  await page.goto('/news')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('News')
  await expect(notice).toBeVisible()
  expect((await notice.boundingBox())?.y).toBeLessThan(10)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Killer Ranking')

  await page.goto('/story')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('No connection')
  await expect(notice).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Killer Ranking' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Killer Ranking')
  await page.goBack()
  const quickLinks = page.getByRole('navigation', { name: 'Quick links' })
  await quickLinks.getByText('Menu').click()
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
  await page.keyboard.press('Escape')
  await quickLinks.getByRole('link', { name: 'Account' }).click()
  await expect(page).toHaveURL('/offline?to=%2Flogin')

  await network.reconnect()
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
  await expect(page).toHaveURL('/login')
  await page.goto('/offline?to=%2Fstory')
  await expect(page).toHaveURL('/story')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Story')
  await expect(notice).toBeHidden()
})

test('a link that is tapped without network opens the cached page, and API calls fail', async ({
  context,
  network,
}) => {
  const page = await openOnPhone(context)
  await visit(page, '/rankings')
  await network.disconnect()
  await page.getByText('All pages of the site').click()
  await page.getByRole('contentinfo').getByRole('link', { name: /^News/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('News')
  await expect(page.getByRole('alert').filter({ hasText: NETWORK_ERROR })).toBeVisible()
  expect(await page.evaluate(() => fetch('/api/getsitebanners').catch(() => 'no answer'))).toBe('no answer')
})

test('with a network, pages come from the server, and the cache of another version is deleted', async ({
  context,
  network,
}) => {
  const page = await openOnPhone(context)
  await openHydrated(page, '/story')
  await page.evaluate(async () => {
    const cache = await caches.open('pages another-version')
    await cache.put('/rankings', new Response('Of another version'))
  })
  await visit(page, '/rankings')
  await expect.poll(() => page.evaluate(() => caches.keys())).not.toContain('pages another-version')

  await page.evaluate(async () => {
    const name = (await caches.keys()).find((cacheName) => cacheName.startsWith('pages ')) ?? ''
    // The recent date stops the service worker from caching the page again.
    const html = { headers: { 'Content-Type': 'text/html', Date: new Date().toUTCString() } }
    await (await caches.open(name)).put('/rankings', new Response('<h1>An old copy</h1>', html))
  })
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Level Ranking')
  await network.disconnect()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('An old copy')
})

test('the cache has at most 3 MB, no account data and no calls; a logout clears it', async ({ context }) => {
  test.slow()
  await storeSession(context)
  const page = await openOnPhone(context)
  await visit(page, '/')
  for (const path of ['/itemshop', '/gallery', '/story', '/instructions', '/characters', '/gamesystem', '/wallpaper'])
    await visit(page, path)
  await openHydrated(page, '/user')
  await page.keyboard.press('Shift')
  await openHydrated(page, '/checkticket?token=secret')
  await page.keyboard.press('Shift')
  await visit(page, '/serverinfo')
  const cachedResponses = await readCachedResponses(page)
  expect(cachedResponses.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(3_000_000)
  const addresses = cachedResponses.map(({ address }) => address)
  expect(addresses.filter((address) => /^\/(api|user|checkticket|admin)/.test(address))).toEqual([])
  // Matches whole numbers only, because the coordinates of a chart can contain the balance's digits.
  const accountDataPattern = /(?<![\d.,])50,?000(?![\d.,])|"juan"/
  expect(cachedResponses.filter(({ text }) => accountDataPattern.test(text)).map(({ address }) => address)).toEqual([])

  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Logout' }).first().click()
  await expect(page).toHaveURL('/login')
  await expect.poll(() => readCachedAddresses(page)).not.toContain('/serverinfo')
})
