import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { deleteEntry, type SiteKind, saveBanner, saveClubArea, saveDownload } from '#contract/site.ts'
import { useLoaded } from '#web/api/queries.ts'
import { SelectField } from '#web/forms/fields.tsx'
import { FormGrid } from '#web/forms/sheet.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { serverNow } from '../../kit/clock.ts'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import { LinesField } from '../../kit/lines-field.tsx'
import looks from '../../kit/looks.module.css'
import { MomentField } from '../../kit/moment-field.tsx'
import { PictureField } from '../../kit/picture-field.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import { ScreenNotFound } from '../../notices.tsx'
import { formProps, type Parts, Visible } from './entry-form.tsx'
import { type Banner, type ClubArea, type Download, isKind, KINDS } from './kinds.ts'
import { MediaForm } from './media-form.tsx'
import styles from './site.module.css'

/** One entry of the site: a new one, or one to change. */
export function Screen() {
  const { kind, id = 'new' } = useParams()
  if (!isKind(kind)) return <ScreenNotFound />
  return <EntryPage key={`${kind} ${id}`} kind={kind} id={id} />
}

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
              <EmptyState title="This no longer exists" line="Someone may have deleted it." />
            </RecordPage>
          )
        const parts: Parts = {
          row,
          onDone: goBack,
          latest: async () => {
            const { data } = await entries.refetch()
            const now = data?.rows.find((entry) => String(entry.id) === id)
            if (now === undefined) throw new Error('This no longer exists.')
            return now
          },
          actions: row !== null && (
            <Button tone="danger" onClick={() => setDeleting(true)}>
              Delete
            </Button>
          ),
        }
        return (
          <RecordPage back={back} title={row === null ? `New ${one}` : summary(row).title}>
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
                <p>This can’t be undone. If you may want it back later, hide it instead: untick ‘Players see it’.</p>
              </ConfirmDialog>
            )}
          </RecordPage>
        )
      }}
    </Loaded>
  )
}

function EntryForm({ kind, parts }: { kind: SiteKind; parts: Parts }) {
  if (kind === 'banners') return <BannerForm {...parts} />
  if (kind === 'downloads') return <DownloadForm {...parts} />
  return kind === 'club-areas' ? <ClubAreaForm {...parts} /> : <MediaForm kind={kind} {...parts} />
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
              <TextField label="Link" hint="/news or https://…" {...of('href')} />
            </FormGrid>
            <div className={styles.pictures}>
              <PictureField label="Picture" use="banner" {...picture('picture')} />
              <PictureField label="Picture on phones" use="banner-phone" {...picture('picture_phone')} />
            </div>
            <BannerPreview
              picture={watch('picture') ?? null}
              tag={watch('tag') ?? ''}
              headline={[watch('first_line') ?? '', watch('second_line') ?? '']}
              line={watch('line') ?? ''}
            />
            <FormGrid>
              <MomentField label="Show from" hint="empty: right away · Manila time" {...moment('shown_from')} />
              <MomentField label="Show until" hint="empty: until you hide it" {...moment('shown_until')} />
            </FormGrid>
            <Visible form={form} />
          </>
        )
      }}
    </DeskForm>
  )
}

type PreviewProps = { picture: string | null; tag: string; headline: [string, string]; line: string }

/** The banner as players see it on a desktop, with the shade that uploaded pictures get behind the words. */
function BannerPreview({ picture, tag, headline, line }: PreviewProps) {
  return (
    <figure className={styles.preview}>
      <figcaption>On the site</figcaption>
      <div data-uploaded={picture?.startsWith('/files/') || undefined}>
        {picture !== null && <img src={picture} alt="" />}
        <p>
          {tag !== '' && <span>{tag}</span>}
          <b>
            {headline[0]} <br />
            {headline[1]}
          </b>
          {line}
        </p>
      </div>
    </figure>
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

const DOWNLOAD_NAMES = { full: 'The full client', mirror: 'A mirror', patch: 'A patch', torrent: 'A torrent' }
const ICON_NAMES = { download: 'Download', mirror: 'Mirror', patch: 'Patch', torrent: 'Torrent' }

function DownloadForm(parts: Parts) {
  const mayChange = useMay()('downloads.write')
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
    <DeskForm endpoint={saveDownload} {...props} onWaiting={parts.onDone}>
      {(form) => (
        <>
          <p className={looks.hint}>
            {mayChange
              ? 'Every player gets the program at this address. A new download, another address or hash, and showing one again wait for another owner, if you have one.'
              : 'Your roles allow changing the words of a download, but not its address or hash, and not adding one or showing one again.'}
          </p>
          <FormGrid>
            <TextField label="Name" {...form.field('link_name')} />
            <TextField label="Address" hint="https://…" inputMode="url" {...form.field('link_address')} />
            <SelectField label="What it is" {...form.field('link_type')}>
              <Options names={DOWNLOAD_NAMES} now={props.values.link_type} />
            </SelectField>
            <SelectField label="Icon" {...form.field('link_icon')}>
              <Options names={ICON_NAMES} now={props.values.link_icon} />
            </SelectField>
            <LinesField
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
