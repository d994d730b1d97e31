import { expect, test } from '@playwright/test'
import sharp from 'sharp'
import { DESKTOP, expectDraftSaved, openDesk, PHONE, passSaveDelay } from './desk.ts'
import { expectAccessible, expectGoodScreen } from './good-screen.ts'

const drawPicture = async () => ({
  name: 'night.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 900, height: 700, channels: 3, background: '#148' } })
    .png()
    .toBuffer(),
})

test('a news item with a picture is formatted by keyboard, previewed and published', async ({ page }) => {
  await page.clock.install()
  await page.setViewportSize(DESKTOP)
  await openDesk(page, '/news', 'News')
  await expectGoodScreen(page)
  await page.getByRole('button', { name: 'Write news' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'New news item' })).toBeVisible()
  await page.getByLabel('Subject').fill('Lights on the rooftop')
  const text = page.getByRole('textbox', { name: 'Text' })
  await text.click()
  await page.keyboard.press('Control+b')
  await page.keyboard.type('Tonight')
  await page.keyboard.press('Control+b')
  await page.keyboard.type(' the lamps go on.')
  await page.keyboard.press('Enter')
  await page.keyboard.type('- bring a friend')
  await page.getByRole('button', { name: 'Link' }).click()
  const link = page.getByRole('dialog', { name: 'Link' })
  for (const [typedText, message] of [
    ['the download', 'Invalid URL'],
    ['gm@', 'Invalid email address'],
  ] as const) {
    await link.getByLabel('Link to').fill(typedText)
    await page.keyboard.press('Enter')
    await expect(link.getByText(message)).toBeVisible()
  }
  await link.getByLabel('Link to').fill('/download')
  await page.keyboard.press('Enter')
  await page.getByLabel('Picture of the item').setInputFiles(await drawPicture())
  await page.getByRole('button', { name: 'Use this part' }).click()
  await expect(page.getByAltText('Picture of the item now')).toBeVisible()
  await expectDraftSaved(page)
  await expectAccessible(page)
  const [preview] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Preview' }).click(),
  ])
  await expect(preview.getByRole('heading', { name: 'Lights on the rooftop' })).toBeVisible()
  await expect(preview.getByText('Readers do not see this.')).toBeVisible()
  await preview.close()
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish now' }).click()
  await expect(page.getByText('Readers see this text.')).toBeVisible()
  await page.getByRole('link', { name: 'View on the site' }).click()
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1, name: 'Lights on the rooftop' })).toBeVisible()
  await expect(main.locator('strong', { hasText: 'Tonight' })).toBeVisible()
  await expect(main.getByRole('listitem').filter({ hasText: 'bring a friend' })).toBeVisible()
})

