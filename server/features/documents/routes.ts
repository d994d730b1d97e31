import { getDocument } from '#contract/documents.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { type FindDraft, findPreviewAnswer } from '#server/preview.ts'
import { getDocumentPath, prepareForReaders, readDocument } from './published.ts'
import { selectDocument } from './queries.ts'

/** The calls with which pages read documents. */
export const documentCalls: MountedCall[] = [
  mount(getDocument, async ({ name }, { deps }) => ({ document: await readDocument(deps, name) })),
]

/** Finds a document's page with its draft. Content that every page has is shown on the home page. */
export const findDocumentDraft: FindDraft = async (deps, name) => {
  const row = await selectDocument(deps.db, name)
  if (row === undefined) return undefined
  const document = await prepareForReaders(deps, name, row.draft)
  return {
    path: getDocumentPath(name) ?? '/',
    answer: findPreviewAnswer(getDocument, (input) => (input.name === name ? { document } : undefined)),
  }
}
