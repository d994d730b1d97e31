import { DOWNLOADS } from '#contract/downloads-messages.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { DownloadLinks } from './download-links.tsx'
import { NextSteps } from './next-steps.tsx'
import { Requirements } from './requirements.tsx'
import { WindowsNote } from './windows-note.tsx'

/** The full client download (SPEC §2.7), at /downloads and /download. */
export default function DownloadsPage() {
  return (
    <>
      <PageHead
        crumb={DOWNLOADS.heading}
        title={DOWNLOADS.heading}
        lines={['Never played? Take the first link. The rest of this page is for while it loads.']}
      />
      <WindowsNote />
      <DownloadLinks />
      <NextSteps />
      <Requirements />
    </>
  )
}
