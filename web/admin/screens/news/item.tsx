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
import { type Draft, type DraftCalls, DraftSheet, Saved, useDraft } from '../../kit/draft.tsx'
import { EarlierTexts } from '../../kit/earlier-texts.tsx'
import { When } from '../../kit/facts.tsx'
import { DeskField } from '../../kit/fields.tsx'
import { HtmlField } from '../../kit/html-editor.tsx'
import { PostIt } from '../../kit/post-it.tsx'
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
  return /^\d+$/.test(id) ? <Known id={Number(id)} /> : <ScreenNotFound />
}

function Known({ id }: { id: number }) {
  const item = useCall(getDeskNewsItem, { id }, { refetchOnWindowFocus: false, gcTime: 0 })
  return <Loaded of={item}>{(loaded) => <NewsPage key={loaded.id} loaded={loaded} />}</Loaded>
}

const draftCalls = (id: number): DraftCalls<NewsText, Item> => ({
  save: async (text, version, replace) => (await deskCall(saveDraft, { id, version, ...text, replace })).item,
  read: () => call(getDeskNewsItem, { id }),
  readEarlier: () => call(getRevisions, { id }),
  restore: (revision, version) => deskCall(restoreRevision, { id, version, revision }),
})

function NewsPage({ loaded }: { loaded: Item }) {
  const may = useMay()
  const draft: NewsDraft = useDraft(loaded, draftCalls(loaded.id))
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
          legend="What readers get"
          fields={newsTextFields}
          disabled={!mayWrite}
          show={(form) => [
            'subject',
            ['type', 'author'],
            <HtmlField
              key={`text ${draft.edition}`}
              label="Text"
              html={form.values.content}
              onChange={(content) => form.change({ content })}
              error={form.error('content')}
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
  const show = async () => {
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
  const change = {
    input: () => ({ id: item.id, version: draft.version() }),
    tone: 'secondary',
    before: save,
    onDone: (answer: { item: Item }) => draft.take(answer.item, false),
  } as const
  return (
    <>
      <Saved draft={draft} />
      <Button tone="secondary" busy={preview.busy} onClick={() => void show()}>
        Preview
      </Button>
      {item.state === 'published' && (
        <ButtonLink tone="secondary" to={`/news?topic=${item.id}`}>
          View on the site
        </ButtonLink>
      )}
      {item.has_draft && item.published !== null && may('news.write') && item.state !== 'trash' && (
        <DeskAction
          {...change}
          endpoint={discardDraft}
          label="Set changes aside"
          ask={{
            title: 'Go back to what is published?',
            text: 'Your changes since then become an earlier text, which you can bring back.',
          }}
          done="Your changes are stored under Earlier texts."
          onDone={(answer) => draft.take(answer.item, true)}
        />
      )}
      {may('news.publish') && (item.state === 'published' || isScheduled) && (
        <DeskAction
          {...change}
          endpoint={hideNews}
          label={isScheduled ? 'Unschedule' : 'Hide'}
          ask={{
            title: isScheduled ? 'Unschedule it?' : 'Hide it from readers?',
            text: 'The text stays here, and you can publish it again.',
          }}
          done="Readers can’t see it."
        />
      )}
      {may(item.published === null ? 'news.write' : 'news.publish') && item.state !== 'trash' && (
        <DeskAction
          {...change}
          endpoint={trashNews}
          label="Trash"
          ask={{
            title: 'Move it to the trash?',
            tone: 'danger',
            text: `Readers will no longer see it. You can restore it for ${formatDays(NEWS_TRASH_RETENTION_MS)}; then it is deleted.`,
          }}
          done={`In the trash for ${formatDays(NEWS_TRASH_RETENTION_MS)}.`}
          onDone={(answer) => {
            draft.take(answer.item, false)
            void navigate('/admin/news')
          }}
        />
      )}
    </>
  )
}

function TrashNote({ draft }: { draft: NewsDraft }) {
  const { item } = draft
  const mayTakeOut = useMay()(item.published === null ? 'news.write' : 'news.publish')
  return (
    <Panel>
      <div className={styles.panel}>
        <p>
          Moved to the trash <When at={item.trashed_at} show="both" />. It is deleted{' '}
          {formatDays(NEWS_TRASH_RETENTION_MS)} later.
        </p>
        {mayTakeOut && (
          <DeskAction
            endpoint={untrashNews}
            input={{ id: item.id, version: item.version }}
            label="Restore"
            done="Restored from the trash."
            onDone={(answer) => draft.take(answer.item, false)}
          />
        )}
      </div>
    </Panel>
  )
}

/** Finds the fields in which two texts of a news item differ. */
const findChanges = (before: NewsText, after: NewsText): Change[] =>
  NEWS_FIELDS.filter((name) => before[name] !== after[name]).map((name) => ({
    where: name === 'content' ? 'Text' : newsTextFields[name].label,
    was: showField(name, before[name]),
    is: showField(name, after[name]),
  }))

const NEWS_FIELDS = Object.keys(newsTextFields) as (keyof NewsText)[]

function showField(name: keyof NewsText, value: NewsText[keyof NewsText]): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return name === 'type' ? NEWS_TYPES[value as NewsText['type']] : toPlainText(value)
}

function PublishPanel({ draft }: { draft: NewsDraft }) {
  const { item } = draft
  const [at, setAt] = useState<string | null>(null)
  const publish = useAction(publishNews, {
    onDone: ({ item: published }) => {
      draft.take(published, false)
      setAt(null)
    },
  })
  const isOut = item.state === 'published'
  const go = () => draft.publish((version) => publish.attempt({ id: item.id, version, at }))
  const isNothingNew = isOut && !item.has_draft && draft.state === 'saved'
  return (
    <Panel title="Publish">
      <div className={styles.panel}>
        {item.state === 'scheduled' && (
          <p>
            It appears <When at={item.created_at} show="both" />.
          </p>
        )}
        {isOut && (
          <p>
            Published <When at={item.created_at} show="both" />.{' '}
            {isNothingNew ? 'Readers see this text.' : 'Readers can’t see your changes yet.'}
          </p>
        )}
        {isNothingNew && (
          <div>
            <PostIt kind="news" page={String(item.id)} />
          </div>
        )}
        {!isOut && (
          <DeskField
            field={{ kind: 'moment', label: 'Appears', hint: 'Manila time; empty: now', isNullable: true }}
            value={at}
            onChange={setAt}
          />
        )}
        {!isNothingNew && (
          <PublishButton
            label={isOut ? 'Publish the changes' : at === null ? 'Publish now' : 'Schedule'}
            title={!isOut && at !== null ? 'Schedule it?' : 'Publish it?'}
            draft={draft}
            published={item.published}
            findChanges={findChanges}
            note={
              !isOut &&
              at !== null && (
                <p>
                  It appears <When at={at} show="both" />.
                </p>
              )
            }
            busy={publish.busy}
            publish={go}
          />
        )}
      </div>
    </Panel>
  )
}

type NewsDraft = Draft<NewsText, CallOutput<typeof getDeskNewsItem>>

/** Lists the earlier texts of a news item. Operators with permission to write can restore one as the draft. */
function Revisions({ draft, mayWrite }: { draft: NewsDraft; mayWrite: boolean }) {
  const { item, save, version, take } = draft
  const revisions = useCall(getRevisions, { id: item.id })
  const restore = useAction(restoreRevision, {
    done: 'The earlier text is now your draft.',
    onDone: ({ item: restored }) => take(restored, true),
  })
  const use = async (revision: number) => {
    if (await save()) await restore.run({ id: item.id, version: version(), revision })
  }
  return (
    <EarlierTexts
      title="Earlier texts"
      revisions={revisions}
      getName={({ subject }) => (subject === '' ? 'Without a subject' : subject)}
      buttonLabel="View"
      getButtonObject={({ subject }) => `the text of ${subject}`}
      dialogTitle="Earlier text"
      use={mayWrite ? use : null}
      busy={restore.busy}
      show={(revision) => <RevisionText revision={revision} />}
    />
  )
}

function RevisionText({ revision }: { revision: number }) {
  const found = useCall(getRevision, { revision })
  return (
    <Loaded of={found} height={200}>
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
