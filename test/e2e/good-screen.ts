import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']

/**
 * Nothing that axe calls serious is on the screen, and nothing scrolls sideways.
 *
 * @param without parts that axe need not look at, as selectors
 */
export async function expectGoodScreen(page: Page, without: string[] = []): Promise<void> {
  // A message that is still fading in would count as faint text.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const axe = new AxeBuilder({ page })
    // Only what is wrong is described, and without the second page that frames of other sites would need: half the time.
    .options({ runOnly: TAGS, resultTypes: ['violations'] })
    .setLegacyMode()
  // Nothing runs in the frame of a mail, so axe would wait in it for ever.
  for (const part of ['iframe[sandbox]', ...without]) axe.exclude(part)
  const { violations } = await axe.analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBeLessThanOrEqual(0)
}

/** The same on a phone and on a desktop. */
export async function expectGoodPage(page: Page, without: string[] = []): Promise<void> {
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expectGoodScreen(page, without)
  }
}
