import { nameCurrencies } from '#contract/currencies.ts'
import { blankValues, type DocumentFields, type DocumentValues, mapTexts } from '#contract/document-fields.ts'
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

const isOwn = (name: string): name is DocumentName => Object.hasOwn(DOCUMENTS, name)
/** The prefix of free pages' names. */
export const FREE = 'page-'

/** The fields of a document. */
export const getDocumentFields = (name: string): DocumentFields => (isOwn(name) ? DOCUMENTS[name].fields : FREE_PAGE)

/** Returns the title of a document: that of the site's page, or the operators' title of a free one. */
export const getDocumentTitle = (name: string, values: DocumentValues): string =>
  isOwn(name) ? DOCUMENTS[name].title : (values as FreePage).title

/** Returns the address of a document; null for content of every page. */
export const getDocumentPath = (name: string): string | null =>
  isOwn(name) ? DOCUMENTS[name].path : `/page/${name.slice(FREE.length)}`

/** A document as this version has it: fields that it does not know are left out, new ones are blank. */
export function fitted(name: string, values: DocumentValues): DocumentValues {
  const fit = (fields: DocumentFields, given: DocumentValues): DocumentValues =>
    Object.fromEntries(
      Object.entries(blankValues(fields)).map(([key, blank]) => {
        const field = fields[key]
        const value = given[key] ?? blank
        if (field?.kind === 'list') return [key, (value as DocumentValues[]).map((entry) => fit(field.fields, entry))]
        if (field?.kind !== 'each') return [key, value]
        const entries = Object.entries(blank as Record<string, DocumentValues>)
        const all = value as Record<string, DocumentValues>
        return [key, Object.fromEntries(entries.map(([one, empty]) => [one, fit(field.fields, all[one] ?? empty)]))]
      }),
    )
  return fit(getDocumentFields(name), values)
}

/** A document with every long text cleaned. */
export const cleaned = (name: string, values: DocumentValues): DocumentValues =>
  mapTexts(getDocumentFields(name), values, (text, { kind }) => (kind === 'html' ? cleanHtml(text) : text))

const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '&quot;')

/**
 * A document as its readers get it. `{app}`, `{operator}` (`{Operator}` at the beginning of a sentence) and `{contact}`, a
 * link as in 'write to …', come from the site's settings; an operator without an email address is reached by ticket. The
 * currencies have the names that players know them by.
 */
export async function present(
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
  const fill = (text: string, getName: (known: string) => string) =>
    text.replace(/\{(app|operator|Operator|contact)\}/g, (_, known: string) => getName(known))
  const inHtml = { rCoin: escapeHtml(currencies.rCoin), milleage: escapeHtml(currencies.milleage) }
  return mapTexts(getDocumentFields(name), fitted(name, values), (text, { kind }) =>
    kind === 'html'
      ? fill(nameCurrencies(arrangeHtml(cleanHtml(text)), inHtml), (known) =>
          known === 'contact' ? contact : escapeHtml(names[known] ?? ''),
        )
      : fill(nameCurrencies(text, currencies), (known) => names[known] ?? ''),
  )
}

type Published = { name: string; published: DocumentValues }

/** Every published document, from memory: a change reaches all processes with the notice `content_changed`. */
export async function readPublished(deps: Pick<Deps, 'db' | 'cache'>): Promise<readonly Published[]> {
  return (await deps.cache.value('documents', () => selectPublished(deps.db))) as readonly Published[]
}

/** A document as its readers get it; null until it is published. @throws Refusal 404 for a free page that is not there */
export async function readDocument(deps: Deps, name: string): Promise<DocumentValues | null> {
  const found = (await readPublished(deps)).find((one) => one.name === name)
  if (found !== undefined) return present(deps, name, found.published)
  if (!isOwn(name)) throw refuse(getDocument, 'documentNotFound')
  return null
}

/** The paths of pages that the operators have yet to write: they say so, and menus, sitemap and search leave them out. */
export async function listPreparing(deps: Pick<Deps, 'db' | 'cache'>): Promise<string[]> {
  const published = new Set((await readPublished(deps)).map(({ name }) => name))
  const written = DOCUMENT_NAMES.filter((name) => published.has(name)).map((name) => DOCUMENTS[name].path)
  const awaited = DOCUMENT_NAMES.map((name) => DOCUMENTS[name]).flatMap((document) =>
    document.path === null || 'isLinkedAlways' in document || written.includes(document.path) ? [] : [document.path],
  )
  return [...new Set(awaited)]
}

/** The free pages that are published, with the menus they are in. */
export async function listFreePages(deps: Pick<Deps, 'db' | 'cache'>) {
  return (await readPublished(deps)).flatMap(({ name, published }) => {
    const { title, menu } = published as FreePage
    return name.startsWith(FREE) ? [{ path: `/page/${name.slice(FREE.length)}`, title, menu }] : []
  })
}
