import { useQueryClient } from '@tanstack/react-query'
import { type ChangeEvent, type MouseEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import {
  editPost,
  FORUM_BODY_MAX,
  FORUM_OPTIONS_MAX,
  getBoard,
  getMyBoard,
  getPostSource,
  previewPost,
  uploadForumPicture,
  writePost,
  writeTopic,
} from '#contract/forum.ts'
import { attempt } from '#web/api/attempt.ts'
import { call } from '#web/api/call.ts'
import { toKeyPrefix, useCall } from '#web/api/queries.ts'
import { getAccountNumber } from '#web/api/session.ts'
import { clearDraft, getStore, readDraft, saveDraft, useDraft } from '#web/forms/draft.ts'
import { TextArea } from '#web/forms/fields.tsx'
import { upload } from '#web/forms/upload.ts'
import { useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { showToast } from '#web/ui/toast.ts'
import { getPostDraft, getQuotesDraft } from './drafts.ts'
import styles from './editor.module.css'
import { PostBody } from './post-body.tsx'

/** Measures the time since the player's first input. */
function useTypingTime() {
  const beganAt = useRef<number | null>(null)
  return {
    start: () => {
      beganAt.current ??= performance.now()
    },
    getDurationMs: () => Math.round(beganAt.current === null ? 0 : performance.now() - beganAt.current),
    reset: () => {
      beganAt.current = null
    },
  }
}

/** The Markdown that a toolbar button adds around the selected text or before each selected line. */
const FORMATS = [
  { label: 'Bold', symbol: 'B', before: '**', after: '**' },
  { label: 'Italic', symbol: 'I', before: '*', after: '*' },
  { label: 'Quote', symbol: '“', line: '> ' },
  { label: 'List', symbol: '•', line: '- ' },
  { label: 'Link', symbol: 'Link', before: '[', after: '](https://)' },
] as const

type Format = (typeof FORMATS)[number]

/** Returns the text with a format applied to a range, and the new position of the cursor. */
function applyFormat(text: string, from: number, to: number, format: Format) {
  const selection = text.slice(from, to)
  const insertedText =
    'line' in format
      ? selection
          .split('\n')
          .map((line) => format.line + line)
          .join('\n')
      : format.before + selection + format.after
  const lineBreak = 'line' in format && from > 0 && text[from - 1] !== '\n' ? '\n' : ''
  const cursor =
    from + lineBreak.length + ('line' in format ? insertedText.length : format.before.length + selection.length)
  return { text: text.slice(0, from) + lineBreak + insertedText + text.slice(to), cursor }
}

type BodyProps = {
  label: string
  /** The text that precedes the typed text in the post. */
  precedingText?: string
  value: string
  setValue: (value: string) => void
  field: { name: string; error?: string | undefined }
  rows: number
}

/** The field for a post's text, with a toolbar, picture uploads and a preview. */
function BodyField({ label, precedingText = '', value, setValue, field, rows }: BodyProps) {
  const container: RefObject<HTMLDivElement | null> = useRef(null)
  const [preview, setPreview] = useState<string | null>(null)
  const [busy, setBusy] = useState<'preview' | 'picture' | null>(null)
  const findTextArea = () => container.current?.querySelector('textarea')
  const latestValue = useRef(value)
  latestValue.current = value
  const insert = (edit: (text: string, from: number, to: number) => { text: string; cursor: number }) => {
    const target = findTextArea()
    const { selectionStart = latestValue.current.length, selectionEnd = latestValue.current.length } = target ?? {}
    const { text, cursor } = edit(latestValue.current, selectionStart, selectionEnd)
    setValue(text)
    requestAnimationFrame(() => {
      target?.focus()
      target?.setSelectionRange(cursor, cursor)
    })
  }
  const runTask = async (task: 'preview' | 'picture', action: () => Promise<void>) => {
    setBusy(task)
    await attempt(action)
    setBusy(null)
  }
  const addPictures = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])]
    target.value = ''
    void runTask('picture', async () => {
      for (const picture of files) {
        const { url } = await upload(uploadForumPicture, { picture }, { shellFailures: 'ended-session' })
        const caption = picture.name.replace(/\.\w+$/, '').replace(/[[\]()]/g, ' ')
        insert((text, from, to) => {
          const insertedText = `${from > 0 && text[from - 1] !== '\n' ? '\n' : ''}![${caption}](${url})\n`
          return { text: text.slice(0, from) + insertedText + text.slice(to), cursor: from + insertedText.length }
        })
      }
    })
  }
  const togglePreview = () =>
    preview === null
      ? runTask('preview', async () => setPreview((await call(previewPost, { body: precedingText + value })).html))
      : Promise.resolve(setPreview(null))
  return (
    <div ref={container} className={layout.stack8}>
      <div className={styles.bar} role="toolbar" aria-label="Formatting">
        {FORMATS.map((format) => (
          <button
            key={format.label}
            type="button"
            className={styles.tool}
            disabled={preview !== null}
            onClick={() => insert((text, from, to) => applyFormat(text, from, to, format))}
          >
            <span aria-hidden="true">{format.symbol}</span>
            <span className="visually-hidden">{format.label}</span>
          </button>
        ))}
        <label className={styles.tool} data-busy={busy === 'picture' || undefined}>
          <input
            type="file"
            accept="image/png,image/jpeg,image/webp"
            multiple
            className="visually-hidden"
            disabled={preview !== null || busy === 'picture'}
            onChange={addPictures}
          />
          {busy === 'picture' ? 'Uploading…' : 'Picture'}
        </label>
        <button
          type="button"
          className={`${styles.tool} ${styles.preview}`}
          disabled={value.trim() === ''}
          aria-busy={busy === 'preview' || undefined}
          onClick={() => void togglePreview()}
        >
          {preview === null ? 'Preview' : 'Keep writing'}
        </button>
      </div>
      {preview !== null && (
        <div className={styles.previewContent} aria-live="polite">
          <PostBody html={preview} />
        </div>
      )}
      <div hidden={preview !== null}>
        <TextArea label={label} rows={rows} text={precedingText + value} limit={FORUM_BODY_MAX} {...field} />
        <p className={styles.hint}>
          **bold**, *italic*, &gt; quote, - list. Mention a player with @ and the name of a character.
        </p>
      </div>
    </div>
  )
}

