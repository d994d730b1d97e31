import { expect, test } from '@playwright/test'
import { DESKTOP, openDesk, PHONE } from './desk.ts'
import { expectAccessible, expectGoodScreen } from './good-screen.ts'
import { storeSession } from './log-in.ts'

test('a player claims the rewards of today, votes, and copies a link for friends', async ({
  page,
  playwright,
  baseURL,
  context,
}) => {
  await test.step('a player claims a reward for the minutes played today, which a bar shows', async () => {
    await page.setViewportSize(PHONE)
    await page.goto('/daily')
    const panel = page.locator('section', { has: page.getByRole('heading', { name: 'Time played' }) })
    await expect(panel.getByRole('link', { name: 'Log in to see your time' })).toBeVisible()
    await storeSession(page)
    await page.reload()
    const progressBar = panel.getByRole('progressbar', { name: 'Minutes played today' })
    await expect(progressBar).toBeVisible()
    // After midnight in Manila, the day of the demo world is over.
    if ((await progressBar.getAttribute('value')) === '0') return
    await expect(progressBar).toHaveAttribute('value', '95')
    await expect(panel.getByText('95 minutes today, 0 of 4 rewards claimed.')).toBeVisible()
    await expectGoodScreen(page)
    await panel.getByRole('button', { name: 'Claim 1 reward' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('1 reward claimed.', { exact: true })).toBeVisible()
    await expect(panel.getByText('95 minutes today, 1 of 4 rewards claimed.')).toBeVisible()
    await expect(panel.getByText('You have not played long enough for another reward yet.')).toBeVisible()
    await expect(panel.getByRole('button')).toHaveCount(0)
    await page.setViewportSize(DESKTOP)
    await expectGoodScreen(page)
  })
  await test.step('a player claims the reward of today, and sees it in the balance and in the calendar', async () => {
    await page.setViewportSize(PHONE)
    await page.goto('/daily')
    const readBalance = () =>
      page.evaluate(() => JSON.parse(localStorage.getItem('USER_DATA') ?? '{}').UserPoint2 as number)
    const [balanceBefore, today] = [await readBalance(), page.locator('[aria-current=date]')]
    const rewardMatch = /^(\d+) Milleage$/.exec((await today.locator('span').first().textContent()) ?? '')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Claim', exact: true }).click()
    await expect(page.getByText('You have claimed today’s reward. Come back tomorrow.')).toBeFocused()
    await expect(today.getByRole('img', { name: 'Claimed' })).toBeVisible()
    expect(await readBalance()).toBe(balanceBefore + Number(rewardMatch?.[1] ?? 0))
    await page.setViewportSize(DESKTOP)
    await expectGoodScreen(page)
  })
  await test.step('a player votes on a list, and sees when the next vote is possible', async () => {
    await page.goto('/vote')
    const list = page.getByRole('listitem').filter({ hasText: 'Barkada Top 100' })
    const link = list.getByRole('link', { name: 'Vote on Barkada Top 100' })
    const voterToken = new URL((await link.getAttribute('href')) ?? '').searchParams.get('who') ?? ''
    await expectAccessible(page)

    // The operator connects the list, which then reports the vote.
    const operatorRequest = await playwright.request.newContext({ baseURL })
    const { data } = await (
      await operatorRequest.post('/api/processlogin', { data: { UserID: 'gm', UserPass: 'gm-demo-1' } })
    ).json()
    const connectResponse = await operatorRequest.post('/api/admin/rewards/votes/connect', {
      headers: { Authorization: `Bearer ${data.token}`, 'Idempotency-Key': crypto.randomUUID() },
      data: { site: 1, secret: '' },
    })
    const { address } = await connectResponse.json()
    const answer = await operatorRequest.get(`${new URL(address).pathname}?custom=${voterToken}`)
    expect(await answer.text()).toBe('OK')

    await page.reload()
    await expect(list.getByText(/^Open again /)).toBeVisible()
    await expect(list.getByRole('link')).toHaveCount(0)
    await expect(page.getByText('You have voted once this month.')).toBeVisible()
    await page.setViewportSize(PHONE)
    await expectGoodScreen(page)
  })
  await test.step('a player copies a link for friends', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/invite')
    await expectGoodScreen(page)
    await page.getByRole('button', { name: 'Copy the link' }).click()
    await expect(page.getByText('Copied.')).toBeVisible()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    expect(link).toMatch(/\/register\?invite=[0-9a-f]{20}$/)
    await page.setViewportSize(PHONE)
    await expectGoodScreen(page)
  })
})

test('an operator sets starter items, the calendar and a vote list', async ({ page, context }) => {
  await test.step('an operator sets starter items, and sees when the budget is too small', async () => {
    await page.setViewportSize(PHONE)
    await openDesk(page, '/rewards/starter', 'Rewards')
    await page.getByLabel('Budget for a day').fill('0')
    await page.getByRole('button', { name: 'Add an item' }).click()
    await page.getByLabel('Item', { exact: true }).fill('999999')
    await expect(page.getByText('No item fits “999999”.')).toBeVisible()
    await expectGoodScreen(page)
    const { itemshopdata } = await (await page.request.get('/api/itemshop?category=0&page=1')).json()
    const [item] = itemshopdata
    await page.getByLabel('Item', { exact: true }).fill(item.ItemName)
    await page.getByRole('list', { name: 'Choices for Item' }).getByRole('button').first().click()
    await expectGoodScreen(page)
    await page.getByLabel('How many').fill('3')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText(`3 × ${item.ItemName}`)).toBeVisible()
    await expect(page.getByText('below the worth of one account', { exact: false })).toBeVisible()
    await page.setViewportSize(DESKTOP)
    await expectGoodScreen(page)
    await page.getByRole('button', { name: /^Remove item/ }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Nothing', { exact: true })).toBeVisible()
  })
  await test.step('an operator sets a different reward for a day of the month in a calendar', async () => {
    await page.setViewportSize(PHONE)
    await openDesk(page, '/rewards', 'Rewards')
    const day = page.getByRole('button', { name: /^11\b/ })
    await day.click()
    await page.getByRole('button', { name: 'Give day 11 a special reward' }).click()
    await page.getByLabel('How much').fill('55')
    await expect(day).toHaveText(/55 Milleage/)
    await expectGoodScreen(page)
    await page.getByRole('button', { name: 'Give the same as every day' }).click()
    await expect(page.getByText('Day 11 gives the same as every day.')).toBeVisible()
  })
  await test.step('an operator adds a vote list and copies its address and secret', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.setViewportSize(DESKTOP)
    await openDesk(page, '/rewards/votes', 'Rewards')
    await page.getByRole('link', { name: 'Add a vote list' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Fiesta Top 50')
    await page.getByLabel('Where players vote').fill('https://votes.example.ph/in?who={account}')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Fiesta Top 50' })).toBeVisible()
    await expect(page.getByText('There is no such list')).toHaveCount(0)
    await page.getByRole('button', { name: 'Make an address' }).click()
    const callDialog = page.getByRole('dialog', { name: 'Connection details for Fiesta Top 50' })
    for (const name of ['Address', 'Secret'])
      await expect(callDialog.getByText(name, { exact: true }).first()).toBeVisible()
    await expectGoodScreen(page)
    await callDialog.getByRole('button', { name: 'Copy Address' }).click()
    await expect(callDialog.getByRole('button', { name: 'Done' })).toHaveCount(0)
    await callDialog.getByRole('button', { name: 'Copy Secret' }).click()
    await callDialog.getByRole('button', { name: 'Done' }).click()
    await expect(callDialog).toHaveCount(0)
  })
})
