import type { DocumentValues } from '#contract/document-fields.ts'
import {
  DOCUMENTS,
  type DocumentContent,
  type DocumentName,
  type FreePage,
  GUIDE_CLASSES,
  INTERFACE_PARTS,
} from '#contract/documents.ts'
import { createExcerpt } from '#server/clean-html.ts'
import type { Deps } from '#server/deps.ts'
import {
  FREE_PREFIX,
  getDocumentFields,
  getDocumentPath,
  listUnpublishedPaths,
  prepareForReaders,
  readPublished,
} from './published.ts'

/** A written page, or a part of one, for the search. */
export type WrittenPage = { path: string; title: string; summary: string; text: string }

const SUMMARY_MAX = 160
const TEXT_MAX = 20_000

/** Joins all texts of a document. */
function collectText(values: unknown): string {
  if (typeof values === 'string') return values.startsWith('<') ? createExcerpt(values, TEXT_MAX) : values
  if (Array.isArray(values)) return values.map(collectText).join(' ')
  return typeof values === 'object' && values !== null ? Object.values(values).map(collectText).join(' ') : ''
}

const toSummary = (text: string) => createExcerpt(text, SUMMARY_MAX)

/** The functions that list the parts of documents with an address. */
const PART_LISTERS: { [Name in DocumentName]?: (document: DocumentContent<Name>) => WrittenPage[] } = {
  story: ({ chapters }) =>
    chapters.map(({ id, title, text }) => ({
      path: `/story#${id}`,
      title,
      summary: toSummary(text),
      text: collectText(text),
    })),
  classes: ({ classes, eighth_name }) =>
    Object.entries(classes).flatMap(([key, text]) => {
      const title = key === 'conductor' ? eighth_name : GUIDE_CLASSES[key as keyof typeof GUIDE_CLASSES]
      const path = `/characters?class=${key}`
      return title === '' ? [] : [{ path, title, summary: text.role, text: collectText([key, text]) }]
    }),
  instructions: ({ parts, chapters }) => [
    ...Object.entries(parts).map(([key, part]) => ({
      path: `/instructions?part=${key}`,
      title: INTERFACE_PARTS[key as keyof typeof INTERFACE_PARTS],
      summary: part.line,
      text: collectText(part),
    })),
    ...chapters.map(({ id, title, text, facts }) => ({
      path: `/instructions#${id}`,
      title,
      summary: toSummary(text),
      text: collectText([text, facts]),
    })),
  ],
  'game-systems': ({ sections }) =>
    sections.map(({ id, title, lead, text, more }) => ({
      path: `/gamesystem#${id}`,
      title,
      summary: lead || toSummary(text),
      text: collectText([text, more]),
    })),
}

/** Lists the published documents, and their parts with an address, for the search. */
export async function listWrittenPages(deps: Deps): Promise<WrittenPage[]> {
  const unpublishedPaths = await listUnpublishedPaths(deps)
  const entries = await Promise.all(
    (await readPublished(deps)).map(async ({ name, published }) => {
      const path = getDocumentPath(name)
      if (path === null || unpublishedPaths.includes(path)) return []
      const document = await prepareForReaders(deps, name, published)
      const listParts = PART_LISTERS[name as DocumentName] as ((values: DocumentValues) => WrittenPage[]) | undefined
      return [...createPageEntries(name, path, document), ...(listParts?.(document) ?? [])]
    }),
  )
  return entries.flat()
}

/** Creates the search entry of a document's page; none for a document without a description. */
function createPageEntries(name: string, path: string, document: DocumentValues): WrittenPage[] {
  if (!('description' in getDocumentFields(name) || 'about' in getDocumentFields(name))) return []
  const freePage = name.startsWith(FREE_PREFIX) ? (document as FreePage) : undefined
  const title = freePage?.title ?? getPageTitle(name as DocumentName)
  const summary = String(document.description ?? document.about)
  const hasParts = name in PART_LISTERS
  return [
    {
      path,
      title,
      summary: summary || (freePage ? toSummary(freePage.text) : ''),
      text: hasParts ? '' : collectText(document),
    },
  ]
}

/** Returns the page's title in its breadcrumbs, which can differ from the document's. */
const getPageTitle = (name: DocumentName) => (name === 'classes' ? 'Character' : DOCUMENTS[name].title)
