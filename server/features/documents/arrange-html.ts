/** Formats a cell's text as an attribute. Sanitized HTML has no bare brackets, and quotes are escaped here. */
const toAttribute = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('"', '&quot;')
    .trim()
/** Removes the paragraph that the editor writes around the text of each cell. */
const unwrapParagraph = (html: string) => /^<p>((?:(?!<p>).)*)<\/p>$/s.exec(html)?.[1] ?? html

const splitCells = (row: string) =>
  [...row.matchAll(/<(t[hd])[^>]*>(.*?)<\/\1>/gs)].map(([, tag, html = '']) => ({ tag, html: unwrapParagraph(html) }))

/**
 * Prepares a table for pages: adds a head, a header for each row and, for phones, the column's title to each cell. Tables
 * with merged cells or nested tables stay unchanged.
 */
function arrangeTable(html: string, caption: string | undefined, table: string): string {
  if (/<table|(?:col|row)span="(?!1")/.test(table)) return html
  const [columns = [], ...rows] = [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) => splitCells(row))
  if (rows.length === 0 || columns.some(({ tag }) => tag !== 'th')) return html
  const head = columns.map(({ html }) => `<th scope="col" role="columnheader">${html}</th>`).join('')
  const body = rows.map(([firstCell, ...cells]) => {
    const rowHeader = `<th scope="row" role="rowheader">${firstCell?.html ?? ''}</th>`
    const cellTags = cells.map(
      ({ html }, index) => `<td role="cell" data-column="${toAttribute(columns[index + 1]?.html ?? '')}">${html}</td>`,
    )
    return `<tr role="row">${rowHeader}${cellTags.join('')}</tr>`
  })
  const title = caption === undefined ? '' : `<caption>${caption}</caption>`
  return `<table role="table">${title}<thead role="rowgroup"><tr role="row">${head}</tr></thead><tbody role="rowgroup">${body.join('')}</tbody></table>`
}

/**
 * Prepares sanitized HTML for pages. A small heading directly above a table becomes the table's title, a paragraph in
 * `<small>` a note, and `<code>` a key of the keyboard. Marks links to other sites as opening a new tab.
 */
export const arrangeHtml = (html: string): string =>
  html
    .replace(/(?:<h3>((?:(?!<\/?h3>).)*)<\/h3>\s*)?<table>(.*?)<\/table>/gs, arrangeTable)
    .replace(/<p><small>((?:(?!<\/?small>).)*)<\/small><\/p>/gs, '<p data-note="">$1</p>')
    .replace(/<(\/?)code>/g, '<$1kbd>')
    .replace(/<(ul|ol( start="\d+")?)>/g, '<$1 role="list">')
    .replace(
      /(<a [^>]*target="_blank"[^>]*>)(.*?)<\/a>/gs,
      '$1$2<span class="visually-hidden"> (opens in a new tab)</span></a>',
    )
