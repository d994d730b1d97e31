import { type DocumentContent, type DocumentName, type FreePage, getDocument } from '#contract/documents.ts'
import { PREPARING_TEXT } from '#contract/messages.ts'
import type { Head, Load } from './page.ts'
import { toCallQuery, useCall, usePageQuery } from './queries.ts'

/** Returns a published document; null before its publication, undefined while it loads. */
export function useDocument<Name extends DocumentName>(name: Name): DocumentContent<Name> | null | undefined {
  const document = useCall(getDocument, { name }).data?.document
  return document as DocumentContent<Name> | null | undefined
}

/** Returns a published document, for components that are rendered only after it has loaded. */
export function useLoadedDocument<Name extends DocumentName>(name: Name): DocumentContent<Name> {
  const document = useDocument(name)
  if (!document) throw new Error(`The document ${name} is not published.`)
  return document
}

/** Returns the lines below the heading of a page that is not a document. */
export function useHeadLines(page: keyof DocumentContent<'frame'>['heads']): string[] {
  const line = useDocument('frame')?.heads[page].line
  return line ? [line] : []
}

/** Loads a document for a page. */
export async function loadDocument<Name extends DocumentName>(
  load: Load,
  name: Name,
): Promise<DocumentContent<Name> | null> {
  const { document } = await load(toCallQuery(getDocument, { name }))
  return document as DocumentContent<Name> | null
}

const getFreePageQuery = (name: string) => toCallQuery(getDocument, { name: `page-${name}` })

/** Returns a published page that operators have added; null before its publication, undefined while it loads. */
export function useFreePage(name: string): FreePage | null | undefined {
  return usePageQuery(getFreePageQuery(name)).data?.document as FreePage | null | undefined
}

/** Loads a page that operators have added. @throws an error with status 404 until it is published */
export const loadFreePage = async (load: Load, name: string) =>
  (await load(getFreePageQuery(name))).document as FreePage

/** The head of a page with an unpublished text (PAGE-3). */
export const PREPARING_HEAD: Partial<Head> = { description: PREPARING_TEXT, hidden: true }

/** Returns the head of a page from its document. A document without a description uses the manifest's. */
export const getDocumentHead = (document: { description: string } | null): Partial<Head> => {
  if (document === null) return PREPARING_HEAD
  return document.description === '' ? {} : { description: document.description }
}
