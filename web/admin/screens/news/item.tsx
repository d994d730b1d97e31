import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { formatDays } from '#contract/durations.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { NEWS_CONTENT_MAX, NEWS_TRASH_RETENTION_MS } from '#contract/limits.ts'
import {
  discardDraft,
  getDeskNewsItem,
  getRevision,
  getRevisions,
  hideNews,
  NEWS_TYPES,
  type NewsText,
  newsTextFields,
  previewNews,
  publishNews,
  restoreRevision,
  saveDraft,
  trashNews,
  untrashNews,
} from '#contract/news.ts'
import { call } from '#web/api/call.ts'
import { useCall } from '#web/api/queries.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { showToast } from '#web/ui/toast.ts'
import { DeskAction } from '../../kit/action.tsx'
import { deskCall, useAction } from '../../kit/call.ts'
import deskLayout from '../../kit/desk-layout.module.css'
import { type Draft, type DraftCalls, DraftSaveStatus, DraftSheet, useDraft } from '../../kit/draft.tsx'
import { EarlierVersions } from '../../kit/earlier-versions.tsx'
import { When } from '../../kit/facts.tsx'
import { DeskField } from '../../kit/fields.tsx'
import { HtmlField } from '../../kit/html-editor.tsx'
import { PostButton } from '../../kit/post-button.tsx'
import { PublishButton } from '../../kit/publish-button.tsx'
import { type Change, toPlainText } from '../../kit/publish-check.ts'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import { ScreenNotFound } from '../../notices.tsx'
import styles from './news.module.css'
import { NewsState } from './news.tsx'

type Item = CallOutput<typeof getDeskNewsItem>

/** The page on which operators write, preview and publish a news item, guide or event. */
export function Screen() {
  const { id = '' } = useParams()
  return /^\d+$/.test(id) ? <NewsItemPage id={Number(id)} /> : <ScreenNotFound />
}

function NewsItemPage({ id }: { id: number }) {
  const item = useCall(getDeskNewsItem, { id }, { refetchOnWindowFocus: false, gcTime: 0 })
  return <Loaded result={item}>{(loaded) => <NewsPage key={loaded.id} loaded={loaded} />}</Loaded>
}

const createDraftCalls = (id: number): DraftCalls<NewsText, Item> => ({
  save: async (text, version, replace) => (await deskCall(saveDraft, { id, version, ...text, replace })).item,
  read: () => call(getDeskNewsItem, { id }),
  readEarlier: () => call(getRevisions, { id }),
  restore: (revision, version) => deskCall(restoreRevision, { id, version, revision }),
})

function NewsPage({ loaded }: { loaded: Item }) {
  const may = useMay()
  const draft: NewsDraft = useDraft(loaded, createDraftCalls(loaded.id))
  const { item, text } = draft
  const mayWrite = may('news.write') && item.state !== 'trash'
  return (
    <RecordPage
      back={{ to: '/admin/news', label: 'News' }}
      title={
        text.subject === '' ? `New ${NEWS_TYPES[text.type].toLowerCase().replace('news', 'news item')}` : text.subject
      }
      badges={<NewsState item={item} />}
      actions={<PageActions draft={draft} />}
    >
      {item.state === 'trash' && <TrashNote draft={draft} />}
      <div className={deskLayout.columns}>
        <DraftSheet
          draft={draft}
          legend="The text for readers"
          fields={newsTextFields}
          disabled={!mayWrite}
          show={(form) => [
            'subject',
            ['type', 'author'],
            <HtmlField
              key={`text ${draft.restartCount}`}
              label="Text"
              html={form.values.content}
              onChange={(content) => form.change({ content })}
              error={form.getError('content')}
              editable={mayWrite}
              max={NEWS_CONTENT_MAX}
            />,
            mayWrite && 'picture',
            'show_picture',
            'patch_notes',
          ]}
        />
        <div className={layout.panels}>
          {may('news.publish') && item.state !== 'trash' && <PublishPanel draft={draft} />}
          <Revisions draft={draft} mayWrite={mayWrite} />
        </div>
      </div>
    </RecordPage>
  )
}

