import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { DESKTOP, openDesk, PHONE } from './desk.ts'
import { expectAccessible, expectGoodScreen } from './good-screen.ts'

test('items are added, hidden, duplicated and moved, and the shop and the preview show each change', async ({
  page,
}) => {
  await test.step('on a phone an item is added, put on sale and hidden, and the shop shows each change', async () => {
    await page.setViewportSize(PHONE)
    await openDesk(page, '/items', 'Items')
    await expect(page.getByRole('list', { name: 'Items' }).getByRole('listitem').first()).toBeVisible()
    await expectGoodScreen(page)
    await page.getByRole('link', { name: 'Add an item' }).click()
    await page.getByRole('button', { name: 'Add the item' }).click()
    await expect(page.getByText('Give the item a name.')).toBeVisible()
    await page.getByLabel('Name', { exact: true }).fill('Parol of tests')
    for (const typedPrice of ['5.00', '99.50', '-5']) {
      await page.getByLabel('Price', { exact: true }).fill(typedPrice)
      await page.getByRole('button', { name: 'Add the item' }).click()
      await expect(page.getByText('Enter a whole number such as 1500.')).toBeVisible()
      await expect(page.getByLabel('Price', { exact: true })).toHaveValue(typedPrice)
    }
    await page.getByLabel('Price', { exact: true }).fill('500')
    await page.getByLabel('Description').fill('A star of paper.')
    await page.getByLabel('Sale price').fill('600')
    await page.getByRole('button', { name: 'Add the item' }).click()
    await expect(page.getByText('The sale price must be below the price.')).toBeVisible()
    await page.getByLabel('Sale price').fill('400')
    await page.getByLabel('Sale ends').fill('2099-12-24T18:00')
    await page.getByRole('button', { name: 'Add the item' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Parol of tests' })).toBeVisible()
    await expect(page.getByText('On sale', { exact: true })).toBeVisible()
    await expectAccessible(page)
    const address = page.url().replace('/admin/items/', '/itemshop/')
    await page.goto(address)
    const main = page.getByRole('main')
    await expect(main.getByText('400.00').first()).toBeVisible()
    await expect(main.locator('del').first()).toHaveText('instead of 500.00')
    await expect(main.getByText('Until Thu 24 Dec, 18:00').first()).toBeVisible()
    await page.goBack()
    await page.getByRole('button', { name: 'Hide it' }).click()
    await expect(page.getByRole('button', { name: 'Show it' })).toBeVisible()
    expect((await page.request.get(address)).status()).toBe(404)
  })
  await test.step('the preview follows the form; a duplicate has the same game number; selected items move', async () => {
    await page.setViewportSize(DESKTOP)
    await openDesk(page, '/items?q=midnight%20mami', 'Items')
    await page.getByRole('link', { name: 'Midnight mami' }).click()
    await page.getByRole('link', { name: 'Duplicate' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'New item' })).toBeVisible()
    const productNum = new URL(page.url()).searchParams.get('copy') ?? ''
    await expect(page.getByLabel('Number in the game')).toHaveValue(productNum)
    const preview = page.getByRole('figure').filter({ hasText: 'Preview' })
    await page.getByLabel('Name', { exact: true }).fill('Early mami')
    await page.getByLabel('Price', { exact: true }).fill('45')
    await page.getByLabel('Sale price').fill('40')
    await page.getByLabel('Ribbon text').fill('HOT')
    await expect(preview).toContainText('Early mami')
    await expect(preview).toContainText('45.00')
    await expect(preview).toContainText('40.00')
    await expect(preview).toContainText('HOT')
    await expectGoodScreen(page)
    await page.getByRole('button', { name: 'Add the item' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Early mami' })).toBeVisible()

    await page.goto('/admin/items?q=early%20mami')
    await page.getByRole('checkbox', { name: 'Tick this row' }).check()
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByRole('dialog').getByLabel('To the category').selectOption('Rides')
    await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click()
    await expect(page.getByText('1 item moved to “Rides”.')).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: 'Early mami' })).toContainText('Rides')
  })
  await test.step('the last item of a category, which other items follow, moves to the end of the shop', async () => {
    await page.goto('/admin/items?q=parol%20of%20tests')
    await page.getByRole('link', { name: 'Parol of tests' }).click()
    const position = page.getByLabel(/^Position in /)
    await expect(position.locator('option:checked')).toHaveText(/^last in /)
    await position.selectOption('at the end of the shop')
    await expect(page.getByText('Moved.')).toBeVisible()
    await expect(position.locator('option:checked')).toHaveText(/^last in /)
  })
})

test('prices change as previewed; a CSV file adds items; categories are reordered', async ({ page }) => {
  await page.setViewportSize(DESKTOP)
  await openDesk(page, '/items?q=capiz', 'Items')
  await page.getByRole('checkbox', { name: 'Tick this row' }).first().check()
  await expectGoodScreen(page)
  await page.getByRole('link', { name: 'Change prices' }).last().click()
  await page.getByLabel('Change', { exact: true }).selectOption('price')
  await page.getByLabel('Percent').fill('10')
  await page.getByRole('button', { name: 'Preview the changes' }).click()
  await expect(page.getByText('1 item changes.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Change 1' }).click()
  await page.getByRole('button', { name: 'Change them' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Items' })).toBeVisible()

  await page.goto('/admin/items/csv')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download all items' }).click(),
  ])
  const text = await readFile(await download.path(), 'utf8')
  const head = text.split('\r\n', 1)[0] ?? ''
  const chooseCsv = (csv: string) =>
    page.getByLabel('CSV file').setInputFiles({ name: 'items.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await chooseCsv(`${head}\r\n,Kite of tests,Nowhere,R-Coin,0,x${','.repeat(11)}no`)
  await expect(page.getByText('There is no category “Nowhere”.')).toBeVisible()
  await chooseCsv('product_num,item_name,category,currency,price\n,Kite of tests,Rides,R-Coin,750')
  await page.getByRole('button', { name: 'Import 1' }).click()
  await expect(page.getByText('0 items changed, 1 item added.')).toBeVisible()

  await page.goto('/admin/items/categories')
  await page.getByRole('button', { name: 'Move Rides up' }).click()
  await expect(page.getByRole('button', { name: 'Move Rides up' })).toBeDisabled()
  await expectGoodScreen(page)
  await page.getByRole('button', { name: 'Move Rides down' }).click()
  await expect(page.getByRole('button', { name: 'Move Rides up' })).toBeEnabled()
})
