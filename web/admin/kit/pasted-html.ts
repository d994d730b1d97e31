/** Prepares HTML that an author pastes into the desk's editor, for example from Word. */

/** The HTML for the editor, and a sentence for each kind of removed content. */
type PreparedHtml = { html: string; notes: string[] }

/** A list item, extracted from a word processor's markup. */
type Item = { element: Element; level: number; isOrdered: boolean; start: number }

/** The style of the span in which Word writes an item's bullet or number. */
const MARKER = '[style*="mso-list:Ignore" i], [style*="mso-list: Ignore" i]'

/**
 * A number that Word writes before an item: "1.", "a)", "(iv)". A bullet can also be a letter, "o", but no
 * character follows it.
 */
const ITEM_NUMBER = /^\(?(\d{1,4}|[a-z]|[ivxlcdm]{1,6})[.)]/i

/**
 * Converts the lists of Word to HTML lists, and removes pictures and links that would not work for readers.
 *
 * @param html from the clipboard
 */
export function preparePastedHtml(html: string): PreparedHtml {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const element of body.querySelectorAll('style, script, meta, link, title, xml')) element.remove()
  convertLists(body)
  const notes = [removePictures(body), ...removeLinks(body)].filter((note) => note !== null)
  return { html: body.innerHTML, notes }
}

/** Converts each run of Word's list items to a nested HTML list. */
function convertLists(body: HTMLElement): void {
  // Word on the web wraps each item in a separate list and division.
  for (const wrapper of body.querySelectorAll('.ListContainerWrapper')) wrapper.replaceWith(...wrapper.childNodes)
  const blocks = [...body.querySelectorAll('p, ul, ol')]
  const convertedBlocks = new Set<Element>()
  for (const firstBlock of blocks) {
    if (convertedBlocks.has(firstBlock) || !body.contains(firstBlock)) continue
    const runBlocks = [firstBlock]
    if (readItems(firstBlock).length === 0) continue
    for (
      let next = firstBlock.nextElementSibling;
      next !== null && readItems(next).length > 0;
      next = next.nextElementSibling
    )
      runBlocks.push(next)
    for (const block of runBlocks) convertedBlocks.add(block)
    firstBlock.before(...createLists(runBlocks.flatMap(readItems)))
    for (const block of runBlocks) block.remove()
  }
}

/** Returns the list items in a block of Word; an empty list for other blocks. */
function readItems(block: Element): Item[] {
  if (block.localName === 'p') {
    const item = readParagraph(block)
    return item === null ? [] : [item]
  }
  if (block.localName !== 'ul' && block.localName !== 'ol') return []
  const items = [...block.children]
  if (!items.every((element) => element.localName === 'li' && element.hasAttribute('data-aria-level'))) return []
  const isOrdered = block.localName === 'ol'
  const start = Number(block.getAttribute('start') ?? 1)
  return items.map((element, index) => ({
    element,
    level: Number(element.getAttribute('data-aria-level')) || 1,
    isOrdered,
    start: start + index,
  }))
}

/** Reads a paragraph of Word that is a list item. Its bullet or number is text in a span. */
function readParagraph(paragraph: Element): Item | null {
  const style = paragraph.getAttribute('style') ?? ''
  const marker = paragraph.querySelector(MARKER)
  const level = /mso-list:\s*l\d+\s+level(\d)/i.exec(style)?.[1]
  if (marker === null && level === undefined) return null
  const [, number] = ITEM_NUMBER.exec(marker?.textContent?.trim() ?? '') ?? []
  return {
    element: paragraph,
    level: Number(level ?? 1),
    isOrdered: number !== undefined,
    start: /^\d+$/.test(number ?? '') ? Number(number) : 1,
  }
}

/** Builds lists, nested by level. A change between bullets and numbers starts a new list. */
function createLists(items: Item[]): Element[] {
  const lists: Element[] = []
  const openLists: { list: Element; level: number }[] = []
  for (const { element, level, isOrdered, start } of items) {
    const tag = isOrdered ? 'ol' : 'ul'
    while ((openLists.at(-1)?.level ?? 0) > level) openLists.pop()
    if (openLists.at(-1)?.level === level && openLists.at(-1)?.list.localName !== tag) openLists.pop()
    if (openLists.at(-1)?.level !== level) {
      const list = document.createElement(tag)
      if (isOrdered && start > 1) list.setAttribute('start', String(start))
      const parent = openLists.at(-1)?.list.lastElementChild
      if (parent === null || parent === undefined) lists.push(list)
      else parent.append(list)
      openLists.push({ list, level })
    }
    const item = document.createElement('li')
    const text = document.createElement('p')
    text.append(...element.childNodes)
    for (const marker of text.querySelectorAll(MARKER)) marker.remove()
    item.append(text)
    openLists.at(-1)?.list.append(item)
  }
  return lists
}

/** Removes pictures that exist only on the author's computer. Pictures from the web stay. */
function removePictures(body: HTMLElement): string | null {
  const localPictures = [...body.querySelectorAll('img')].filter(
    (picture) => !/^(https?:|\/(?!\/))/i.test(picture.getAttribute('src') ?? ''),
  )
  for (const picture of localPictures) picture.remove()
  if (localPictures.length === 0) return null
  const [subject, pronoun] =
    localPictures.length === 1 ? ['A picture was', 'it'] : [`${localPictures.length} pictures were`, 'them']
  return `${subject} left out because the file is on your computer. Upload ${pronoun} with Picture.`
}

/** Turns links that readers can't follow into plain text. */
function removeLinks(body: HTMLElement): string[] {
  const notes: string[] = []
  for (const link of body.querySelectorAll('a')) {
    const address = link.getAttribute('href')
    const href = address === null ? null : toPastedHref(address)
    if (href !== null) link.setAttribute('href', href)
    else {
      if (address !== null && link.textContent?.trim() !== '')
        notes.push(
          `“${link.textContent?.trim()}” is no longer a link: readers can’t open ${address}. Link to an https address, a page of this site or an email address.`,
        )
      link.replaceWith(...link.childNodes)
    }
  }
  return notes
}

/**
 * Returns the href of a pasted link, or null if it points to no web page. An address without a scheme is a file name.
 */
const toPastedHref = (address: string) => (/^\s*(https?:|mailto:|\/)/i.test(address) ? toHref(address) : null)

/** Returns the href for a typed address: a path of this site, an email address, or https; otherwise null. */
export function toHref(address: string): string | null {
  const text = address.trim()
  if (/^\/[^/\\\s]*/.test(text) && !text.startsWith('//')) return text
  if (/^mailto:\S+@\S+$/.test(text)) return text
  if (/^[^\s@/]+@[^\s@/]+\.\w+$/.test(text)) return `mailto:${text}`
  const url = URL.parse(/^https?:\/\//i.test(text) ? text.replace(/^http:/i, 'https:') : `https://${text}`)
  return url?.hostname.includes('.') ? url.href : null
}