function PageActions({ draft }: { draft: NewsDraft }) {
  const { item, save } = draft
  const navigate = useNavigate()
  const may = useMay()
  const preview = useAction(previewNews)
  const openPreview = async () => {
    // Opened synchronously, because browsers block windows that open after a delay.
    const tab = window.open('', '_blank')
    const answer = (await save()) ? await preview.run({ id: item.id }) : undefined
    if (answer === undefined) tab?.close()
    else if (tab === null)
      void showToast('note', 'Your browser did not let the preview open.', {
        action: { label: 'Open it', to: answer.path, onPress: () => void window.open(answer.path, '_blank') },
      })
    else tab.location.href = answer.path
  }
  const isScheduled = item.state === 'scheduled'
  /** Properties of a button that saves the draft, prompts, and then changes the whole item. */
  const changeProps = {
    input: () => ({ id: item.id, version: draft.getSavedVersion() }),
    tone: 'secondary',
    prepare: save,
    onDone: (answer: { item: Item }) => draft.applyItem(answer.item, { replacesText: false }),
  } as const
  return (
    <>
      <DraftSaveStatus draft={draft} />
      <Button tone="secondary" busy={preview.busy} onClick={() => void openPreview()}>
        Preview
      </Button>
      {item.state === 'published' && (
        <ButtonLink tone="secondary" to={`/news?topic=${item.id}`}>
          View on the site
        </ButtonLink>
      )}
      {item.has_draft && item.published !== null && may('news.write') && item.state !== 'trash' && (
        <DeskAction
          {...changeProps}
          endpoint={discardDraft}
          label="Set changes aside"
          confirmation={{
            title: 'Go back to the published text?',
            text: 'Your changes since then become an earlier version, which you can bring back.',
          }}
          successMessage="Your changes are stored under Earlier versions."
          onDone={(answer) => draft.applyItem(answer.item, { replacesText: true })}
        />
      )}
      {may('news.publish') && (item.state === 'published' || isScheduled) && (
        <DeskAction
          {...changeProps}
          endpoint={hideNews}
          label={isScheduled ? 'Unschedule' : 'Hide'}
          confirmation={{
            title: isScheduled ? 'Unschedule it?' : 'Hide it from readers?',
            text: 'The text stays here, and you can publish it again.',
          }}
          successMessage="Readers can’t see it."
        />
      )}
      {may(item.published === null ? 'news.write' : 'news.publish') && item.state !== 'trash' && (
        <DeskAction
          {...changeProps}
          endpoint={trashNews}
          label="Trash"
          confirmation={{
            title: 'Move it to the trash?',
            tone: 'danger',
            text: `Readers will no longer see it. You can restore it for ${formatDays(NEWS_TRASH_RETENTION_MS)}; then it is deleted.`,
          }}
          successMessage={`In the trash for ${formatDays(NEWS_TRASH_RETENTION_MS)}.`}
          onDone={(answer) => {
            draft.applyItem(answer.item, { replacesText: false })
            void navigate('/admin/news')
          }}
        />
      )}
    </>
  )
}

function TrashNote({ draft }: { draft: NewsDraft }) {
  const { item } = draft
  const mayRestore = useMay()(item.published === null ? 'news.write' : 'news.publish')
  return (
    <Panel>
      <div className={styles.panel}>
        <p>
          Moved to the trash <When at={item.trashed_at} show="both" />. It is deleted{' '}
          {formatDays(NEWS_TRASH_RETENTION_MS)} later.
        </p>
        {mayRestore && (
          <DeskAction
            endpoint={untrashNews}
            input={{ id: item.id, version: item.version }}
            label="Restore"
            successMessage="Restored from the trash."
            onDone={(answer) => draft.applyItem(answer.item, { replacesText: false })}
          />
        )}
      </div>
    </Panel>
  )
}

/** Finds the fields in which two texts of a news item differ. */
const findChanges = (before: NewsText, after: NewsText): Change[] =>
  NEWS_FIELDS.filter((name) => before[name] !== after[name]).map((name) => ({
    fieldPath: name === 'content' ? 'Text' : newsTextFields[name].label,
    before: formatField(name, before[name]),
    after: formatField(name, after[name]),
  }))

