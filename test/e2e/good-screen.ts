import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const WCAG_TAGS = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']

/** Whether all pages are opened and axe examines every screen, instead of one of each kind (`npm run test:drills`). */
export const IS_DRILL = process.env.PAGE_DRILL === '1'

/**
 * Expects that nothing scrolls sideways. In a drill, axe also examines the screen.
 *
 * @param excludedSelectors selectors of parts that axe skips
 */
export async function expectGoodScreen(page: Page, excludedSelectors: string[] = []): Promise<void> {
  if (IS_DRILL) return expectAccessible(page, excludedSelectors)
  await expectNoSidewaysScroll(page)
}

/** Expects a good screen at the widths of a phone and of a desktop. */
export async function expectGoodPage(page: Page, excludedSelectors: string[] = []): Promise<void> {
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expectGoodScreen(page, excludedSelectors)
  }
}

/**
 * Expects that axe finds nothing serious and that nothing scrolls sideways. It takes a second, so outside of drills
 * only one screen of each kind is examined.
 *
 * @param excludedSelectors selectors of parts that axe skips
 */
export async function expectAccessible(page: Page, excludedSelectors: string[] = []): Promise<void> {
  // Axe would report the faint text of a message that is fading in.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const axe = new AxeBuilder({ page })
    // Describes only violations, and opens no second page for frames of other sites, which takes half the time.
    .options({ runOnly: WCAG_TAGS, resultTypes: ['violations'] })
    .setLegacyMode()
  // Scripts do not run in the frame of an email, so axe would wait for it forever.
  for (const selector of ['iframe[sandbox]', ...excludedSelectors]) axe.exclude(selector)
  const { violations } = await axe.analyze()
  const seriousViolations = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(seriousViolations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
  await expectNoSidewaysScroll(page)
}

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBeLessThanOrEqual(0)
}
