import { expect, test } from '@playwright/test'
import { openDesk, PHONE } from './desk.ts'
import { expectAccessible, expectGoodScreen } from './good-screen.ts'
import { storeSession } from './log-in.ts'

test('a player finds an event on a phone, sets a reminder, and cancels it', async ({ page }) => {
  await storeSession(page)
  await page.setViewportSize(PHONE)
  await page.goto('/events')
  await expectGoodScreen(page)
  await page.getByRole('link', { name: 'Month' }).click()
  await page.getByRole('link', { name: 'Later' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Club war' }).first().click()
  await expect(page.getByText('Begins in')).toBeVisible()
  await page.getByRole('button', { name: 'Remind me every time' }).click()
  await expect(page.getByText('We will send a letter to your mail box an hour before each time.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Stop reminding me' }).click()
  await expect(page.getByRole('button', { name: 'Remind me every time' })).toBeVisible()
})

test('an operator plans and cancels an event, enters a result, and loses nothing to a conflict', async ({
  page,
  context,
}) => {
  await test.step('an operator plans an event, cancels it, and enters the result of another', async () => {
    await openDesk(page, '/events', 'Events')
    await expectGoodScreen(page)
    await page.getByRole('link', { name: 'Plan an event' }).first().click()
    await page.getByLabel('Title').fill('Kite evening')
    await page.getByLabel('Prize').fill('The longest tail')
    await page.getByLabel('How often').selectOption('Every week')
    await expect(page.getByLabel('Repeats until')).toBeVisible()
    await expectGoodScreen(page)
    await page.getByRole('button', { name: 'Plan it' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Kite evening' })).toBeVisible()
    const [playerPage] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: /^Open/ }).click(),
    ])
    await expect(playerPage.getByText('The longest tail')).toBeVisible()
    await page.getByLabel('Cancelled because').fill('No wind.')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Kite evening is saved.')).toBeVisible()
    await expect(async () => {
      await playerPage.reload()
      await expect(playerPage.getByText('No wind.')).toBeVisible({ timeout: 1000 })
    }).toPass()
    await playerPage.close()

    await page.goto('/admin/events/1')
    await page.getByRole('link', { name: 'Results' }).click()
    await page.getByRole('textbox', { name: 'Result' }).first().fill('A tie, in the dark.')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await expect(page.getByText('The result is shown on the event’s page.')).toBeVisible()
    await expectGoodScreen(page)
  })
  await test.step('a conflict shows both versions, and nothing is lost', async () => {
    await openDesk(page, '/events/new', 'Plan an event')
    await page.getByLabel('Title').fill('Lantern walk')
    await page.getByRole('button', { name: 'Plan it' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Lantern walk' })).toBeVisible()
    const colleaguePage = await context.newPage()
    await colleaguePage.goto(page.url())
    await colleaguePage.getByLabel('Prize').fill('A kite')
    await colleaguePage.getByRole('button', { name: 'Save' }).click()
    await expect(colleaguePage.getByText('Lantern walk is saved.')).toBeVisible()
    await page.getByLabel('Prize').fill('A lantern')
    await page.getByRole('button', { name: 'Save' }).click()
    const comparison = page.getByRole('dialog', { name: 'Someone else has changed this' })
    await expect(comparison).toContainText('Theirs A kite')
    await expect(comparison).toContainText('Yours A lantern')
    await comparison.getByRole('button', { name: 'Save my version' }).click()
    await expect(page.getByText('Lantern walk is saved.')).toBeVisible()
    await expect(page.getByLabel('Prize')).toHaveValue('A lantern')
  })
})
