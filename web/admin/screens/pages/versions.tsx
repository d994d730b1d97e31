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
import { EarlierTexts } from '../../kit/earlier-texts.tsx'
import { ChangeList } from '../../kit/publish-button.tsx'
import { type Change, toPlainText } from '../../kit/publish-check.ts'
import { Loaded } from '../../kit/screen.tsx'

/** The draft of a page. */
export type PageDraft = Draft<DocumentValues, CallOutput<typeof getDeskDocument>>

/** Lists the earlier versions of a page. Each shows its changes and can be restored as the draft. */
export function Versions({ draft, fields }: { draft: PageDraft; fields: DocumentFields }) {
  const { item, save, version, take } = draft
  const revisions = useCall(getDocumentRevisions, { name: item.name })
  const restore = useAction(restoreDocument, {
    done: 'The earlier version is now your draft.',
    onDone: ({ item: restored }) => take(restored, true),
  })
  const use = async (revision: number) => {
    if (await save()) await restore.run({ name: item.name, version: version(), revision })
  }
  return (
    <EarlierTexts
      title="Earlier versions"
      revisions={revisions}
      buttonLabel="What changed"
      getButtonObject={({ revision }) => `in version ${revision}`}
      dialogTitle="What changed"
      use={use}
      busy={restore.busy}
      show={(revision) => <Changes revision={revision} fields={fields} />}
    />
  )
}

/** Shows the differences between a version and the one published before it. */
function Changes({ revision, fields }: { revision: number; fields: DocumentFields }) {
  const found = useCall(getDocumentRevision, { revision })
  return (
    <Loaded of={found} height={200}>
      {({ text, before }) => {
        if (before === null) return <p>There is no earlier version to compare it with.</p>
        const changes = findChanges(fields, before, text)
        return changes.length === 0 ? <p>Nothing that readers see.</p> : <ChangeList changes={changes} />
      }}
    </Loaded>
  )
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Finds the fields in which two versions of a page differ. */
export function findChanges(
  fields: DocumentFields,
  was: DocumentValues,
  is: DocumentValues,
  trail: string[] = [],
): Change[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    compareField(field, was[name], is[name], [...trail, field.label]),
  )
}

function compareField(field: DocumentField, was: unknown, is: unknown, trail: string[]): Change[] {
  if (isSame(was, is)) return []
  if (field.kind === 'each')
    return Object.entries(field.of).flatMap(([key, name]) => {
      const [before, after] = [was, is].map((all) => (all as Record<string, DocumentValues>)[key] ?? {})
      return findChanges(field.fields, before ?? {}, after ?? {}, [...trail, name])
    })
  if (field.kind !== 'list') return [{ where: trail.join(' › '), was: toPlainText(was), is: toPlainText(is) }]
  const [before, after] = [was as DocumentValues[], is as DocumentValues[]]
  const longest = Math.max(before.length, after.length)
  return Array.from({ length: longest }, (_, nth) => nth).flatMap((nth) =>
    findChanges(field.fields, before[nth] ?? {}, after[nth] ?? {}, [...trail, String(nth + 1)]),
  )
}
