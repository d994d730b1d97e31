import { expect, test } from '@playwright/test'
import { DESKTOP, openDesk, PHONE } from './desk.ts'
import { expectGoodScreen } from './good-screen.ts'

for (const size of [PHONE, DESKTOP])
  test(`the page Game says that there is no bridge, and pairs one with a code that is shown once, at ${size.width} px`, async ({
    page,
  }) => {
    await page.setViewportSize(size)
    await openDesk(page, '/game', 'Game')
    await expect(page.getByText('Purchases wait here until a bridge is paired.')).toBeVisible()
    await expectGoodScreen(page)
    await page.getByRole('button', { name: 'Pair a bridge' }).click()
    const dialog = page.getByRole('dialog', { name: 'Pair a bridge' })
    await expect(dialog.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/)).toBeVisible()
    await expectGoodScreen(page)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect(dialog).toBeHidden()
  })
