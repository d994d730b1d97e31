import type { Page } from '@playwright/test'

/**
 * Finds the properties to which two classes of one element give different values with the same specificity. If the
 * classes are from style sheets of different components, only the order of imports decides which value applies.
 */
export const findStyleConflicts = (page: Page) =>
  page.evaluate(() => {
    type Rule = { selector: string; style: CSSStyleDeclaration }
    const rules: Rule[] = []
    const collectRules = (list: CSSRuleList, parent: string) => {
      for (const rule of list) {
        if (rule instanceof CSSStyleRule) {
          const selector = rule.selectorText.replaceAll('&', `:is(${parent})`)
          rules.push({ selector, style: rule.style })
          collectRules(rule.cssRules, selector)
        } else if (rule instanceof CSSMediaRule && matchMedia(rule.conditionText).matches)
          collectRules(rule.cssRules, parent)
        else if (rule instanceof CSSNestedDeclarations) rules.push({ selector: parent, style: rule.style })
      }
    }
    for (const sheet of document.styleSheets) collectRules(sheet.cssRules, '*')
    // Only selectors of one class, with or without its element's name, can conflict.
    const singleClassRules = rules.flatMap(({ selector, style }) =>
      selector
        .split(',')
        .map((selectorPart) => /^(?<tag>[a-z]*)\.(?<name>[\w-]+)$/.exec(selectorPart.trim())?.groups)
        .flatMap((groups) => (groups === undefined ? [] : [{ name: groups.name ?? '', tag: groups.tag ?? '', style }])),
    )
    const conflicts = new Set<string>()
    for (const element of document.querySelectorAll('body [class*=" "]')) {
      const matchingRules = singleClassRules.filter(
        ({ name, tag }) => element.classList.contains(name) && (tag === '' || tag === element.localName),
      )
      for (const property of new Set(matchingRules.flatMap(({ style }) => [...style]))) {
        const declaringRules = matchingRules.filter(({ style }) => style.getPropertyValue(property) !== '')
        const mostSpecificRules = declaringRules.some(({ tag }) => tag !== '')
          ? declaringRules.filter(({ tag }) => tag !== '')
          : declaringRules
        // The first four letters of a class name identify its style sheet (scripts/class-names.ts).
        const sheets = new Set(mostSpecificRules.map(({ name }) => name.slice(0, 4)))
        const values = new Set(mostSpecificRules.map(({ style }) => style.getPropertyValue(property)))
        if (sheets.size > 1 && values.size > 1)
          conflicts.add(
            `${property} of <${element.localName} class="${element.className}">: ${[...values].join(' or ')}`,
          )
      }
    }
    return [...conflicts]
  })
