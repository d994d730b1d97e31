import { type ChangeEvent, useId, useRef, useState } from 'react'
import { uploadCaptions } from '#contract/files.ts'
import { saveMedia } from '#contract/site.ts'
import { alertText } from '#web/api/call.ts'
import { FormGrid } from '#web/forms/sheet.tsx'
import { Button } from '#web/ui/button.tsx'
import { FieldError, TextField } from '#web/ui/field.tsx'
import { deskCall } from '../../kit/call.ts'
import { DeskForm, type DeskFormParts } from '../../kit/desk-form.tsx'
import { LinesField } from '../../kit/lines-field.tsx'
import { NumberField } from '../../kit/number-field.tsx'
import { PictureField } from '../../kit/picture-field.tsx'
import { formProps, type Parts, Visible } from './entry-form.tsx'
import type { MediaEntry } from './kinds.ts'
import styles from './site.module.css'

type MediaKindName = 'gallery' | 'wallpaper' | 'movie'

/** Adds or changes a picture of the gallery, a wallpaper or a movie. */
export function MediaForm({ kind, ...parts }: Parts & { kind: MediaKindName }) {
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
  return (
    <FormGrid>
      <LinesField label="Film addresses" hint="one per line" {...form.field('films')} />
      <NumberField
        label="Length in seconds"
        hint="optional"
        value={form.watch('seconds')}
        error={form.field('seconds').error}
        onChange={(seconds) => form.setValue('seconds', seconds as number)}
      />
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
        aria-label="Caption file"
        aria-describedby={shown === undefined ? `${id}-hint` : `${id}-error`}
        tabIndex={-1}
        onChange={(event) => void upload(event)}
      />
      <Button tone="secondary" busy={busy} disabled={captions.length === 6} onClick={() => picker.current?.click()}>
        Add captions
      </Button>
      {shown === undefined ? (
        <p id={`${id}-hint`}>A WebVTT file (.vtt) for each language; the first one is on until a player changes it.</p>
      ) : (
        <FieldError id={`${id}-error`}>{shown}</FieldError>
      )}
    </fieldset>
  )
}
