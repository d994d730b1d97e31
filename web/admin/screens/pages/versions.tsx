import {
  type getDeskDocument,
  getDocumentRevision,
  getDocumentRevisions,
  restoreDocument,
} from '#contract/desk-documents.ts'
import type { DocumentField, DocumentFields, DocumentValues } from '#contract/document-fields.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { useCall } from '#web/api/queries.ts'
import { useAction } from '../../kit/call.ts'
import type { Draft } from '../../kit/draft.tsx'
import { EarlierVersions } from '../../kit/earlier-versions.tsx'
import { ChangeList } from '../../kit/publish-button.tsx'
import { type Change, toPlainText } from '../../kit/publish-check.ts'
import { Loaded } from '../../kit/screen.tsx'

/** The draft of a page. */
export type PageDraft = Draft<DocumentValues, CallOutput<typeof getDeskDocument>>

/** Lists the earlier versions of a page. Each shows its changes and can be restored as the draft. */
export function Versions({ draft, fields }: { draft: PageDraft; fields: DocumentFields }) {
  const { item, save, getSavedVersion, applyItem } = draft
  const revisions = useCall(getDocumentRevisions, { name: item.name })
  const restore = useAction(restoreDocument, {
    successMessage: 'The earlier version is now your draft.',
    onDone: ({ item: restoredItem }) => applyItem(restoredItem, { replacesText: true }),
  })
  const restoreVersion = async (revision: number) => {
    if (await save()) await restore.run({ name: item.name, version: getSavedVersion(), revision })
  }
  return (
    <EarlierVersions
      title="Earlier versions"
      versions={revisions}
      buttonLabel="What changed"
      getButtonContext={({ revision }) => `in version ${revision}`}
      dialogTitle="What changed"
      restore={restoreVersion}
      busy={restore.busy}
      renderText={(revision) => <Changes revision={revision} fields={fields} />}
    />
  )
}

/** Shows the differences between a version and the one published before it. */
function Changes({ revision, fields }: { revision: number; fields: DocumentFields }) {
  const revisionQuery = useCall(getDocumentRevision, { revision })
  return (
    <Loaded result={revisionQuery} height={200}>
      {({ text, before }) => {
        if (before === null) return <p>There is no earlier version to compare it with.</p>
        const changes = findChanges(fields, before, text)
        return changes.length === 0 ? <p>No visible changes.</p> : <ChangeList changes={changes} />
      }}
    </Loaded>
  )
}

const isEqual = (value: unknown, other: unknown) => JSON.stringify(value) === JSON.stringify(other)

/** Finds the fields in which two versions of a page differ. */
export function findChanges(
  fields: DocumentFields,
  oldValues: DocumentValues,
  newValues: DocumentValues,
  labels: string[] = [],
): Change[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    compareField(field, oldValues[name], newValues[name], [...labels, field.label]),
  )
}

function compareField(field: DocumentField, oldValue: unknown, newValue: unknown, labels: string[]): Change[] {
  if (isEqual(oldValue, newValue)) return []
  if (field.kind === 'each')
    return Object.entries(field.of).flatMap(([key, name]) => {
      const [before, after] = [oldValue, newValue].map((value) => (value as Record<string, DocumentValues>)[key] ?? {})
      return findChanges(field.fields, before ?? {}, after ?? {}, [...labels, name])
    })
  if (field.kind !== 'list')
    return [{ fieldPath: labels.join(' › '), before: toPlainText(oldValue), after: toPlainText(newValue) }]
  const [before, after] = [oldValue as DocumentValues[], newValue as DocumentValues[]]
  const longestLength = Math.max(before.length, after.length)
  return Array.from({ length: longestLength }, (_, index) => index).flatMap((index) =>
    findChanges(field.fields, before[index] ?? {}, after[index] ?? {}, [...labels, String(index + 1)]),
  )
}
