import { type MetaFunction, useLoaderData } from 'react-router'
import { DOWNLOADS } from '#contract/downloads-messages.ts'
import { HydrateQueries } from '#web/api/hydrate-queries.tsx'
import { browserLoad, serverLoad } from '#web/api/page-data.ts'
import { pageMeta } from '#web/api/page-meta.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { DownloadLinks } from './download-links.tsx'
import { NextSteps } from './next-steps.tsx'
import { downloadsQuery } from './queries.ts'
import { Requirements } from './requirements.tsx'
import { WindowsNote } from './windows-note.tsx'

export const loader = serverLoad(() => [downloadsQuery])
export const clientLoader = browserLoad(() => [downloadsQuery])

export const meta: MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    crumb: DOWNLOADS.heading,
    description:
      'The full game client, its mirrors and patches, what it needs to run, and what to do after the download.',
    path: '/downloads',
  })

/** The full client download (SPEC §2.7), at /downloads and /download. */
export default function DownloadsPage() {
  const { dehydrated } = useLoaderData<typeof loader>()
  return (
    <HydrateQueries packed={dehydrated}>
      <PageHead
        crumb={DOWNLOADS.heading}
        title={DOWNLOADS.heading}
        lines={['Never played? Take the first link. The rest of this page is for while it loads.']}
      />
      <WindowsNote />
      <DownloadLinks />
      <NextSteps />
      <Requirements />
    </HydrateQueries>
  )
}
