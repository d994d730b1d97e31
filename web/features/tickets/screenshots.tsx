import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { TicketScreenshot } from '#contract/tickets.ts'
import { toOptions } from '#web/api/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { useLayer } from '#web/ui/layers.ts'
import layout from '#web/ui/layout.module.css'
import { useNearScreen } from '#web/ui/near-screen.ts'
import { useObjectUrl } from './pictures-field.tsx'
import { type Access, getScreenshotQuery } from './queries.ts'
import styles from './screenshots.module.css'

type ScreenshotsProps = { screenshots: readonly TicketScreenshot[]; access: Access }

/** Small pictures of a message, each with a link to its large version. */
export function Screenshots({ screenshots, access }: ScreenshotsProps) {
  const [openIndex, setOpenIndex] = useState<number | null>(null)
  return (
    <>
      <ul className={styles.thumbs}>
        {screenshots.map((screenshot, index) => (
          <li key={screenshot.id}>
            <Thumbnail
              screenshot={screenshot}
              label={`Screenshot ${index + 1} of ${screenshots.length}`}
              onOpen={() => setOpenIndex(index)}
              access={access}
            />
          </li>
        ))}
      </ul>
      {openIndex !== null && (
        <ScreenshotViewer
          screenshots={screenshots}
          index={openIndex}
          onIndexChange={setOpenIndex}
          onClose={() => setOpenIndex(null)}
          access={access}
        />
      )}
    </>
  )
}

type ThumbnailProps = { screenshot: TicketScreenshot; label: string; onOpen: () => void; access: Access }

function Thumbnail({ screenshot, label, onOpen, access }: ThumbnailProps) {
  const button = useRef<HTMLButtonElement>(null)
  const isNear = useNearScreen(button)
  const { data, isError, refetch } = useQuery({
    ...toOptions(getScreenshotQuery(access, screenshot.id)),
    enabled: isNear,
  })
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
        <span className={styles.placeholder} aria-hidden={!isError}>
          {isError && 'Try again'}
        </span>
      ) : (
        <img src={url} alt="" width={screenshot.width} height={screenshot.height} className={layout.cover} />
      )}
      <span className="visually-hidden">{isError ? `${label} could not be loaded` : `${label}, open large`}</span>
    </button>
  )
}

type ViewerProps = ScreenshotsProps & { index: number; onIndexChange: (index: number) => void; onClose: () => void }

/** A screenshot at full-screen size. Arrow keys change it; Escape and a click outside close it. */
function ScreenshotViewer({ screenshots, index, onIndexChange, onClose, access }: ViewerProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  useLayer(true, () => dialog.current?.close())
  const lastIndex = screenshots.length - 1
  const turn = (step: number) => onIndexChange(Math.min(lastIndex, Math.max(0, index + step)))
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') turn(-1)
    if (key === 'ArrowRight') turn(1)
  }
  const onClick = ({ target }: MouseEvent) => {
    if (target === dialog.current) dialog.current?.close()
  }
  const shownScreenshot = screenshots[index]
  // The viewer is on ink, so it must be outside of a message on paper.
  return createPortal(
    <dialog
      ref={dialog}
      className={styles.viewer}
      aria-label="Screenshot"
      onClose={onClose}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      {shownScreenshot !== undefined && (
        <LargeScreenshot
          key={shownScreenshot.id}
          screenshot={shownScreenshot}
          label={`Screenshot ${index + 1} of ${screenshots.length}`}
          access={access}
        />
      )}
      <div className={`${layout.buttons} ${styles.foot}`}>
        <p className={styles.count} role="status">
          {index + 1} of {screenshots.length}
        </p>
        {lastIndex > 0 && (
          <>
            <Button tone="secondary" disabled={index === 0} onClick={() => turn(-1)}>
              Previous
            </Button>
            <Button tone="secondary" disabled={index === lastIndex} onClick={() => turn(1)}>
              Next
            </Button>
          </>
        )}
        <Button onClick={() => dialog.current?.close()}>Close</Button>
      </div>
    </dialog>,
    document.body,
  )
}

function LargeScreenshot({ screenshot, label, access }: Omit<ThumbnailProps, 'onOpen'>) {
  const { data } = useQuery(toOptions(getScreenshotQuery(access, screenshot.id)))
  const url = useObjectUrl(data)
  if (url === undefined) return <p className={styles.loadingText}>Loading</p>
  return <img src={url} alt={label} width={screenshot.width} height={screenshot.height} className={styles.large} />
}
