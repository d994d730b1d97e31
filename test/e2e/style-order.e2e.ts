import { expect, type Page, test } from '@playwright/test'
import { openHydrated } from './hydrated.ts'

const PATHS = ['/', '/characters', '/news', '/itemshop', '/itemshop/5', '/rankings', '/events', '/ticket', '/register']

/**
 * @returns the properties for which two classes of one element, from different style sheets of components, have rules
 *   of the same weight with different values: the order of imports decides between them
 */
const findTies = (page: Page) =>
  page.evaluate(() => {
    type Rule = { selector: string; style: CSSStyleDeclaration }
    const rules: Rule[] = []
    const collect = (list: CSSRuleList, parent: string) => {
      for (const rule of list) {
        if (rule instanceof CSSStyleRule) {
          const selector = rule.selectorText.replaceAll('&', `:is(${parent})`)
          rules.push({ selector, style: rule.style })
          collect(rule.cssRules, selector)
        } else if (rule instanceof CSSMediaRule && matchMedia(rule.conditionText).matches)
          collect(rule.cssRules, parent)
        else if (rule instanceof CSSNestedDeclarations) rules.push({ selector: parent, style: rule.style })
      }
    }
    for (const sheet of document.styleSheets) collect(sheet.cssRules, '*')
    // Only selectors of one class, with or without its element's name, can tie.
    const single = rules.flatMap(({ selector, style }) =>
      selector
        .split(',')
        .map((part) => /^(?<tag>[a-z]*)\.(?<name>[\w-]+)$/.exec(part.trim())?.groups)
        .flatMap((found) => (found === undefined ? [] : [{ name: found.name ?? '', tag: found.tag ?? '', style }])),
    )
    const ties = new Set<string>()
    for (const element of document.querySelectorAll('body [class*=" "]')) {
      const matching = single.filter(
        ({ name, tag }) => element.classList.contains(name) && (tag === '' || tag === element.localName),
      )
      for (const property of new Set(matching.flatMap(({ style }) => [...style]))) {
        const setting = matching.filter(({ style }) => style.getPropertyValue(property) !== '')
        const heaviest = setting.some(({ tag }) => tag !== '') ? setting.filter(({ tag }) => tag !== '') : setting
        const sheets = new Set(heaviest.map(({ name }) => name.slice(0, 4)))
        const values = new Set(heaviest.map(({ style }) => style.getPropertyValue(property)))
        if (sheets.size > 1 && values.size > 1)
          ties.add(`${property} of <${element.localName} class="${element.className}">: ${[...values].join(' or ')}`)
      }
    }
    return [...ties]
  })

test('no style of a shared part and of its user depends on the order of imports', async ({ page }) => {
  for (const path of PATHS)
    await test.step(path, async () => {
      await openHydrated(page, path)
      for (const size of [
        { width: 360, height: 800 },
        { width: 1440, height: 900 },
      ]) {
        await page.setViewportSize(size)
        expect.soft(await findTies(page), `${path} at ${size.width} px`).toEqual([])
      }
    })
})
