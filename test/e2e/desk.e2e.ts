import { expect, test } from '@playwright/test'
import { DESKTOP, openDesk, PHONE } from './desk.ts'
import { expectAccessible, expectGoodScreen } from './good-screen.ts'
import { storeSession } from './log-in.ts'

test('the desk sends guests to log in and back, and lets no player in', async ({ page }) => {
  await page.goto('/admin/staff')
  await expect(page).toHaveURL('/login?next=%2Fadmin%2Fstaff')
  const card = page.getByRole('main').locator('form')
  await card.getByLabel('User ID').fill('gm')
  await card.getByLabel('Password', { exact: true }).fill('gm-demo-1')
  await card.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Staff' })).toBeVisible()
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/login/)
  await storeSession(page, 'juan')
  await page.goto('/admin/staff')
  await expect(page.getByRole('heading', { name: 'This is the staff entrance' })).toBeVisible()
  await expectGoodScreen(page)
})

test('screens open from the menu, by keys and from the palette, and shortcuts do nothing in fields', async ({
  page,
}) => {
  await page.setViewportSize(DESKTOP)
  await openDesk(page, '/audit', 'Audit log')
  await expect(page).toHaveTitle('Audit log | Desk')
  await expectAccessible(page)
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Staff' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Staff' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await expect(page.getByRole('heading', { level: 1, name: 'Approvals' })).toBeVisible()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search the desk' })
  await expectGoodScreen(page)
  await palette.getByRole('combobox').fill('audit')
  await expect(palette.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Audit log' })).toBeVisible()
  await expect(palette).toBeHidden()
  await page.getByLabel('Player').fill('ga?')
  await expect(page.getByRole('heading', { level: 1, name: 'Audit log' })).toBeVisible()
  await expect(page).toHaveURL(/player=ga/)
  await expect(page.getByText('Nothing found')).toBeVisible()
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await expect(page).toHaveURL('/admin/audit')
  const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row')
  await expect(rows.nth(2)).toBeVisible()
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('j')
  await expect(rows.nth(1)).toBeFocused()
  await page.keyboard.press('j')
  await expect(rows.nth(2)).toBeFocused()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
})

test('the menu of the desk fits a window of 1440×900 whichever group is open', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const menu = page.getByRole('navigation', { name: 'Screens' })
  await openDesk(page, '', 'Today')
  await expect(menu.getByRole('link', { name: 'Vouchers' })).toBeVisible()
  expect(await menu.evaluate((menuElement) => menuElement.scrollHeight - menuElement.clientHeight)).toBeLessThanOrEqual(
    0,
  )
  await page.goto('/admin/health')
  await expect(menu.getByRole('link', { name: 'Backups' })).toBeVisible()
  expect(await menu.evaluate((menuElement) => menuElement.scrollHeight - menuElement.clientHeight)).toBeLessThanOrEqual(
    0,
  )
  await page.keyboard.press('g')
  await page.keyboard.press('Shift+R')
  await expect(page.getByRole('heading', { level: 1, name: 'Rewards' })).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Vouchers' })).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Backups' })).toBeHidden()
})

test('a click or Enter on a group of the menu opens the group and its first screen', async ({ page }) => {
  await page.setViewportSize(DESKTOP)
  await openDesk(page, '', 'Today')
  const menu = page.getByRole('navigation', { name: 'Screens' })
  const findGroup = (name: string) => menu.locator('summary', { hasText: name })
  const findFirstLink = (name: string) => menu.getByRole('group').filter({ hasText: name }).getByRole('link').first()
  await expect(menu.getByRole('link', { name: 'Players' })).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Vouchers' })).toBeVisible()
  await findGroup('Content').click()
  await expect(findFirstLink('Content')).toHaveAttribute('aria-current', 'page')
  await expect(menu.getByRole('link', { name: 'Vouchers' })).toBeHidden()
  await findGroup('People').focus()
  await page.keyboard.press('Enter')
  await expect(findFirstLink('People')).toHaveAttribute('aria-current', 'page')
  await findGroup('People').click()
  await expect(findFirstLink('People')).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: 'Players' })).toBeVisible()
})

