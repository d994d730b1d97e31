/** Returns the text of HTML as readers see it, without tags. */
export const toPlainText = (html: string): string =>
  html
    .replace(/<[^>]+>/g, '')
    .replace(/&#x([0-9a-f]+);/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim()

/** Returns the content of every element with a name. For nested elements, it ends at the first closing tag. */
export const findInnerHtml = (html: string, name: string): string[] =>
  [...html.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>(.*?)</${name}>`, 'gs'))].map(([, innerHtml = '']) => innerHtml)

/** Returns the texts of every element with a name. */
export const findTexts = (html: string, name: string): string[] => findInnerHtml(html, name).map(toPlainText)
