import { type ChangeEvent, type ReactNode, type TextareaHTMLAttributes, useId, useRef, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { uploadCaptions } from '#contract/desk-files.ts'
import { deleteEntry, type SiteKind, saveBanner, saveClubArea, saveDownload, saveMedia } from '#contract/desk-site.ts'
import type { FormValues, Wire } from '#contract/endpoint.ts'
import { alertText } from '#web/api/call.ts'
import { useLoaded } from '#web/api/queries.ts'
import { Checkbox, SelectField } from '#web/forms/fields.tsx'
import { FormGrid } from '#web/forms/sheet.tsx'
import { Button } from '#web/ui/button.tsx'
import field from '#web/ui/field.module.css'
import { FieldError, FieldFrame, TextField } from '#web/ui/field.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { deskCall } from '../../kit/call.ts'
import { serverNow } from '../../kit/clock.ts'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { DeskForm, type DeskFormParts } from '../../kit/desk-form.tsx'
import { MomentField } from '../../kit/moment-field.tsx'
import { PictureField } from '../../kit/picture-field.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { type Banner, type ClubArea, type Download, isKind, KINDS, type MediaEntry } from './kinds.ts'
import styles from './site.module.css'

/** One entry of the site: a new one, or one to change. */
export function Screen() {
  const { kind, id = 'new' } = useParams()
  if (!isKind(kind)) return <EmptyState title="There is nothing here" />
  return <EntryPage key={`${kind} ${id}`} kind={kind} id={id} />
}

type Row = { id: number; version: number; visible: boolean }

function EntryPage({ kind, id }: { kind: SiteKind; id: string }) {
  const navigate = useNavigate()
  const { label, one, query, summary } = KINDS[kind]
  const entries = useLoaded(query())
  const [isDeleting, setDeleting] = useState(false)
  const back = { to: `/admin/site/${kind}`, label }
  const goBack = () => void navigate(back.to)
  return (
    <Loaded of={entries} height={520}>
      {({ rows }) => {
        const row = rows.find((entry) => String(entry.id) === id) ?? null
        if (row === null && id !== 'new')
          return (
            <RecordPage back={back} title={`A ${one}`}>
              <EmptyState title="This is not there any more" line="Somebody may have deleted it." />
            </RecordPage>
          )
        const parts: Parts = {
          row,
          onDone: goBack,
          latest: async () => {
            const { data } = await entries.refetch()
            const now = data?.rows.find((entry) => String(entry.id) === id)
            if (now === undefined) throw new Error('This is not there any more.')
            return now
          },
          actions: row !== null && (
            <Button tone="danger" onClick={() => setDeleting(true)}>
              Delete
            </Button>
          ),
        }
        return (
          <RecordPage back={back} title={row === null ? `A new ${one}` : summary(row).title}>
            <EntryForm kind={kind} parts={parts} />
            {row !== null && (
              <ConfirmDialog
                open={isDeleting}
                onClose={() => setDeleting(false)}
                title={`Delete this ${one}?`}
                action="Delete it"
                tone="danger"
                endpoint={deleteEntry}
                input={() => ({ kind, id: row.id, version: row.version })}
                done="Deleted."
                onDone={goBack}
              >
                <p>It is gone for good. To bring it back later, hide it instead: untick ‘Players see it’.</p>
              </ConfirmDialog>
            )}
          </RecordPage>
        )
      }}
    </Loaded>
  )
}

type Parts = { row: Row | null; latest: () => Promise<Row>; onDone: () => void; actions: ReactNode }

function EntryForm({ kind, parts }: { kind: SiteKind; parts: Parts }) {
  if (kind === 'banners') return <BannerForm {...parts} />
  if (kind === 'downloads') return <DownloadForm {...parts} />
  return kind === 'club-areas' ? <ClubAreaForm {...parts} /> : <MediaForm kind={kind} {...parts} />
}

/** What the forms of all kinds are given: the row, its version, and what to do when somebody else was faster. */
function formProps<E extends Wire>(
  { row, latest, onDone, actions }: Parts,
  toValues: (row: Row | null) => Partial<FormValues<E>>,
) {
  const identity = (one: Row | null) => ({
    id: one?.id ?? null,
    version: one?.version ?? 0,
    visible: one?.visible ?? true,
  })
  const valuesOf = (one: Row | null) => ({ ...identity(one), ...toValues(one) }) as Partial<FormValues<E>>
  return {
    values: valuesOf(row),
    version: row?.version ?? 0,
    input: (values: object, version: number | null) => ({ ...values, version: version ?? 0 }) as never,
    latest: async () => {
      const now = await latest()
      return { version: now.version, values: valuesOf(now) }
    },
    submit: row === null ? 'Add it' : 'Save',
    done: row === null ? 'Added.' : 'Saved.',
    onDone,
    actions,
  }
}

function Visible<E extends Wire>({ form }: { form: DeskFormParts<E> }) {
  return <Checkbox label="Players see it" {...form.field('visible' as never)} />
}

function BannerForm(parts: Parts) {
  const props = formProps<typeof saveBanner>(parts, (row) => {
    const banner = row as Banner | null
    return {
      first_line: banner?.title[0] ?? '',
      second_line: banner?.title[1] ?? '',
      line: banner?.line ?? '',
      tag: banner?.tag ?? '',
      href: banner?.href ?? '',
      picture: banner?.picture ?? null,
      picture_phone: banner?.picture_phone ?? null,
      shown_from: banner?.shown_from ?? null,
      shown_until: banner?.shown_until ?? null,
    }
  })
  return (
    <DeskForm endpoint={saveBanner} {...props}>
      {(form) => {
        const { field: of, watch, setValue, touch } = form
        const picture = (name: 'picture' | 'picture_phone') => ({
          value: watch(name),
          error: of(name).error,
          onChange: (url: string | null) => {
            setValue(name, url)
            touch()
          },
        })
        const moment = (name: 'shown_from' | 'shown_until') => ({
          value: watch(name) ?? null,
          error: of(name).error,
          onChange: (at: string | null) => {
            setValue(name, at)
            touch()
          },
        })
        return (
          <>
            <FormGrid>
              <TextField label="Headline" {...of('first_line')} />
              <TextField label="Second line of the headline" hint="optional" {...of('second_line')} />
              <TextField label="Text" hint="optional" {...of('line')} />
              <TextField label="Tag" hint="optional, such as Sat 9 PM" {...of('tag')} />
              <TextField label="Leads to" hint="/news or https://…" {...of('href')} />
            </FormGrid>
            <div className={styles.pictures}>
              <PictureField label="Picture" use="banner" {...picture('picture')} />
              <PictureField label="Picture on phones" use="banner-phone" {...picture('picture_phone')} />
            </div>
            <FormGrid>
              <MomentField label="Show from" hint="empty: at once · Manila time" {...moment('shown_from')} />
              <MomentField label="Show until" hint="empty: until you hide it" {...moment('shown_until')} />
            </FormGrid>
            <Visible form={form} />
          </>
        )
      }}
    </DeskForm>
  )
}

/** The usual values, and the one that is there where it is none of them. */
function Options({ names, now = '' }: { names: Record<string, string>; now?: string | undefined }) {
  const all = now in names || now === '' ? names : { ...names, [now]: now }
  return Object.entries(all).map(([value, name]) => (
    <option key={value} value={value}>
      {name}
    </option>
  ))
}

type LinesProps = TextareaHTMLAttributes<HTMLTextAreaElement> & {
  label: string
  hint: string
  error?: string | undefined
}

/** A text of several lines. */
function Lines({ label, hint, error, ...area }: LinesProps) {
  return (
    <FieldFrame label={label} hint={hint} error={error}>
      {(control) => <textarea rows={3} {...area} {...control} className={`${field.input} ${styles.text}`} />}
    </FieldFrame>
  )
}

const DOWNLOAD_NAMES = { full: 'The full client', mirror: 'A mirror', patch: 'A patch', torrent: 'A torrent' }
const ICON_NAMES = { download: 'Download', mirror: 'Mirror', patch: 'Patch', torrent: 'Torrent' }

function DownloadForm(parts: Parts) {
  const props = formProps<typeof saveDownload>(parts, (row) => {
    const download = row as Download | null
    return {
      link_name: download?.link_name ?? '',
      link_address: download?.link_address ?? '',
      link_type: download?.link_type ?? 'full',
      link_description: download?.link_description ?? '',
      link_date: download?.link_date ?? new Date(serverNow()).toISOString(),
      link_icon: download?.link_icon ?? 'download',
    }
  })
  return (
    <DeskForm endpoint={saveDownload} {...props}>
      {(form) => (
        <>
          <FormGrid>
            <TextField label="Name" {...form.field('link_name')} />
            <TextField label="Address" hint="https://…" inputMode="url" {...form.field('link_address')} />
            <SelectField label="What it is" {...form.field('link_type')}>
              <Options names={DOWNLOAD_NAMES} now={props.values.link_type} />
            </SelectField>
            <SelectField label="Icon" {...form.field('link_icon')}>
              <Options names={ICON_NAMES} now={props.values.link_icon} />
            </SelectField>
            <Lines
              label="Description"
              hint="lines such as Size: 2.9 GB, Version: 1.42, SHA-256: …, Mirror: 1"
              {...form.field('link_description')}
            />
            <MomentField
              label="Date of the file"
              value={form.watch('link_date') ?? null}
              error={form.field('link_date').error}
              onChange={(at) => {
                form.setValue('link_date', at ?? '')
                form.touch()
              }}
            />
          </FormGrid>
          <Visible form={form} />
        </>
      )}
    </DeskForm>
  )
}

type MediaKindName = 'gallery' | 'wallpaper' | 'movie'

function MediaForm({ kind, ...parts }: Parts & { kind: MediaKindName }) {
  const props = formProps<typeof saveMedia>(parts, (row) => {
    const entry = row as MediaEntry | null
    return {
      kind,
      title: entry?.title ?? '',
      description: entry?.description ?? '',
      alt: entry?.alt ?? '',
      credit: entry?.credit ?? '',
      previews: entry?.previews ?? [],
      files: entry?.files ?? [],
      films: kind === 'movie' ? (entry?.files.map(({ url }) => url).join('\n') ?? '') : '',
      captions: entry?.captions ?? [],
      seconds: entry?.seconds ?? null,
    }
  })
  return (
    <DeskForm endpoint={saveMedia} {...props}>
      {(form) => (
        <>
          <MediaPictures kind={kind} form={form} />
          <FormGrid>
            <TextField label="Title" {...form.field('title')} />
            <TextField label="Made by" hint="optional" {...form.field('credit')} />
            <TextField label="What it shows" hint="for people who cannot see it" {...form.field('alt')} />
            <TextField label="Description" hint="optional" {...form.field('description')} />
          </FormGrid>
          {kind === 'movie' && (
            <>
              <Film form={form} />
              <CaptionsField form={form} />
            </>
          )}
          <Visible form={form} />
        </>
      )}
    </DeskForm>
  )
}

type MediaFormParts = DeskFormParts<typeof saveMedia>

/** The uploads of a kind. A wallpaper has a wide and a tall one, each with its own sizes. */
function MediaPictures({ kind, form }: { kind: MediaKindName; form: MediaFormParts }) {
  const previews = form.watch('previews') ?? []
  const files = form.watch('files') ?? []
  const error = form.field('previews').error
  type Stored = (typeof previews)[number]
  const isTall = ({ width, height }: Stored) => height > width
  const put = (shape: (file: Stored) => boolean, uploaded: Stored[]) => {
    const others = (list: Stored[]) => list.filter((file) => !shape(file))
    const isPreview = ({ type }: Stored) => kind !== 'wallpaper' || type === 'image/webp'
    const ordered = (list: Stored[]) => list.toSorted((a, b) => Number(isTall(a)) - Number(isTall(b)))
    form.setValue('previews', ordered([...others(previews), ...uploaded.filter(isPreview)]))
    if (kind === 'wallpaper')
      form.setValue('files', ordered([...others(files), ...uploaded.filter((file) => !isPreview(file))]))
    form.touch()
  }
  const pictureOf = (shape: (file: Stored) => boolean) => previews.find(shape)?.url ?? null
  if (kind !== 'wallpaper')
    return (
      <PictureField
        label={kind === 'movie' ? 'Still' : 'Picture'}
        use={kind === 'movie' ? 'movie-poster' : 'gallery'}
        value={pictureOf(() => true)}
        error={error}
        required
        onChange={(_, uploaded) => put(() => true, uploaded)}
      />
    )
  return (
    <div className={styles.pictures}>
      <PictureField
        label="For computers"
        use="wallpaper-wide"
        value={pictureOf((file) => !isTall(file))}
        error={error}
        onChange={(_, uploaded) => put((file) => !isTall(file), uploaded)}
      />
      <PictureField
        label="For phones"
        use="wallpaper-tall"
        value={pictureOf(isTall)}
        onChange={(_, uploaded) => put(isTall, uploaded)}
      />
    </div>
  )
}

function Film({ form }: { form: MediaFormParts }) {
  const secondsError = form.field('seconds').error
  return (
    <FormGrid>
      <Lines label="Where the film is" hint="one address to a line" {...form.field('films')} />
      <FieldFrame label="Length in seconds" hint="optional">
        {(control) => (
          <>
            <input
              {...control}
              className={field.input}
              inputMode="numeric"
              defaultValue={form.watch('seconds') ?? ''}
              onChange={({ currentTarget: { value } }) =>
                form.setValue('seconds', value.trim() === '' ? null : Number(value))
              }
            />
            {secondsError !== undefined && <FieldError id={`${control.id}-error`}>{secondsError}</FieldError>}
          </>
        )}
      </FieldFrame>
    </FormGrid>
  )
}

/** The captions of a film: each is a file that is uploaded at once, its language and the name players choose it by. */
function CaptionsField({ form }: { form: MediaFormParts }) {
  const id = useId()
  const picker = useRef<HTMLInputElement>(null)
  const [failure, setFailure] = useState<string | undefined>()
  const [busy, setBusy] = useState(false)
  const captions = form.watch('captions') ?? []
  const put = (list: typeof captions) => {
    form.setValue('captions', list)
    form.touch()
  }
  const change = (nth: number, part: Partial<(typeof captions)[number]>) =>
    put(captions.map((one, index) => (index === nth ? { ...one, ...part } : one)))
  const upload = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.[0]
    currentTarget.value = ''
    if (file === undefined) return
    setBusy(true)
    setFailure(undefined)
    try {
      const { url } = await deskCall(uploadCaptions, { captions: file })
      put([...(form.getValues().captions ?? []), { url, language: '', label: '' }])
    } catch (problem) {
      setFailure(alertText(problem))
    } finally {
      setBusy(false)
    }
  }
  const shown = failure ?? form.field('captions').error
  return (
    <fieldset className={styles.captions}>
      <legend>Captions</legend>
      {captions.map(({ url, language, label }, nth) => (
        <div key={url} className={styles.captionsRow}>
          <TextField
            label="Language"
            hint="en, fil, ceb…"
            value={language}
            autoCapitalize="none"
            onChange={({ currentTarget }) => change(nth, { language: currentTarget.value.trim() })}
          />
          <TextField
            label="Name players see"
            value={label}
            onChange={({ currentTarget }) => change(nth, { label: currentTarget.value })}
          />
          <Button tone="quiet" onClick={() => put(captions.filter((_, index) => index !== nth))}>
            Remove<span className="visually-hidden"> {label}</span>
          </Button>
        </div>
      ))}
      <input
        ref={picker}
        type="file"
        accept=".vtt,text/vtt"
        className="visually-hidden"
        aria-label="File of captions"
        aria-describedby={shown === undefined ? `${id}-hint` : `${id}-error`}
        tabIndex={-1}
        onChange={(event) => void upload(event)}
      />
      <Button tone="secondary" busy={busy} disabled={captions.length === 6} onClick={() => picker.current?.click()}>
        Add captions
      </Button>
      {shown === undefined ? (
        <p id={`${id}-hint`}>A WebVTT file (.vtt) for each language; the first is on until a player changes it.</p>
      ) : (
        <FieldError id={`${id}-error`}>{shown}</FieldError>
      )}
    </fieldset>
  )
}

function ClubAreaForm(parts: Parts) {
  const props = formProps<typeof saveClubArea>(parts, (row) => {
    const area = row as ClubArea | null
    return {
      name: area?.name ?? '',
      club: area?.club ?? '',
      tax_percent: area?.tax_percent ?? 0,
      picture: area?.picture ?? null,
    }
  })
  return (
    <DeskForm endpoint={saveClubArea} {...props}>
      {(form) => (
        <>
          <FormGrid>
            <TextField label="Name" {...form.field('name')} />
            <TextField label="Club that owns it" hint="empty: nobody" {...form.field('club')} />
            <TextField label="Tax in percent" inputMode="numeric" {...form.field('tax_percent')} />
          </FormGrid>
          <PictureField
            label="Picture"
            use="club-area"
            value={form.watch('picture')}
            error={form.field('picture').error}
            onChange={(url) => {
              form.setValue('picture', url)
              form.touch()
            }}
          />
          <Visible form={form} />
        </>
      )}
    </DeskForm>
  )
}