const NEWS_FIELDS = Object.keys(newsTextFields) as (keyof NewsText)[]

function formatField(name: keyof NewsText, value: NewsText[keyof NewsText]): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return name === 'type' ? NEWS_TYPES[value as NewsText['type']] : toPlainText(value)
}

function PublishPanel({ draft }: { draft: NewsDraft }) {
  const { item } = draft
  const [appearsAt, setAppearsAt] = useState<string | null>(null)
  const publish = useAction(publishNews, {
    onDone: ({ item: publishedItem }) => {
      draft.applyItem(publishedItem, { replacesText: false })
      setAppearsAt(null)
    },
  })
  const isPublished = item.state === 'published'
  const publishDraft = () => draft.publish((version) => publish.attempt({ id: item.id, version, at: appearsAt }))
  const isUnchanged = isPublished && !item.has_draft && draft.state === 'saved'
  return (
    <Panel title="Publish">
      <div className={styles.panel}>
        {item.state === 'scheduled' && (
          <p>
            It appears <When at={item.created_at} show="both" />.
          </p>
        )}
        {isPublished && (
          <p>
            Published <When at={item.created_at} show="both" />.{' '}
            {isUnchanged ? 'Readers see this text.' : 'Readers can’t see your changes yet.'}
          </p>
        )}
        {isUnchanged && (
          <div>
            <PostButton kind="news" page={String(item.id)} />
          </div>
        )}
        {!isPublished && (
          <DeskField
            field={{ kind: 'moment', label: 'Appears', hint: 'Manila time; empty: now', isNullable: true }}
            value={appearsAt}
            onChange={setAppearsAt}
          />
        )}
        {!isUnchanged && (
          <PublishButton
            label={isPublished ? 'Publish the changes' : appearsAt === null ? 'Publish now' : 'Schedule'}
            title={!isPublished && appearsAt !== null ? 'Schedule it?' : 'Publish it?'}
            draft={draft}
            published={item.published}
            findChanges={findChanges}
            note={
              !isPublished &&
              appearsAt !== null && (
                <p>
                  It appears <When at={appearsAt} show="both" />.
                </p>
              )
            }
            busy={publish.busy}
            publish={publishDraft}
          />
        )}
      </div>
    </Panel>
  )
}

type NewsDraft = Draft<NewsText, CallOutput<typeof getDeskNewsItem>>

/** Lists the earlier versions of a news item. Operators with permission to write can restore one as the draft. */
function Revisions({ draft, mayWrite }: { draft: NewsDraft; mayWrite: boolean }) {
  const { item, save, getSavedVersion, applyItem } = draft
  const revisions = useCall(getRevisions, { id: item.id })
  const restore = useAction(restoreRevision, {
    successMessage: 'The earlier version is now your draft.',
    onDone: ({ item: restoredItem }) => applyItem(restoredItem, { replacesText: true }),
  })
  const restoreText = async (revision: number) => {
    if (await save()) await restore.run({ id: item.id, version: getSavedVersion(), revision })
  }
  return (
    <EarlierVersions
      title="Earlier versions"
      versions={revisions}
      getName={({ subject }) => (subject === '' ? 'Without a subject' : subject)}
      buttonLabel="View"
      getButtonContext={({ subject }) => `the text of ${subject}`}
      dialogTitle="Earlier version"
      restore={mayWrite ? restoreText : null}
      busy={restore.busy}
      renderText={(revision) => <RevisionText revision={revision} />}
    />
  )
}

function RevisionText({ revision }: { revision: number }) {
  const revisionQuery = useCall(getRevision, { revision })
  return (
    <Loaded result={revisionQuery} height={200}>
      {({ text }) => (
        <div className={styles.revision} data-surface="paper">
          <h3>{text.subject}</h3>
          {/* The server has cleaned it (server/clean-html.ts). */}
          <div dangerouslySetInnerHTML={{ __html: text.content }} />
        </div>
      )}
    </Loaded>
  )
}
