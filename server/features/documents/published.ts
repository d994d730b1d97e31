import { nameCurrencies } from '#contract/currencies.ts'
import { createEmptyValues, type DocumentFields, type DocumentValues, mapTexts } from '#contract/document-fields.ts'
import {
  DOCUMENT_NAMES,
  DOCUMENTS,
  type DocumentName,
  FREE_PAGE,
  type FreePage,
  getDocument,
} from '#contract/documents.ts'
import { cleanHtml } from '#server/clean-html.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/errors.ts'
import { getCurrencyNames, readSettings } from '#server/settings.ts'
import { arrangeHtml } from './arrange-html.ts'
import { selectPublished } from './queries.ts'

const isSiteDocument = (name: string): name is DocumentName => Object.hasOwn(DOCUMENTS, name)
/** The prefix of free pages' names. */
export const FREE_PREFIX = 'page-'

/** Returns the fields of a document. */
export const getDocumentFields = (name: string): DocumentFields =>
  isSiteDocument(name) ? DOCUMENTS[name].fields : FREE_PAGE

/** Returns the title of a document: that of the site's page, or the operators' title of a free one. */
export const getDocumentTitle = (name: string, values: DocumentValues): string =>
  isSiteDocument(name) ? DOCUMENTS[name].title : (values as FreePage).title

/** Returns the address of a document; null for content of every page. */
export const getDocumentPath = (name: string): string | null =>
  isSiteDocument(name) ? DOCUMENTS[name].path : `/page/${name.slice(FREE_PREFIX.length)}`

/** Fits a document to the fields of this version of the site: omits unknown fields, and adds new empty fields. */
export function fitToVersion(name: string, values: DocumentValues): DocumentValues {
  const fitFields = (fields: DocumentFields, storedValues: DocumentValues): DocumentValues =>
    Object.fromEntries(
      Object.entries(createEmptyValues(fields)).map(([key, defaultValue]) => {
        const field = fields[key]
        const value = storedValues[key] ?? defaultValue
        if (field?.kind === 'list')
          return [key, (value as DocumentValues[]).map((entry) => fitFields(field.fields, entry))]
        if (field?.kind !== 'each') return [key, value]
        const entries = Object.entries(defaultValue as Record<string, DocumentValues>)
        const storedEntries = value as Record<string, DocumentValues>
        return [
          key,
          Object.fromEntries(
            entries.map(([entryKey, emptyEntry]) => [
              entryKey,
              fitFields(field.fields, storedEntries[entryKey] ?? emptyEntry),
            ]),
          ),
        ]
      }),
    )
  return fitFields(getDocumentFields(name), values)
}

/** Returns a document with sanitized long texts. */
export const cleanTexts = (name: string, values: DocumentValues): DocumentValues =>
  mapTexts(getDocumentFields(name), values, (text, { kind }) => (kind === 'html' ? cleanHtml(text) : text))

const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character] ?? '&quot;')

/**
 * Prepares a document for readers (PAGE-4). Replaces `{app}`, `{operator}` (`{Operator}` at the beginning of a sentence) and
 * `{contact}`, a link as in 'write to …', by the site's settings. Without an email address the link leads to the ticket
 * form. Replaces the names of the currencies by the configured ones.
 */
export async function prepareForReaders(
  deps: Pick<Deps, 'db' | 'config' | 'cache'>,
  name: string,
  values: DocumentValues,
): Promise<DocumentValues> {
  const settings = await readSettings(deps)
  const { site_name: app, operator_name: operator, operator_email: email } = settings
  const currencies = getCurrencyNames(settings)
  const names: Record<string, string> = {
    app,
    operator,
    Operator: operator.charAt(0).toUpperCase() + operator.slice(1),
    contact: email === '' ? 'our support desk' : email,
  }
  const contact = `<a href="${email === '' ? '/ticket' : `mailto:${escapeHtml(email)}`}">${escapeHtml(names.contact ?? '')}</a>`
  const fillNames = (text: string, getName: (key: string) => string) =>
    text.replace(/\{(app|operator|Operator|contact)\}/g, (_, key: string) => getName(key))
  const htmlCurrencies = { rCoin: escapeHtml(currencies.rCoin), milleage: escapeHtml(currencies.milleage) }
  return mapTexts(getDocumentFields(name), fitToVersion(name, values), (text, { kind }) =>
    kind === 'html'
      ? fillNames(nameCurrencies(arrangeHtml(cleanHtml(text)), htmlCurrencies), (key) =>
          key === 'contact' ? contact : escapeHtml(names[key] ?? ''),
        )
      : fillNames(nameCurrencies(text, currencies), (key) => names[key] ?? ''),
  )
}

type PublishedDocument = { name: string; published: DocumentValues }

/** Returns every published document from the cache, which the notice `content_changed` invalidates in all processes. */
export async function readPublished(deps: Pick<Deps, 'db' | 'cache'>): Promise<readonly PublishedDocument[]> {
  return (await deps.cache.getValue('documents', () => selectPublished(deps.db))) as readonly PublishedDocument[]
}

/** Returns a document for readers; null until it is published (PAGE-3). @throws Refusal 404 for an unknown free page */
export async function readDocument(deps: Deps, name: string): Promise<DocumentValues | null> {
  const document = (await readPublished(deps)).find((row) => row.name === name)
  if (document !== undefined) return prepareForReaders(deps, name, document.published)
  if (!isSiteDocument(name)) throw refuse(getDocument, 'documentNotFound')
  return null
}

/**
 * Lists the paths of pages without a published text. These pages say that the text is being prepared. Menus, sitemap and
 * search omit them.
 */
export async function listUnpublishedPaths(deps: Pick<Deps, 'db' | 'cache'>): Promise<string[]> {
  const publishedNames = new Set((await readPublished(deps)).map(({ name }) => name))
  const publishedPaths = DOCUMENT_NAMES.filter((name) => publishedNames.has(name)).map((name) => DOCUMENTS[name].path)
  const unpublishedPaths = DOCUMENT_NAMES.map((name) => DOCUMENTS[name]).flatMap((document) =>
    document.path === null || 'isLinkedAlways' in document || publishedPaths.includes(document.path)
      ? []
      : [document.path],
  )
  return [...new Set(unpublishedPaths)]
}

/** Lists the published free pages, which operators have added at /page/…, with their menus. */
export async function listFreePages(deps: Pick<Deps, 'db' | 'cache'>) {
  return (await readPublished(deps)).flatMap(({ name, published }) => {
    const { title, menu } = published as FreePage
    return name.startsWith(FREE_PREFIX) ? [{ path: `/page/${name.slice(FREE_PREFIX.length)}`, title, menu }] : []
  })
}