test('on a phone a role is made after a password prompt, and a conflict keeps both versions', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openDesk(page, '/staff', 'Staff')
  await expectGoodScreen(page)
  await page.getByRole('navigation', { name: 'Quick links' }).getByRole('button', { name: 'Menu' }).click()
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await expectGoodScreen(page)
  // The link that leaves the desk must not be mistaken for the screen Site.
  await menu.getByRole('button', { name: 'Content' }).click()
  await expect(menu.getByRole('link', { name: 'Site', exact: true })).toHaveAttribute('href', '/admin/site')
  await menu.getByRole('button', { name: 'Content' }).click()
  await menu.getByRole('button', { name: 'Team' }).click()
  await menu.getByRole('link', { name: 'Audit log' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Audit log' })).toBeVisible()
  await expect(menu).toBeHidden()
  await page.goto('/admin/staff/roles/new')
  await page.getByRole('button', { name: 'Create the role' }).click()
  await expect(page.getByText('Give the role a name.')).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill('Streamers')
  await page.getByLabel('Short name').fill('streamers')
  await page.getByLabel('See drafts').check()
  await page.route(
    '**/api/admin/roles/save',
    (route) => route.fulfill({ status: 403, json: { error: 'Confirm.', message: 'Confirm.', reason: 'sudo' } }),
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Create the role' }).click()
  const passwordDialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await passwordDialog.getByLabel('Password', { exact: true }).fill('wrong-password')
  await expectGoodScreen(page)
  await page.keyboard.press('Enter')
  await expect(passwordDialog.getByText('incorrect')).toBeVisible()
  await passwordDialog.getByLabel('Password', { exact: true }).fill('gm-demo-1')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Streamers' }).click()

  const token = await page.evaluate(() => localStorage.getItem('ACCESS_TOKEN'))
  const otherRole = { role: 'streamers', name: 'Streams', permissions: ['news.read'], version: 1 }
  await page.request.post('/api/admin/roles/save', { data: otherRole, headers: { Authorization: `Bearer ${token}` } })
  await page.getByLabel('Name', { exact: true }).fill('Streamers of the season')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const conflictDialog = page.getByRole('dialog', { name: 'Someone else has changed this' })
  await expect(conflictDialog).toContainText('Theirs Streams')
  await expect(conflictDialog).toContainText('Yours Streamers of the season')
  await expectGoodScreen(page)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Staff', exact: true }).first().click()
  await page
    .getByRole('dialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Keep editing' })
    .click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await conflictDialog.getByRole('button', { name: 'Save mine' }).click()
  await expect(page.getByRole('link', { name: 'Streamers of the season' })).toBeVisible()

  await page.goto('/admin/audit')
  await expect(page.getByRole('list', { name: 'Audit log' }).getByText('Save role').first()).toBeVisible()
  await expectGoodScreen(page)
})

test('the password dialog opens above another dialog, and is accessible there', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openDesk(page, '/staff', 'Staff')
  await page.route(
    '**/api/admin/roles/delete',
    (route) => route.fulfill({ status: 403, json: { error: 'Confirm.', message: 'Confirm.', reason: 'sudo' } }),
    { times: 1 },
  )
  const token = await page.evaluate(() => localStorage.getItem('ACCESS_TOKEN'))
  const role = { role: 'short-lived', name: 'Short-lived', permissions: ['news.read'], version: null }
  await page.request.post('/api/admin/roles/save', { data: role, headers: { Authorization: `Bearer ${token}` } })
  await page.goto('/admin/staff/roles/short-lived')
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete it' }).click()
  const passwordDialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await passwordDialog.getByLabel('Password', { exact: true }).fill('gm-demo-1')
  await expectAccessible(page)
  await passwordDialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('Deleted.')).toBeVisible()
})

test('a screen with several forms is not left while any of them is unsaved', async ({ page }) => {
  await page.setViewportSize(DESKTOP)
  await openDesk(page, '/settings', 'Settings')
  const forms = page.getByRole('main').getByRole('form')
  await expect(forms.nth(1)).toBeVisible()
  const [firstInput, lastInput] = [
    forms.first().locator('input[type="text"]'),
    forms.last().locator('input[type="text"]'),
  ]
  const savedValue = await firstInput.first().inputValue()
  await firstInput.first().fill('12345')
  await lastInput.first().focus()
  const menu = page.getByRole('navigation', { name: 'Screens' })
  await menu.getByText('Team').click()
  const leaveDialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  await leaveDialog.getByRole('button', { name: 'Keep editing' }).click()
  await expect(firstInput.first()).toHaveValue('12345')
  await firstInput.first().fill(savedValue)
  await menu.getByRole('link', { name: 'Staff' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Staff' })).toBeVisible()
})

test('on a phone each group of settings is a page, and a search finds a setting in any of them', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openDesk(page, '/settings', 'Settings')
  const forms = page.getByRole('main').getByRole('form')
  await expect(page.getByRole('link', { name: 'Forum' })).toBeVisible()
  await expect(forms.first()).toBeHidden()
  await page.getByRole('navigation', { name: 'Groups of settings' }).getByRole('link', { name: 'Accounts' }).click()
  await expect(page.getByLabel('Registration is open')).toBeVisible()
  await expectGoodScreen(page)
  await page.getByLabel('Find a setting').fill('email copies')
  await expect(page.getByLabel('Email copies after')).toBeVisible()
  await expect(page.getByLabel('Registration is open')).toBeHidden()
})

test('the desk follows the color scheme of the device until the operator chooses one', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize(DESKTOP)
  await openDesk(page, '/settings', 'Settings')
  const readScheme = () => page.evaluate(() => document.documentElement.dataset.scheme)
  expect(await readScheme()).toBe('dark')
  await expect(page.getByLabel('Registration is open')).toBeVisible()
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(readScheme).toBe('light')
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Colors: Device setting/ }).click()
  await page.getByRole('button', { name: /^Colors: Light/ }).click()
  await expect.poll(readScheme).toBe('dark')
  await page.reload()
  await expect(page.getByRole('button', { name: /^Colors: Dark/ })).toBeVisible()
  expect(await readScheme()).toBe('dark')
})