type FormFrameProps = {
  title: string
  failure: string | null
  busy: boolean
  submit: string
  onClose: () => void
  children: ReactNode
}

/** The frame of each form. Its first field gets the focus; Cancel returns the focus to the button that opened the form. */
function FormFrame({ title, failure, busy, submit, onClose, children }: FormFrameProps) {
  const container = useRef<HTMLDivElement>(null)
  const opener = useRef(document.activeElement)
  useEffect(() => container.current?.querySelector<HTMLElement>('input:not([type]), textarea')?.focus(), [])
  const cancel = () => {
    requestAnimationFrame(() => opener.current?.isConnected && (opener.current as HTMLElement).focus())
    onClose()
  }
  return (
    <Panel title={title} level={3}>
      <div ref={container} className={`${layout.stack} ${layout.padded}`}>
        {children}
        <div role="alert">{failure !== null && <p className={styles.failure}>{failure}</p>}</div>
        <div className={layout.buttons}>
          <Button type="submit" busy={busy}>
            {submit}
          </Button>
          <Button tone="secondary" onClick={cancel}>
            Cancel
          </Button>
        </div>
      </div>
    </Panel>
  )
}

type PollFields = { question: string; answers: string; choices: string; days: string }
const EMPTY_POLL: PollFields = { question: '', answers: '', choices: '1', days: '7' }

/** Converts the fields of a poll to the call's input. */
const toPollInput = ({ question, answers, choices, days }: PollFields) => ({
  question,
  options: answers
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== ''),
  choices_max: Number(choices) || 1,
  days: days === '' ? null : Number(days),
})

type TopicFormProps = { category: number; isGallery: boolean; onClose: () => void }

/** The form for a new topic, with an optional poll. */
export function TopicForm({ category, isGallery, onClose }: TopicFormProps) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const typingTime = useTypingTime()
  const [poll, setPoll] = useState<PollFields | null>(null)
  const form = useCallForm(writeTopic, {
    defaultValues: { title: '', body: '' },
    input: ({ title, body }) => ({
      category,
      title,
      body,
      poll: poll === null ? null : toPollInput(poll),
      typing_ms: typingTime.getDurationMs(),
    }),
    onDone: async ({ message, held, path }) => {
      draft.clear()
      void showToast('done', message)
      if (!held) return navigate(path)
      onClose()
      await queries.refetchQueries({ queryKey: toKeyPrefix(getMyBoard), type: 'active' })
      await queries.invalidateQueries({ queryKey: toKeyPrefix(getBoard) })
    },
  })
  const draft = useDraft(form, getPostDraft({ category }, getAccountNumber()))
  const addPoll = ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) => {
    setPoll(EMPTY_POLL)
    requestAnimationFrame(() => form?.querySelector<HTMLElement>('fieldset input')?.focus())
  }
  const changePoll = (changes: Partial<PollFields>) => setPoll({ ...EMPTY_POLL, ...poll, ...changes })
  return (
    <form {...form.form} onInput={typingTime.start} onChange={draft.save}>
      <FormFrame title="New topic" failure={form.failure} busy={form.busy} submit="Post topic" onClose={onClose}>
        <TextField label="Title" {...form.field('title')} />
        <BodyField
          label={isGallery ? 'Your picture and a few words' : 'Text'}
          rows={8}
          value={form.watch('body') ?? ''}
          setValue={(body) => form.setValue('body', body)}
          field={form.field('body')}
        />
        {poll === null ? (
          <div>
            <Button tone="quiet" onClick={addPoll}>
              Add a poll
            </Button>
          </div>
        ) : (
          <fieldset className={styles.poll}>
            <legend>Poll</legend>
            <TextField
              label="Question"
              value={poll.question}
              onChange={({ target }) => changePoll({ question: target.value })}
            />
            <TextArea
              label={`Answers, one per line, up to ${FORUM_OPTIONS_MAX}`}
              rows={4}
              text={poll.answers}
              limit={800}
              value={poll.answers}
              onChange={({ target }) => changePoll({ answers: target.value })}
            />
            <div className={styles.pair}>
              <TextField
                label="Answers each player can choose"
                inputMode="numeric"
                value={poll.choices}
                onChange={({ target }) => changePoll({ choices: target.value })}
              />
              <TextField
                label="Length in days"
                hint="empty: no end"
                inputMode="numeric"
                value={poll.days}
                onChange={({ target }) => changePoll({ days: target.value })}
              />
            </div>
            <Button tone="quiet" onClick={() => setPoll(null)}>
              No poll
            </Button>
          </fieldset>
        )}
      </FormFrame>
    </form>
  )
}

