import { expect, test } from '@playwright/test'
import { openHydrated } from './hydrated.ts'

test('boards, filters and comparisons have addresses', async ({ page }) => {
  await test.step('each news board has its own pages, and Back returns to the earlier page', async () => {
    await openHydrated(page, '/news')
    const firstSubject = await page.locator('main table').nth(1).locator('tbody tr a').first().innerText()
    await page
      .getByRole('navigation', { name: /events/i })
      .getByRole('link', { name: '2', exact: true })
      .click()
    await expect(page).toHaveURL(/board=events&page=2|page=2&board=events/)
    await expect(page.locator('main table').nth(1).locator('tbody tr a').first()).not.toHaveText(firstSubject)
    await page.goBack()
    await expect(page.locator('main table').nth(1).locator('tbody tr a').first()).toHaveText(firstSubject)
  })
  await test.step('two filters chosen in quick succession both apply', async () => {
    await openHydrated(page, '/rankings')
    await page.evaluate(async () => {
      const choose = (group: string, nth: number) =>
        document.querySelectorAll<HTMLElement>(`[aria-label="${group}"] a`)[nth]?.click()
      choose('School', 1)
      await new Promise((resolve) => setTimeout(resolve, 50))
      choose('Class', 1)
    })
    await expect(page).toHaveURL(/school=\d.*class=|class=.*school=\d/)
  })
  await test.step('two characters are compared on the page of one of them, at an address that can be shared', async () => {
    await openHydrated(page, '/character/2')
    const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
    await expect(page.getByRole('list', { name: 'Best places this month' })).toBeVisible()
    await page.getByLabel('Another character').fill('no one is called this')
    await page.getByRole('button', { name: 'Compare' }).click()
    await expect(page.getByText('No ranked character has this name.')).toBeVisible()
    await page.getByLabel('Another character').fill('lakambini')
    await page.getByRole('button', { name: 'Compare' }).click()
    await expect(page).toHaveURL('/character/2?with=1')
    await expect(page.getByRole('heading', { name: 'Compare' })).toBeFocused()
    const table = page.getByRole('table', { name: `${name} and Lakambini this month` })
    await expect(table.getByRole('row', { name: /^Level/ })).toBeVisible()
    await page.reload()
    await expect(table).toBeVisible()
  })
})

test('the home page requests no data twice, and shows its first news below the heading', async ({ page }) => {
  await test.step('data of the document is not requested again, except by Refresh', async () => {
    const calls: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/getnewsall')) calls.push(request.url())
    })
    await openHydrated(page, '/')
    expect(calls).toEqual([])
    await page
      .getByRole('button', { name: /^Refresh/ })
      .first()
      .click()
    await expect.poll(() => calls.length).toBeGreaterThan(0)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('TAMBAYAN_CACHE'))).toContain('getnewsall')
  })
  await test.step('the first news of the home page is below its heading, with and without a picture', async () => {
    await openHydrated(page, '/')
    const heading = page.getByRole('heading', { name: 'News', exact: true })
    const box = page.locator('section').filter({ has: heading })
    const measureDistance = async () => {
      const [badge, title] = [await box.getByText('new', { exact: true }).boundingBox(), await heading.boundingBox()]
      return (badge?.y ?? 0) - (title?.y ?? 0) - (title?.height ?? 0)
    }
    expect(await measureDistance()).toBeGreaterThan(0)
    await box
      .locator('img')
      .first()
      .evaluate((picture) => picture.remove())
    expect(await measureDistance()).toBeGreaterThan(0)
  })
})
