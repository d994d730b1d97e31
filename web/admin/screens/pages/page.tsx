import { useNavigate, useParams } from 'react-router'
import {
  deletePage,
  discardDocument,
  getDeskDocument,
  getDocumentRevisions,
  previewDocument,
  publishDocument,
  restoreDocument,
  saveDocument,
  undoDocument,
} from '#contract/desk-documents.ts'
import type { DocumentFields, DocumentValues } from '#contract/document-fields.ts'
import { DOCUMENTS, type DocumentName, FREE_PAGE } from '#contract/documents.ts'
import { call } from '#web/api/call.ts'
import { useCall } from '#web/api/queries.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { DeskAction } from '../../kit/action.tsx'
import { deskCall, useAction } from '../../kit/call.ts'
import { type DraftCalls, DraftSaveStatus, DraftSheet, useDraft } from '../../kit/draft.tsx'
import { PreviewPanel } from '../../kit/preview.tsx'
import { CheckList, PublishButton } from '../../kit/publish-button.tsx'
import { findThingsToCheck } from '../../kit/publish-check.ts'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { PageState } from './pages.tsx'
import { ValueFields } from './value-fields.tsx'
import { findChanges, type PageDraft, Versions } from './versions.tsx'

type Item = PageDraft['item']

const isDocument = (name: string): name is DocumentName => Object.hasOwn(DOCUMENTS, name)

/** Returns the fields of a document by its name. */
const getDocumentFields = (name: string): DocumentFields => (isDocument(name) ? DOCUMENTS[name].fields : FREE_PAGE)

/** The page on which operators write, preview and publish a document (PAGE-2). */
export function Screen() {
  const { name = '' } = useParams()
  const item = useCall(getDeskDocument, { name }, { refetchOnWindowFocus: false, gcTime: 0 })
  return <Loaded result={item}>{(loaded) => <PageEditor key={loaded.name} loaded={loaded} />}</Loaded>
}

/** Describes the date that a policy shows after it is published. */
const describeSince = (since: unknown) =>
  since === ''
    ? 'It is dated today, the day on which you publish it.'
    : `It says “In force since ${since}”. If an earlier publication set this date, it changes to today.`

/**
 * Returns the calls that save a page's draft. A page can be long, so only the fields that changed since the last save
 * are sent.
 */
function createDraftCalls({ name, text: loaded }: Item): DraftCalls<DocumentValues, Item> {
  let savedText = loaded
  const pickChanged = (text: DocumentValues) =>
    Object.fromEntries(Object.entries(text).filter(([field, value]) => value !== savedText[field]))
  return {
    save: async (text, version, replace) => {
      const sentText = replace ? text : pickChanged(text)
      const { item } = await deskCall(saveDocument, { name, version, text: sentText, replace })
      savedText = text
      return item
    },
    read: () => call(getDeskDocument, { name }),
    readEarlier: () => call(getDocumentRevisions, { name }),
    restore: (revision, version) => deskCall(restoreDocument, { name, version, revision }),
  }
}

function PageEditor({ loaded }: { loaded: Item }) {
  const draft: PageDraft = useDraft(loaded, createDraftCalls(loaded))
  const { item } = draft
  const fields = getDocumentFields(item.name)
  const preview = useAction(previewDocument, { successMessage: null })
  return (
    <RecordPage
      back={{ to: '/admin/pages', label: 'Pages' }}
      title={item.title}
      badges={<PageState state={item.state} />}
      actions={<PageActions draft={draft} fields={fields} />}
    >
      <PreviewPanel
        createPreview={async () => ((await draft.save()) ? (await preview.run({ name: item.name }))?.path : undefined)}
        busy={preview.busy}
        pages={{ '': item.title }}
      />
      <BeforePublishing draft={draft} />
      <DraftSheet
        draft={draft}
        legend="The text for readers"
        fields={{}}
        disabled={false}
        show={(form) => [
          <ValueFields
            key={draft.restartCount}
            fields={fields}
            values={form.values}
            onChange={form.change}
            path=""
            context={{ root: form.values, errors: draft.errors, editable: true }}
          />,
        ]}
      />
      <div className={layout.panels}>
        <Versions draft={draft} fields={fields} />
      </div>
    </RecordPage>
  )
}

/** Returns the facts that the author must check before the first publication (PAGE-8). */
function getChecks(name: string): readonly string[] {
  const declaration: { title: string; checks?: readonly string[] } | undefined = isDocument(name)
    ? DOCUMENTS[name]
    : undefined
  return declaration?.checks ?? []
}

/** Lists the facts to check before the first publication, and the remaining blanks of the draft (PAGE-8). */
function BeforePublishing({ draft: { item, text } }: { draft: PageDraft }) {
  const checks = item.state === 'preparing' ? getChecks(item.name) : []
  const { blanks } = findThingsToCheck(text, null, location.origin, new Date())
  if (checks.length === 0 && blanks.length === 0) return null
  return (
    <Panel title="Before you publish">
      <div className={layout.padded}>
        <CheckList findings={{ blanks, dates: [], links: [] }} checks={checks} />
      </div>
    </Panel>
  )
}

function PageActions({ draft, fields }: { draft: PageDraft; fields: DocumentFields }) {
  const { item, save, getSavedVersion, applyItem } = draft
  const navigate = useNavigate()
  const { name } = item
  const input = () => ({ name, version: getSavedVersion() })
  const onDone = (answer: { item: Item }) => applyItem(answer.item, { replacesText: true })
  const undo = useAction(undoDocument, { successMessage: null, onDone })
  const publish = useAction(publishDocument, { undo: () => undo.run(input()), onDone })
  const isUnchanged = item.state === 'published' && draft.state === 'saved'
  const changeProps = { input, tone: 'secondary', prepare: save, onDone } as const
  return (
    <>
      <DraftSaveStatus draft={draft} />
      {item.state !== 'preparing' && item.path !== null && (
        <ButtonLink tone="secondary" to={item.path}>
          View on the site
        </ButtonLink>
      )}
      {item.state === 'edited' && (
        <DeskAction
          {...changeProps}
          endpoint={discardDocument}
          label="Set changes aside"
          confirmation={{
            title: 'Go back to the published text?',
            text: 'Your changes since then become an earlier version, which you can bring back.',
          }}
          successMessage="Your changes are stored under Earlier versions."
        />
      )}
      {item.state !== 'preparing' && (
        <DeskAction
          {...changeProps}
          endpoint={undoDocument}
          label="Undo publishing"
          confirmation={{
            title: 'Go back to the previous version?',
            text: 'Readers see the version that was published before this one. If there is none, they read that the page is being prepared. Nothing is lost.',
          }}
        />
      )}
      {item.is_free && (
        <DeskAction
          endpoint={deletePage}
          input={input}
          tone="secondary"
          prepare={save}
          label="Delete"
          confirmation={{
            title: `Delete ‘${item.title}’?`,
            tone: 'danger',
            text: 'The page and its earlier versions are deleted permanently.',
          }}
          onDone={() => void navigate('/admin/pages')}
        />
      )}
      {!isUnchanged && (
        <PublishButton
          label={item.state === 'preparing' ? 'Publish' : 'Publish the changes'}
          title={`Publish ‘${item.title}’?`}
          draft={draft}
          published={item.published}
          findChanges={(before, after) => findChanges(fields, before, after)}
          checks={getChecks(name)}
          isBlankRefused
          note={'since' in fields && <p>{describeSince(draft.text.since)}</p>}
          busy={publish.busy}
          publish={() => draft.publish(() => publish.attempt(input()))}
        />
      )}
    </>
  )
}
