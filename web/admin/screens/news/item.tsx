import { useId, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import { NEWS_CONTENT_MAX } from '#contract/limits.ts'
import {
  discardDraft,
  getDeskNewsItem,
  hideNews,
  type NewsText,
  previewNews,
  publishNews,
  trashNews,
  untrashNews,
} from '#contract/news.ts'
import { alertText, CallError, call } from '#web/api/call.ts'
import { useCall } from '#web/api/queries.ts'
import { SelectField, TextArea } from '#web/forms/fields.tsx'
import { FormGrid, PaperSheet } from '#web/forms/sheet.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { FieldError, TextField } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { showToast } from '#web/ui/toast.ts'
import { showFailure, useAction } from '../../kit/call.ts'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { When } from '../../kit/facts.tsx'
import { useLeaveGuard } from '../../kit/leave-guard.tsx'
import looks from '../../kit/looks.module.css'
import { MomentField } from '../../kit/moment-field.tsx'
import { PictureField } from '../../kit/picture-field.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import { Collision, type Draft, type Save, useDraft } from './draft.tsx'
import { canShow, NewsEditor } from './editor.tsx'
import styles from './news.module.css'
import { NEWS_TYPES, NewsState } from './news.tsx'
import { Revisions } from './revisions.tsx'

type Item = CallOutput<typeof getDeskNewsItem>

/** One news item, guide or event: written, looked at, published. */
export function Screen() {
  const { id = '' } = useParams()
  const item = useCall(getDeskNewsItem, { id: Number(id) }, { refetchOnWindowFocus: false, gcTime: 0 })
  return <Loaded of={item}>{(loaded) => <NewsPage key={loaded.id} loaded={loaded} />}</Loaded>
}

function NewsPage({ loaded }: { loaded: Item }) {
  const may = useMay()
  const kept = useDraft(loaded)
  const [errors, setErrors] = useState<Record<string, string[] | undefined>>({})
  const draft: Draft = {
    ...kept,
    change: (part) => {
      // What was wrong with a field is no longer known once it changes.
      setErrors((now) => ({ ...now, ...Object.fromEntries(Object.keys(part).map((name) => [name, undefined])) }))
      kept.change(part)
    },
  }
  const { item, text, change, state } = draft
  useLeaveGuard(state === 'failed')
  const mayWrite = may('news.write') && item.state !== 'trash'
  return (
    <RecordPage
      back={{ to: '/admin/news', label: 'News' }}
      title={
        text.subject === ''
          ? `New ${(NEWS_TYPES[text.type] ?? '').toLowerCase().replace('news', 'news item')}`
          : text.subject
      }
      badges={<NewsState item={item} />}
      actions={<PageActions draft={draft} />}
    >
      {item.state === 'trash' && <TrashNote draft={draft} />}
      <div className={looks.columns}>
        <PaperSheet className={styles.sheet}>
          <fieldset className={styles.fields} disabled={!mayWrite}>
            <legend className="visually-hidden">What readers get</legend>
            <TextField
              label="Subject"
              maxLength={120}
              autoComplete="off"
              error={errors.subject?.[0]}
              value={text.subject}
              onChange={({ currentTarget }) => change({ subject: currentTarget.value })}
            />
            <FormGrid>
              <SelectField
                label="Kind"
                value={text.type}
                onChange={({ currentTarget }) => change({ type: Number(currentTarget.value) as NewsText['type'] })}
              >
                {NEWS_TYPES.map((name, type) => (
                  <option key={name} value={type}>
                    {name}
                  </option>
                ))}
              </SelectField>
              <TextField
                label="Writer"
                hint="as readers see it"
                maxLength={40}
                error={errors.author?.[0]}
                value={text.author}
                onChange={({ currentTarget }) => change({ author: currentTarget.value })}
              />
            </FormGrid>
            <TextPart key={draft.edition} draft={draft} error={errors.content?.[0]} editable={mayWrite} />
            {mayWrite && (
              <PictureField
                label="Picture of the item"
                use="news"
                value={text.picture}
                onChange={(picture) => change({ picture })}
              />
            )}
            <label className={styles.check}>
              <input
                type="checkbox"
                checked={text.show_picture}
                onChange={({ currentTarget }) => change({ show_picture: currentTarget.checked })}
              />
              Show the picture above the text
            </label>
          </fieldset>
        </PaperSheet>
        <div className={layout.panels}>
          {may('news.publish') && item.state !== 'trash' && <PublishPanel draft={draft} onErrors={setErrors} />}
          <Revisions draft={draft} mayWrite={mayWrite} />
        </div>
      </div>
      <Collision draft={draft} />
    </RecordPage>
  )
}

/** The text: in the editor, or as HTML where the editor would lose something. */
function TextPart({ draft, error, editable }: { draft: Draft; error: string | undefined; editable: boolean }) {
  const id = useId()
  const [begun] = useState(draft.text.content)
  const [isHtml] = useState(() => !canShow(begun))
  if (isHtml)
    return (
      <>
        <p className={styles.note}>
          This text uses formatting that the editor doesn’t support, so it is shown as HTML.
        </p>
        <TextArea
          label="Text as HTML"
          rows={18}
          error={error}
          typed={draft.text.content.length}
          limit={NEWS_CONTENT_MAX}
          value={draft.text.content}
          onChange={({ currentTarget }) => draft.change({ content: currentTarget.value })}
        />
      </>
    )
  return (
    <div className={styles.textPart}>
      <span className={styles.label} id={id}>
        Text
      </span>
      <NewsEditor html={begun} onChange={(content) => draft.change({ content })} editable={editable} labelledBy={id} />
      {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}

const SAVES: Record<Save, string> = {
  saved: 'Saved',
  changed: 'Not saved yet',
  saving: 'Saving…',
  failed: 'Could not be saved',
}

function PageActions({ draft }: { draft: Draft }) {
  const { item, state, save, read } = draft
  const navigate = useNavigate()
  const may = useMay()
  const preview = useAction(previewNews)
  const show = async () => {
    // Opened at once, because browsers refuse windows that come later.
    const tab = window.open('', '_blank')
    const answer = (await save()) ? await preview.run({ id: read().id }) : undefined
    if (answer === undefined) tab?.close()
    else if (tab === null)
      void showToast('note', 'Your browser did not let the preview open.', {
        action: { label: 'Open it', to: answer.path, onPress: () => void window.open(answer.path, '_blank') },
      })
    else tab.location.href = answer.path
  }
  return (
    <>
      <span className={styles.save} role="status" data-state={state}>
        {SAVES[state]}
      </span>
      {state === 'failed' && (
        <Button tone="secondary" onClick={() => void save()}>
          Try again
        </Button>
      )}
      <Button tone="secondary" busy={preview.busy} onClick={() => void show()}>
        Preview
      </Button>
      {item.state === 'published' && (
        <ButtonLink tone="secondary" to={`/news?topic=${item.id}`}>
          View on the site
        </ButtonLink>
      )}
      {item.has_draft && item.published !== null && may('news.write') && item.state !== 'trash' && (
        <ChangeButton
          draft={draft}
          endpoint={discardDraft}
          label="Set changes aside"
          title="Go back to what is published?"
          done="Your changes are kept under Earlier texts."
          isAnotherText
        >
          Your changes since then become an earlier text, which you can bring back.
        </ChangeButton>
      )}
      {may('news.publish') && (item.state === 'published' || item.state === 'scheduled') && (
        <ChangeButton
          draft={draft}
          endpoint={hideNews}
          label={item.state === 'scheduled' ? 'Unschedule' : 'Hide'}
          title={item.state === 'scheduled' ? 'Unschedule it?' : 'Hide it from readers?'}
          done="Readers can’t see it."
        >
          The text stays here, and you can publish it again.
        </ChangeButton>
      )}
      {may(item.published === null ? 'news.write' : 'news.publish') && item.state !== 'trash' && (
        <ChangeButton
          draft={draft}
          endpoint={trashNews}
          label="Trash"
          title="Move it to the trash?"
          done="In the trash for 30 days."
          tone="danger"
          onDone={() => void navigate('/admin/news')}
        >
          Readers will no longer see it. You can restore it for 30 days; then it is deleted.
        </ChangeButton>
      )}
    </>
  )
}

type ChangeButtonProps = {
  draft: Draft
  endpoint: typeof hideNews | typeof trashNews | typeof discardDraft
  label: string
  title: string
  done: string
  tone?: 'primary' | 'danger'
  isAnotherText?: boolean
  onDone?: () => void
  children: string
}

/** A button that asks and then changes the item as a whole. */
function ChangeButton(props: ChangeButtonProps) {
  const { draft, endpoint, label, title, done, tone = 'primary', isAnotherText = false, onDone, children } = props
  const [isOpen, setOpen] = useState(false)
  const open = async () => {
    if (await draft.save()) setOpen(true)
  }
  return (
    <>
      <Button tone="secondary" onClick={() => void open()}>
        {label}
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={title}
        action={label}
        tone={tone}
        endpoint={endpoint as typeof hideNews}
        input={() => draft.read()}
        done={done}
        onDone={({ item }) => {
          draft.take(item, isAnotherText)
          onDone?.()
        }}
      >
        <p>{children}</p>
      </ConfirmDialog>
    </>
  )
}

function TrashNote({ draft }: { draft: Draft }) {
  const mayTakeOut = useMay()(draft.item.published === null ? 'news.write' : 'news.publish')
  const out = useAction(untrashNews, {
    done: 'Restored from the trash.',
    onDone: ({ item }) => draft.take(item, false),
  })
  return (
    <Panel>
      <div className={styles.panel}>
        <p>
          In the trash since <When at={draft.item.trashed_at} show="both" />. 30 days after that it is deleted.
        </p>
        {mayTakeOut && (
          <Button busy={out.busy} onClick={() => void out.run(draft.read())}>
            Restore
          </Button>
        )}
      </div>
    </Panel>
  )
}

type PublishPanelProps = { draft: Draft; onErrors: (errors: Record<string, string[] | undefined>) => void }

function PublishPanel({ draft, onErrors }: PublishPanelProps) {
  const { item, save, read, take } = draft
  const navigate = useNavigate()
  const [at, setAt] = useState<string | null>(null)
  const publish = useAction(publishNews, { done: ({ message }) => message })
  const isOut = item.state === 'published'
  const go = async () => {
    onErrors({})
    if (!(await save())) return
    try {
      const answer = await publish.attempt({ ...read(), at })
      if (answer === undefined) return
      take(answer.item, false)
      setAt(null)
    } catch (error) {
      if (!(error instanceof CallError)) return showFailure(error, navigate)
      onErrors(error.fields)
      if (error.status === 409) draft.setCollision(await call(getDeskNewsItem, { id: item.id }))
      else void showToast('error', alertText(error))
    }
  }
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
            Out since <When at={item.created_at} show="both" />.{' '}
            {isNothingNew ? 'Readers see this text.' : 'Readers can’t see your changes yet.'}
          </p>
        )}
        {!isOut && <MomentField label="Appears" hint="Manila time; empty: now" value={at} onChange={setAt} />}
        {!isNothingNew && (
          <Button busy={publish.busy} onClick={() => void go()}>
            {isOut ? 'Publish the changes' : at === null ? 'Publish now' : 'Schedule'}
          </Button>
        )}
      </div>
    </Panel>
  )
}
