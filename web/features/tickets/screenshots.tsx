import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import type { TicketScreenshot } from '#contract/tickets.ts'
import { type Access, screenshotQuery } from './queries.ts'
import styles from './screenshots.module.css'
import { useNearScreen } from './use-near-screen.ts'
import { useObjectUrl } from './use-object-url.ts'

const PictureViewer = lazy(async () => ({ default: (await import('./picture-viewer.tsx')).PictureViewer }))

type Owner = { access: Access; userNum: number }
type Props = Owner & { screenshots: readonly TicketScreenshot[] }

/** The pictures of a message, small; each opens large. */
export function Screenshots({ screenshots, ...owner }: Props) {
  const [open, setOpen] = useState<number | null>(null)
  return (
    <>
      <ul className={styles.thumbs}>
        {screenshots.map((screenshot, index) => (
          <li key={screenshot.id}>
            <Thumb
              screenshot={screenshot}
              label={`Screenshot ${index + 1} of ${screenshots.length}`}
              onOpen={() => setOpen(index)}
              {...owner}
            />
          </li>
        ))}
      </ul>
      {open !== null && (
        <Suspense>
          <PictureViewer
            screenshots={screenshots}
            index={open}
            onIndex={setOpen}
            onClose={() => setOpen(null)}
            {...owner}
          />
        </Suspense>
      )}
    </>
  )
}

type ThumbProps = Owner & { screenshot: TicketScreenshot; label: string; onOpen: () => void }

function Thumb({ screenshot, label, onOpen, access, userNum }: ThumbProps) {
  const button = useRef<HTMLButtonElement>(null)
  const seen = useNearScreen(button)
  const query = screenshotQuery(access, userNum, screenshot.id)
  const { data, isError, refetch } = useQuery({ ...query, enabled: seen })
  const url = useObjectUrl(data)
  return (
    <button
      ref={button}
      type="button"
      className={styles.thumb}
      onClick={isError ? () => void refetch() : onOpen}
      aria-haspopup={isError ? undefined : 'dialog'}
    >
      {url === undefined ? (
        <span className={styles.wait} aria-hidden={!isError}>
          {isError && 'Try again'}
        </span>
      ) : (
        <img src={url} alt="" width={screenshot.width} height={screenshot.height} />
      )}
      <span className="visually-hidden">{isError ? `${label} did not come` : `${label}, open large`}</span>
    </button>
  )
}