/** The content of the clipboard after a copy in Word, shortened. */
const FROM_WORD = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal {margin:0}</style></head><body><!--StartFragment-->
<p class=MsoNormal>What is <b>new</b>:<o:p></o:p></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-.25in;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>Lamps<o:p></o:p></p>
<p class=MsoListParagraphCxSpMiddle style='text-indent:-.25in;mso-list:l0 level2 lfo1'><![if !supportLists]><span style='font-family:"Courier New"'><span style='mso-list:Ignore'>o<span>&nbsp;&nbsp; </span></span></span><![endif]>on the rooftop<o:p></o:p></p>
<p class=MsoListParagraphCxSpLast style='text-indent:-.25in;mso-list:l0 level1 lfo1'><![if !supportLists]><span><span style='mso-list:Ignore'>·<span>&nbsp;&nbsp; </span></span></span><![endif]>Chairs<o:p></o:p></p>
<p class=MsoNormal>How to join:<o:p></o:p></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-.25in;mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>3.<span>&nbsp;&nbsp; </span></span>Come early<o:p></o:p></p>
<p class=MsoListParagraphCxSpLast style='text-indent:-.25in;mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>4.<span>&nbsp;&nbsp; </span></span>Bring a friend<o:p></o:p></p>
<p class=MsoNormal><img width=62 src="file:///C:/Users/gm/AppData/Local/Temp/msohtmlclip1/01/clip_image002.png"></p>
<p class=MsoNormal>Read <a href="http://example.com/rules">the rules</a> and <a href="file:///C:\\Users\\gm\\plan.docx">the plan</a>.<o:p></o:p></p>
<!--EndFragment--></body></html>`

/** The clipboard after a copy in Word on the web, which makes a separate list of each item. */
const FROM_WORD_ONLINE = `<div class="ListContainerWrapper"><ol start="1"><li data-aria-level="1"><p>First</p></li></ol></div>
<div class="ListContainerWrapper"><ol start="2"><li data-aria-level="1"><p>Second</p></li></ol></div>`

test('a text pasted from Word retains its lists; the editor lists lost pictures and links', async ({ page }) => {
  await page.setViewportSize(DESKTOP)
  await openDesk(page, '/news', 'News')
  await page.getByRole('button', { name: 'Write news' }).click()
  const text = page.getByRole('textbox', { name: 'Text' })
  const pasteHtml = (html: string) =>
    text.evaluate((box, pastedHtml) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/html', pastedHtml)
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, html)
  await text.click()
  await pasteHtml(FROM_WORD)
  await expect(text.locator('ul > li')).toHaveText([/^Lamps/, 'on the rooftop', 'Chairs'])
  await expect(text.locator('ul ul > li')).toHaveText(['on the rooftop'])
  await expect(text.locator('ol[start="3"] > li')).toHaveText(['Come early', 'Bring a friend'])
  await expect(text.locator('img:not(.ProseMirror-separator)')).toHaveCount(0)
  await expect(text.getByRole('link')).toHaveText(['the rules'])
  await expect(text.getByRole('link')).toHaveAttribute('href', 'https://example.com/rules')
  await expect(page.getByText(/^A picture was left out because the file is on your computer\./)).toBeVisible()
  await expect(page.getByText(/^“the plan” is no longer a link/)).toBeVisible()
  await expectGoodScreen(page)

  await text.press('Control+a')
  await pasteHtml(FROM_WORD_ONLINE)
  await expect(text.locator('ol > li')).toHaveText(['First', 'Second'])
  await expect(text.locator('ol')).toHaveCount(1)
  await expect(page.getByText(/is no longer a link/)).toHaveCount(0)

  await text.press('Control+a')
  await page.keyboard.type('See http://example.com/map now')
  await expect(text.getByRole('link')).toHaveAttribute('href', 'https://example.com/map')
})

test('on a phone an item is scheduled and unscheduled; neither of two editors loses a text', async ({
  page,
  context,
}) => {
  await page.clock.install()
  await page.setViewportSize(PHONE)
  await openDesk(page, '/news', 'News')
  await expectGoodScreen(page)
  await page.getByRole('button', { name: 'Write news' }).click()
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish now' }).click()
  await expect(page.getByText('Give it a subject.').first()).toBeVisible()
  await page.getByLabel('Subject').fill('Typhoon drill')
  await expect(page.getByText('Give it a subject.')).toHaveCount(0)
  await page.getByRole('textbox', { name: 'Text' }).fill('Everybody under the tables.')
  await expectDraftSaved(page)

  const otherPage = await context.newPage()
  await openDesk(otherPage, new URL(page.url()).pathname.slice('/admin'.length), 'Typhoon drill')
  await otherPage.getByLabel('Subject').fill('Typhoon drill at nine')
  await expectDraftSaved(otherPage)
  await otherPage.close()
  await page.getByLabel('Subject').fill('Typhoon drill at ten')
  await passSaveDelay(page)
  const conflictDialog = page.getByRole('dialog', { name: 'Someone else has edited this' })
  await expect(conflictDialog).toBeVisible()
  await expectGoodScreen(page)
  await conflictDialog.getByRole('button', { name: 'Keep my text' }).click()
  await expectDraftSaved(page)
  await expect(page.getByText('Typhoon drill at nine', { exact: true })).toBeVisible()
  await expectGoodScreen(page)

  await page.getByLabel('Appears').fill('2099-01-01T08:00')
  await page.getByRole('button', { name: 'Schedule' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Schedule' }).click()
  await expect(page.getByText('Scheduled', { exact: true }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Unschedule' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unschedule' }).click()
  await expect(page.getByText('Draft', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Trash', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Trash' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'News' })).toBeVisible()
})
