import { type Browser, expect, test } from '@playwright/test'
import { DESKTOP, PHONE } from './desk.ts'
import { expectGoodScreen } from './good-screen.ts'
import { storeSession } from './log-in.ts'
import { startSeparateSite } from './start-site.ts'

/** Opens an operator's browser on a separate site, because the test makes a player an operator. */
async function openAs(browser: Browser, baseURL: string, userId: 'juan' | 'gm', viewport: typeof PHONE) {
  const context = await browser.newContext({ baseURL, viewport, reducedMotion: 'reduce' })
  await storeSession(context, userId)
  return context.newPage()
}

test('a balance change above the limit waits, and another operator’s approval makes it once', async ({ browser }) => {
  const { origin, stop } = await startSeparateSite()
  const owner = await openAs(browser, origin, 'gm', DESKTOP)
  await owner.goto('/admin/staff?invite=1')
  await owner.getByLabel('User ID').fill('juan')
  await owner.getByLabel('Role').selectOption({ label: 'Shop' })
  await owner.getByRole('button', { name: 'Invite', exact: true }).click()
  const juan = await openAs(browser, origin, 'juan', PHONE)
  await juan.goto('/admin')
  await juan.getByLabel('Password', { exact: true }).fill('juan-demo-1')
  await juan.getByRole('button', { name: 'Accept' }).click()
  await expect(juan.getByRole('navigation', { name: 'Quick links' })).toBeVisible()
  await owner.goto('/admin/players?q=juan')
  await owner.getByRole('link', { name: 'juan Staff', exact: true }).click()
  await expect(owner.getByText('juan is staff: ')).toBeVisible()
  await expectGoodScreen(owner)

  await juan.goto('/admin/players?q=maria')
  await juan.getByRole('link', { name: 'maria', exact: true }).click()
  await juan.getByRole('button', { name: 'Change a balance' }).click()
  await juan.getByLabel('Amount').fill('150,000')
  await juan.getByLabel('Reason').fill('First prize of the fiesta')
  await juan.getByRole('button', { name: 'Change the balance' }).click()
  await juan.locator('[data-sonner-toast]').getByRole('link', { name: 'Approvals' }).click()
  await expect(juan.getByRole('heading', { level: 1, name: 'Approvals' })).toBeVisible()
  await expect(juan.getByRole('button', { name: 'Withdraw' })).toBeVisible()
  await expect(juan.getByRole('button', { name: 'Approve' })).toHaveCount(0)
  await expectGoodScreen(juan)

  await owner.goto('/admin/approvals?state=waiting')
  await owner.getByText('All the details').click()
  await expect(owner.getByText('First prize of the fiesta')).toBeVisible()
  await expectGoodScreen(owner)
  await owner.getByRole('button', { name: 'Approve' }).click()
  const dialog = owner.getByRole('dialog', { name: 'Approve this?' })
  await expectGoodScreen(owner)
  await dialog.getByRole('button', { name: 'Approve and do it now' }).click()
  await expect(dialog).toBeHidden()
  await owner.goto('/admin/approvals?state=done')
  await expect(owner.getByText('Decided by')).toBeVisible()
  await owner.goto('/admin/players?q=maria')
  await owner.getByRole('link', { name: 'maria', exact: true }).click()
  await expect(owner.getByText('150,000').first()).toBeVisible()

  await juan.reload()
  await expect(juan.getByRole('list', { name: 'Approvals' }).getByText('Done', { exact: true })).toBeVisible()
  await expectGoodScreen(juan)

  // A form closes without a prompt when its change waits for an approval.
  await juan.goto('/admin/items/1')
  await juan.getByLabel('Number in the game').fill('4711')
  await juan.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(juan.getByText('Another operator has to approve this first.')).toBeVisible()
  await expect(juan).toHaveURL(/\/admin\/items$/)
  await stop()
})
