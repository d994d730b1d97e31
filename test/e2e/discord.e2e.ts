import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test'
import { openDiscord } from '../discord-server.ts'
import { DESKTOP, openDesk, PHONE } from './desk.ts'
import { expectAccessible, expectGoodScreen } from './good-screen.ts'
import { storeSession } from './log-in.ts'
import { startSeparateSite } from './start-site.ts'

/** Returns a module that redirects a site's requests for Discord to the simulated Discord. */
const redirectRequests = (address: string) =>
  `const send = fetch
  globalThis.fetch = (to, init) => send(String(to).replace(/^https:\\/\\/discord\\.com(\\/api\\/v10)?/, '${address}'), init)`

/** Simulates Discord's page on which a player agrees. */
async function answerAtDiscord(context: BrowserContext): Promise<void> {
  await context.route('https://discord.com/oauth2/authorize?*', (route) => {
    const requestParams = new URL(route.request().url()).searchParams
    const returnAddress = `${requestParams.get('redirect_uri')}?code=good-code&state=${requestParams.get('state')}`
    return route.fulfill({ contentType: 'text/html', body: `<a href="${returnAddress}">Authorize</a>` })
  })
}

async function openPage(browser: Browser, baseURL: string): Promise<Page> {
  const context = await browser.newContext({ baseURL, reducedMotion: 'reduce' })
  await answerAtDiscord(context)
  return context.newPage()
}

test('an operator sets Discord up at the desk, and a player connects and disconnects', async ({ browser }) => {
  test.setTimeout(240_000)
  const discord = await openDiscord()
  const redirect = `data:text/javascript,${encodeURIComponent(redirectRequests(discord.address))}`
  const { origin, stop } = await startSeparateSite({ NODE_OPTIONS: `--import=${redirect}` })
  const desk = await openPage(browser, origin)
  const player = await openPage(browser, origin)

  await desk.setViewportSize(PHONE)
  await openDesk(desk, '/discord', 'Discord')
  const channelSection = desk.locator('section', { has: desk.getByRole('heading', { name: 'Channels' }) })
  await expect(channelSection.getByRole('button')).toHaveCount(0)
  await expectAccessible(desk)
  const field = desk.getByLabel('Discord webhook for news')
  await field.fill('https://evil.example/api/webhooks/1/abcdefgh')
  await field.press('Enter')
  await expect(desk.getByText('Enter the whole address that Discord shows', { exact: false })).toBeVisible()
  await field.fill('https://discord.com/api/webhooks/1/abcdefgh')
  await field.press('Enter')
  const testButton = channelSection.getByRole('button', { name: /^Send a test/ })
  await expect(testButton).toHaveCount(1)
  await expect(channelSection).not.toContainText('abcdefgh')
  await testButton.focus()
  await desk.keyboard.press('Enter')
  await expect(desk.getByText('The test is in the channel.')).toBeVisible()
  expect(discord.posts).toEqual([`This is a test\nMessages will look like this.\n${origin}/`])
  discord.isOpen = false
  await testButton.click()
  await expect(desk.getByText('Discord did not accept the message. Check the webhook address.')).toBeVisible()
  discord.isOpen = true

  await storeSession(player)
  await player.goto('/user')
  await expect(player.getByRole('heading', { name: 'Your data' })).toBeVisible()
  await expect(player.getByRole('button', { name: 'Connect Discord' })).toHaveCount(0)
  await desk.getByLabel('Application id').fill('123456789012345678')
  await desk.getByLabel('Client secret').fill('client-secret')
  await desk.getByLabel('Bot token').fill('bot-token')
  await desk.getByLabel('Bot token').press('Enter')
  await expect(desk.getByText('Players can connect with Discord now.')).toBeVisible()
  await desk.setViewportSize(DESKTOP)
  await expectGoodScreen(desk)

  await player.setViewportSize(PHONE)
  await player.reload()
  await player.getByRole('button', { name: 'Connect Discord' }).focus()
  await player.keyboard.press('Enter')
  await player.getByRole('link', { name: 'Authorize' }).click()
  await expect(player.getByRole('heading', { level: 1, name: 'Discord' })).toBeVisible()
  await expectAccessible(player)
  await player.getByRole('button', { name: 'Connect my account' }).click()
  await expect(player.getByText('Your account is connected with Discord.')).toBeVisible()
  // The page's address still has the code, which is now used up.
  await player.reload()
  await player.getByRole('button', { name: 'Connect my account' }).click()
  await expect(player.getByRole('alert')).toHaveText(/^This took too long/)
  await player.getByRole('link', { name: 'My Account' }).last().click()
  await expect(player.getByText('Connected as kuya.')).toBeVisible()
  await expectGoodScreen(player)
  await player.getByRole('button', { name: 'Disconnect' }).click()
  await expect(player.getByRole('button', { name: 'Connect Discord' })).toBeVisible()

  await desk.setViewportSize(PHONE)
  await desk.getByRole('button', { name: 'Remove the application' }).click()
  const dialog = desk.getByRole('dialog', { name: 'Remove the application?' })
  await expect(dialog).toContainText('No player is connected.')
  await expectGoodScreen(desk)
  await dialog.getByRole('button', { name: 'Remove the application' }).click()
  await expect(desk.getByText('none yet', { exact: true })).toBeVisible()
  await player.reload()
  await expect(player.getByRole('heading', { name: 'Your data' })).toBeVisible()
  await expect(player.getByRole('button', { name: 'Connect Discord' })).toHaveCount(0)

  for (const page of [desk, player]) await page.context().close()
  await stop()
  discord.close()
})
