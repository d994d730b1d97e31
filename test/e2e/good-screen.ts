import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']

/** Whether every page is opened and axe examines every screen, and not only one of each kind (`npm run test:drills`). */
export const IS_DRILL = process.env.PAGE_DRILL === '1'

/**
 * Expects that nothing scrolls sideways. In a drill, axe examines the screen too.
 *
 * @param without parts that axe leaves out, as selectors
 */
export async function expectGoodScreen(page: Page, without: string[] = []): Promise<void> {
  if (IS_DRILL) return expectAccessible(page, without)
  await expectNothingSideways(page)
}

/** Expects the same on a phone and on a desktop. */
export async function expectGoodPage(page: Page, without: string[] = []): Promise<void> {
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expectGoodScreen(page, without)
  }
}

/**
 * Expects that axe finds nothing serious on the screen and that nothing scrolls sideways. It costs a second, so one screen of
 * each kind has it.
 *
 * @param without parts that axe leaves out, as selectors
 */
export async function expectAccessible(page: Page, without: string[] = []): Promise<void> {
  // A message that is still fading in would count as faint text.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const axe = new AxeBuilder({ page })
    // Only violations are described, and without the second page that frames of other sites would need: half the time.
    .options({ runOnly: TAGS, resultTypes: ['violations'] })
    .setLegacyMode()
  // Scripts don't run in the frame of an email, so axe would never end in it.
  for (const part of ['iframe[sandbox]', ...without]) axe.exclude(part)
  const { violations } = await axe.analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
  await expectNothingSideways(page)
}

async function expectNothingSideways(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBeLessThanOrEqual(0)
}
