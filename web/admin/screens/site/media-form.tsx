import { type ChangeEvent, useId, useRef, useState } from 'react'
import { uploadCaptions } from '#contract/files.ts'
import { captionFields, mediaFields, saveMedia } from '#contract/site.ts'
import { getAlertText } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { deskCall } from '../../kit/call.ts'
import { DeskForm, type DeskFormState } from '../../kit/desk-form.tsx'
import { FieldRows } from '../../kit/fields.tsx'
import { PictureField } from '../../kit/picture-field.tsx'
import { createSharedProps, type EntryFormProps, type MediaEntry } from './kinds.ts'
import styles from './site.module.css'

type MediaKindName = 'gallery' | 'wallpaper' | 'movie'

/** Adds or changes a picture of the gallery, a wallpaper or a movie. */
export function MediaForm({ kind, ...formProps }: EntryFormProps & { kind: MediaKindName }) {
  const props = createSharedProps(formProps, (row) => {
    const entry = (row as MediaEntry | null) ?? { previews: [], files: [], captions: [] }
    const films = kind === 'movie' ? entry.files.map(({ url }) => url).join('\n') : ''
    return { ...entry, kind, films }
  })
  return (
    <DeskForm
      endpoint={saveMedia}
      {...props}
      fields={mediaFields}
      show={(form) => [
        <MediaPictures key="pictures" kind={kind} form={form} />,
        ['title', 'credit', 'alt', 'description'],
        kind === 'movie' && ['films', 'seconds'],
        kind === 'movie' && <CaptionsField key="captions" form={form} />,
        'visible',
      ]}
    />
  )
}

type MediaFormState = DeskFormState<typeof saveMedia>

/** Uploads the pictures of an entry. A wallpaper has a wide and a tall picture; the server stores each in several sizes. */
function MediaPictures({ kind, form }: { kind: MediaKindName; form: MediaFormState }) {
  const { previews = [], files = [] } = form.values
  const error = form.getError('previews')
  type StoredFile = (typeof previews)[number]
  const isTall = ({ width, height }: StoredFile) => height > width
  const setPictures = (isInSlot: (file: StoredFile) => boolean, uploaded: StoredFile[]) => {
    const removeSlot = (list: StoredFile[]) => list.filter((file) => !isInSlot(file))
    const isPreview = ({ type }: StoredFile) => kind !== 'wallpaper' || type === 'image/webp'
    const sortPictures = (list: StoredFile[]) => list.toSorted((a, b) => Number(isTall(a)) - Number(isTall(b)))
    form.change({
      previews: sortPictures([...removeSlot(previews), ...uploaded.filter(isPreview)]),
      ...(kind === 'wallpaper' && {
        files: sortPictures([...removeSlot(files), ...uploaded.filter((file) => !isPreview(file))]),
      }),
    })
  }
  const findPicture = (isInSlot: (file: StoredFile) => boolean) => previews.find(isInSlot)?.url ?? null
  if (kind !== 'wallpaper')
    return (
      <PictureField
        label={kind === 'movie' ? 'Still' : 'Picture'}
        use={kind === 'movie' ? 'movie-poster' : 'gallery'}
        value={findPicture(() => true)}
        error={error}
        required
        onChange={(_, uploaded) => setPictures(() => true, uploaded)}
      />
    )
  return (
    <div className={styles.pictures}>
      <PictureField
        label="For computers"
        use="wallpaper-wide"
        value={findPicture((file) => !isTall(file))}
        error={error}
        onChange={(_, uploaded) => setPictures((file) => !isTall(file), uploaded)}
      />
      <PictureField
        label="For phones"
        use="wallpaper-tall"
        value={findPicture(isTall)}
        onChange={(_, uploaded) => setPictures(isTall, uploaded)}
      />
    </div>
  )
}

/**
 * Edits the captions of a movie. Each row has a file, a language, and a label for the movie's captions menu. A file is
 * uploaded as soon as the operator chooses it.
 */
function CaptionsField({ form }: { form: MediaFormState }) {
  const id = useId()
  const inputRef = useRef<HTMLInputElement>(null)
  const [failure, setFailure] = useState<string | undefined>()
  const [busy, setBusy] = useState(false)
  const { captions = [] } = form.values
  const setCaptions = (list: typeof captions) => form.change({ captions: list })
  const upload = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.[0]
    currentTarget.value = ''
    if (file === undefined) return
    setBusy(true)
    setFailure(undefined)
    try {
      const { url } = await deskCall(uploadCaptions, { captions: file })
      setCaptions([...(form.getValues().captions ?? []), { url, language: '', label: '' }])
    } catch (uploadError) {
      setFailure(getAlertText(uploadError))
    } finally {
      setBusy(false)
    }
  }
  const error = failure ?? form.getError('captions')
  return (
    <fieldset className={styles.captions}>
      <legend>Captions</legend>
      <FieldRows
        fields={captionFields}
        rows={captions}
        onChange={(rows) => setCaptions(rows.map((row) => ({ ...row, language: row.language.trim() })))}
        getName={({ label }) => label}
        className={styles.captionsRow}
      />
      <input
        ref={inputRef}
        type="file"
        accept=".vtt,text/vtt"
        className="visually-hidden"
        aria-label="Caption file"
        aria-describedby={error === undefined ? `${id}-hint` : `${id}-error`}
        tabIndex={-1}
        onChange={(event) => void upload(event)}
      />
      <Button tone="secondary" busy={busy} disabled={captions.length === 6} onClick={() => inputRef.current?.click()}>
        Add captions
      </Button>
      {error === undefined ? (
        <p id={`${id}-hint`}>A WebVTT file (.vtt) for each language; the first one is on until a player changes it.</p>
      ) : (
        <FieldError id={`${id}-error`}>{error}</FieldError>
      )}
    </fieldset>
  )
}
