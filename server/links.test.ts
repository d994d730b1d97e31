import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '#test/helpers.ts'
import { toPlainText } from '#test/html.ts'

// These tests follow every link of every page, starting at the home page, like a visitor without scripts.
const APP = 'Tambayan Online'
const site = await createTestApp({ pages: true, env: { RATE_LIMIT: 'off' } })

type Page = { path: string; from: string; status: number; type: string; html: string }
type Anchor = { href: string; target: string | undefined; rel: string | undefined }

function readAttributes(tag: string): Record<string, string | undefined> {
  return Object.fromEntries(
    [...tag.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name, value = '']) => [name, toPlainText(value)]),
  )
}

/** Finds the tags with a name in the document's body, except in scripts. */
function findTags(html: string, names: string): Record<string, string | undefined>[] {
  const body = html.slice(html.indexOf('<body')).replace(/<script\b[^>]*>.*?<\/script>/gs, '')
  return [...body.matchAll(new RegExp(`<(?:${names})\\s[^>]*>`, 'g'))].map(([tag]) => readAttributes(tag))
}

const findAnchors = (html: string): Anchor[] =>
  findTags(html, 'a').flatMap(({ href, target, rel }) => (href === undefined ? [] : [{ href, target, rel }]))

const removeHash = (href: string) => href.replace(/#.*$/, '')

/** The number of followed pages of a kind. Pages whose addresses differ only in numbers have the same structure. */
const FOLLOWED_PAGES_PER_KIND = 6
const getPageKind = (path: string) => path.replaceAll(/\d+/g, 'N')

/** Returns whether an address combines several filters of a board or of the home page. They are not followed. */
const combinesFilters = (path: string) => /^\/(rankings|\?)/.test(path) && path.split('&').length > 1

async function crawl(): Promise<Map<string, Page>> {
  const pages = new Map<string, Page>()
  const followedCounts = new Map<string, number>()
  const queue: { path: string; from: string }[] = [{ path: '/', from: 'the address bar' }]
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const kind = getPageKind(next.path)
    const kindCount = followedCounts.get(kind) ?? 0
    if (pages.has(next.path) || combinesFilters(next.path) || kindCount === FOLLOWED_PAGES_PER_KIND) continue
    followedCounts.set(kind, kindCount + 1)
    const { status, headers, text } = await site.get(next.path)
    const type = headers.get('content-type') ?? ''
    pages.set(next.path, { ...next, status, type, html: type.startsWith('text/html') ? text : '' })
    for (const { href } of findAnchors(text)) {
      if (href.startsWith('/') && !href.startsWith('//')) queue.push({ path: removeHash(href), from: next.path })
    }
  }
  return pages
}

const pages = await crawl()
const documents = [...pages.values()].filter(({ html }) => html !== '')

test('every link of every page answers 200', () => {
  const brokenPages = [...pages.values()].filter(({ status }) => status !== 200)
  assert.deepEqual(
    brokenPages.map(({ path, status, from }) => `${path} (${status}), linked from ${from}`),
    [],
  )
  assert.ok(documents.length > 200, `only ${documents.length} pages were found`)
})

/** Addresses that open a dialog over a page; their title is that of the dialog. */
const DIALOG_ADDRESS = /^\/(instructions\?part|gallery\?picture)=/

test('every linked page has one main heading, which is its title', () => {
  const wrongTitles = documents.flatMap(({ path, html }) => {
    const headings = (level: string) =>
      [...html.matchAll(new RegExp(`<(h[${level}])[^>]*>(.*?)</\\1>`, 'gs'))].map(([, , inner = '']) =>
        toPlainText(inner),
      )
    const crumb = toPlainText(/<title>(.*?)<\/title>/s.exec(html)?.[1] ?? '').slice(0, -` | ${APP}`.length)
    const [mainHeading = '', ...otherHeadings] = headings('1')
    const isHome = removeHash(path).split('?')[0] === '/'
    const isTitled = isHome
      ? crumb === 'Home'
      : DIALOG_ADDRESS.test(path)
        ? headings('23').includes(crumb)
        : crumb === mainHeading
    return mainHeading !== '' && otherHeadings.length === 0 && isTitled
      ? []
      : [`${path}: ${[mainHeading, ...otherHeadings]} / ${crumb}`]
  })
  assert.deepEqual(wrongTitles, [])
})

test('every link to a part of a page leads to an existing part', () => {
  const brokenLinks = documents.flatMap(({ path, html }) =>
    findAnchors(html).flatMap(({ href }) => {
      const [target = '', id = ''] = href.split('#')
      if (id === '' || (target !== '' && !pages.has(target))) return []
      const targetHtml = target === '' ? html : pages.get(target)?.html
      return targetHtml?.includes(` id="${id}"`) ? [] : [`${href}, on ${path}`]
    }),
  )
  assert.deepEqual([...new Set(brokenLinks)], [])
})

test('every link to another site opens a new tab and sends no referrer', () => {
  const unsafeLinks = documents.flatMap(({ path, html }) =>
    findAnchors(html)
      .filter(({ href }) => /^(https?:)?\/\//.test(href))
      .filter(({ target, rel }) => target !== '_blank' || !/\b(noopener|noreferrer)\b/.test(rel ?? ''))
      .map(({ href }) => `${href}, on ${path}`),
  )
  assert.deepEqual([...new Set(unsafeLinks)], [])
})

test('every picture, poster and film on a page exists', async () => {
  const files = new Map<string, string>()
  for (const { path, html } of documents) {
    for (const { src, srcset = '', srcSet = srcset, poster } of findTags(html, 'img|source|video|track')) {
      const candidates = srcSet.split(',').map((part) => part.trim().split(' ')[0])
      for (const file of [src, poster, ...candidates])
        if (file?.startsWith('/') && !files.has(file)) files.set(file, path)
    }
  }
  assert.ok(files.size > 40, `only ${files.size} files are shown`)
  const missingFiles: string[] = []
  for (const [file, path] of files) {
    if ((await site.send(file, { method: 'HEAD' })).status !== 200) missingFiles.push(`${file}, on ${path}`)
  }
  assert.deepEqual(missingFiles, [])
})