type ReplyFormProps = {
  topic: number
  /** A quote to add to the quotes of the reply. Each serial number is added only one time. */
  quote: { serial: number; text: string } | null
  onClose: () => void
  onWritten: () => Promise<void>
}

/** Stores the quotes of an unsent reply, like its text. */
function useQuotes(topic: number) {
  const draft = getQuotesDraft(topic, getAccountNumber())
  const [quotes, setQuotes] = useState(() => String(readDraft(getStore(draft), draft).text ?? ''))
  const changeQuotes = (text: string) => {
    setQuotes(text)
    if (text === '') clearDraft(getStore(draft), draft)
    else saveDraft(getStore(draft), draft, { text })
  }
  return [quotes, changeQuotes] as const
}

/** The form for a reply, below its quotes. The typed text stays after a refusal and after a reload. */
export function ReplyForm({ topic, quote, onClose, onWritten }: ReplyFormProps) {
  const navigate = useNavigate()
  const typingTime = useTypingTime()
  const [quotes, setQuotes] = useQuotes(topic)
  const form = useCallForm(writePost, {
    defaultValues: { body: '' },
    input: ({ body }) => ({ topic, body: quotes + body, typing_ms: typingTime.getDurationMs() }),
    onDone: async ({ message, held, path }) => {
      draft.clear({ acceptsNext: true })
      setQuotes('')
      typingTime.reset()
      form.reset({ body: '' })
      void showToast('done', message)
      await onWritten()
      if (!held) await navigate(path)
    },
  })
  const draft = useDraft(form, getPostDraft({ topic }, getAccountNumber()))
  const addedSerial = useRef(0)
  useEffect(() => {
    if (quote === null || addedSerial.current === quote.serial) return
    addedSerial.current = quote.serial
    setQuotes(quotes + quote.text)
    form.setFocus('body')
  }, [quote, quotes, setQuotes, form.setFocus])
  return (
    <form {...form.form} onInput={typingTime.start} onChange={draft.save}>
      <FormFrame title="Reply" failure={form.failure} busy={form.busy} submit="Post reply" onClose={onClose}>
        {quotes !== '' && <Quotes text={quotes} onRemove={() => setQuotes('')} />}
        <BodyField
          label="Text"
          rows={6}
          precedingText={quotes}
          value={form.watch('body') ?? ''}
          setValue={(body) => form.setValue('body', body)}
          field={form.field('body')}
        />
      </FormFrame>
    </form>
  )
}

/** Shows the quotes of a reply as they will appear in the post. */
function Quotes({ text, onRemove }: { text: string; onRemove: () => void }) {
  const [html, setHtml] = useState('')
  useEffect(() => {
    call(previewPost, { body: text }).then(
      (response) => setHtml(response.html),
      () => setHtml(''),
    )
  }, [text])
  return (
    <section className={styles.quotes} aria-label="Quoted in the reply">
      {html === '' ? <p className={styles.source}>{text}</p> : <PostBody html={html} />}
      <Button tone="quiet" onClick={onRemove}>
        Remove the quote
      </Button>
    </section>
  )
}

type EditFormProps = { post: number; onClose: () => void; onWritten: () => Promise<void> }

/** The form to edit the player's post. For the first post of a topic it includes the title. */
export function EditForm({ post, onClose, onWritten }: EditFormProps) {
  const { data } = useCall(getPostSource, { post }, { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 })
  if (data === undefined) return <p role="status">Loading…</p>
  return <LoadedEditForm post={post} title={data.title} body={data.body} onClose={onClose} onWritten={onWritten} />
}

type LoadedEditFormProps = EditFormProps & { title: string; body: string }

function LoadedEditForm({ post, title, body, onClose, onWritten }: LoadedEditFormProps) {
  const form = useCallForm(editPost, {
    defaultValues: title === '' ? { body } : { title, body },
    input: (values) => ({ post, ...values }),
    onDone: async ({ message }) => {
      void showToast('done', message)
      await onWritten()
    },
  })
  return (
    <form {...form.form}>
      <FormFrame title="Edit" failure={form.failure} busy={form.busy} submit="Save" onClose={onClose}>
        {title !== '' && <TextField label="Title" {...form.field('title')} />}
        <BodyField
          label="Text"
          rows={8}
          value={form.watch('body') ?? ''}
          setValue={(text) => form.setValue('body', text)}
          field={form.field('body')}
        />
      </FormFrame>
    </form>
  )
}
