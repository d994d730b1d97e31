import { useNavigate, useParams } from 'react-router'
import type { FormValues } from '#contract/endpoint.ts'
import {
  bannerFields,
  clubAreaFields,
  deleteEntry,
  downloadFields,
  type SiteKind,
  saveBanner,
  saveClubArea,
  saveDownload,
} from '#contract/site.ts'
import { usePageQuery } from '#web/api/queries.ts'
import { Slide } from '#web/shell/rotator.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { DeskAction } from '../../kit/action.tsx'
import { getServerNow } from '../../kit/clock.ts'
import { DeskForm } from '../../kit/desk-form.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import { ScreenNotFound } from '../../notices.tsx'
import {
  type Banner,
  type ClubArea,
  createSharedProps,
  type Download,
  type EntryFormProps,
  isKind,
  KINDS,
} from './kinds.ts'
import { MediaForm } from './media-form.tsx'
import styles from './site.module.css'

/** Creates or edits one entry of the site. */
export function Screen() {
  const { kind, id = 'new' } = useParams()
  if (!isKind(kind)) return <ScreenNotFound />
  return <EntryPage key={`${kind} ${id}`} kind={kind} id={id} />
}

function EntryPage({ kind, id }: { kind: SiteKind; id: string }) {
  const navigate = useNavigate()
  const { label, singular, query, summary } = KINDS[kind]
  const entries = usePageQuery(query())
  const back = { to: `/admin/site/${kind}`, label }
  const goBack = () => void navigate(back.to)
  return (
    <Loaded result={entries} height={520}>
      {({ rows }) => {
        const row = rows.find((entry) => String(entry.id) === id) ?? null
        if (row === null && id !== 'new')
          return (
            <RecordPage back={back} title={`A ${singular}`}>
              <EmptyState title="This no longer exists" line="Someone may have deleted it." />
            </RecordPage>
          )
        const parts: EntryFormProps = {
          row,
          onDone: goBack,
          fetchLatest: async () => {
            const { data } = await entries.refetch()
            const currentEntry = data?.rows.find((entry) => String(entry.id) === id)
            if (currentEntry === undefined) throw new Error('This no longer exists.')
            return currentEntry
          },
          actions: row !== null && (
            <DeskAction
              endpoint={deleteEntry}
              input={{ kind, id: row.id, version: row.version }}
              label="Delete"
              tone="danger"
              confirmation={{
                title: `Delete this ${singular}?`,
                action: 'Delete it',
                text: 'This can’t be undone. If you may want it back later, hide it instead: untick ‘Players see it’.',
              }}
              successMessage="Deleted."
              onDone={goBack}
            />
          ),
        }
        return (
          <RecordPage back={back} title={row === null ? `New ${singular}` : summary(row).title}>
            <EntryForm kind={kind} parts={parts} />
          </RecordPage>
        )
      }}
    </Loaded>
  )
}

function EntryForm({ kind, parts }: { kind: SiteKind; parts: EntryFormProps }) {
  if (kind === 'banners') return <BannerForm {...parts} />
  if (kind === 'downloads') return <DownloadForm {...parts} />
  return kind === 'club-areas' ? <ClubAreaForm {...parts} /> : <MediaForm kind={kind} {...parts} />
}

function BannerForm(parts: EntryFormProps) {
  const props = createSharedProps(parts, (row) => {
    const { title = [], ...banner } = (row ?? {}) as Partial<Banner>
    return { ...banner, first_line: title[0] ?? '', second_line: title[1] ?? '' }
  })
  return (
    <DeskForm
      endpoint={saveBanner}
      {...props}
      fields={bannerFields}
      preview={(values) => <BannerPreview banner={values} />}
      show={[
        ['first_line', 'second_line', 'line', 'tag', 'href'],
        ['picture', 'picture_phone'],
        ['shown_from', 'shown_until'],
        'visible',
      ]}
    />
  )
}

/** Shows the banner as the home page does at the current width of the screen. */
function BannerPreview({ banner }: { banner: Partial<FormValues<typeof saveBanner>> }) {
  const { picture = null, picture_phone = null, first_line = '', second_line = '', line = '', tag = '' } = banner
  return (
    <div className={styles.banner}>
      <Slide
        banner={{
          id: 0,
          img_url: picture,
          img_phone_url: picture_phone,
          title: [first_line, second_line].filter((part) => part !== ''),
          line,
          tag,
          href: '/',
        }}
        position="1 of 1"
        isFirst={false}
        isShown
        isLoaded
      />
    </div>
  )
}

function DownloadForm(parts: EntryFormProps) {
  const mayChange = useMay()('downloads.write')
  const props = createSharedProps(parts, (row) => {
    const date = new Date(getServerNow()).toISOString()
    return (row as Download | null) ?? { link_type: 'full', link_icon: 'download', link_date: date }
  })
  return (
    <DeskForm
      endpoint={saveDownload}
      {...props}
      onWaiting={parts.onDone}
      fields={downloadFields}
      show={[
        <p key="hint" className={deskLayout.hint}>
          {mayChange
            ? 'Every player gets the program at this address. Another owner, if there is one, has to approve a new download, a changed address or hash, and showing a hidden download again.'
            : 'Your roles let you change the texts of a download. You can’t add a download, change its address or hash, or show a hidden one again.'}
        </p>,
        ['link_name', 'link_address', 'link_type', 'link_icon', 'link_version', 'link_size', 'link_date'],
        'link_changes',
        'link_description',
        'visible',
      ]}
    />
  )
}

function ClubAreaForm(parts: EntryFormProps) {
  const props = createSharedProps(parts, (row) => {
    const area = row as ClubArea | null
    return { ...area, club: area?.club ?? '', tax_percent: area?.tax_percent ?? 0 }
  })
  return (
    <DeskForm
      endpoint={saveClubArea}
      {...props}
      fields={clubAreaFields}
      show={[['name', 'club', 'tax_percent'], 'picture', 'visible']}
    />
  )
}
