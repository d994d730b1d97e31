import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import type { TicketScreenshot } from '#contract/tickets.ts'
import { Button } from '#web/ui/button.tsx'
import styles from './picture-viewer.module.css'
import { type Access, screenshotQuery } from './queries.ts'
import { useObjectUrl } from './use-object-url.ts'

type Props = {
  screenshots: readonly TicketScreenshot[]
  index: number
  onIndex: (index: number) => void
  onClose: () => void
  access: Access
  userNum: number
}

/** A screenshot as large as the screen; arrow keys turn the pages, Escape and a press beside it close. */
export function PictureViewer({ screenshots, index, onIndex, onClose, access, userNum }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const last = screenshots.length - 1
  const turn = (by: number) => onIndex(Math.min(last, Math.max(0, index + by)))
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') turn(-1)
    if (key === 'ArrowRight') turn(1)
  }
  const onClick = ({ target }: MouseEvent) => {
    if (target === dialog.current) dialog.current?.close()
  }
  const shown = screenshots[index]
  // Out of the message it was opened from: that may be paper, this is ink.
  return createPortal(
    <dialog
      ref={dialog}
      className={styles.viewer}
      aria-label="Screenshot"
      onClose={onClose}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      {shown !== undefined && (
        <Large
          key={shown.id}
          screenshot={shown}
          label={`Screenshot ${index + 1} of ${screenshots.length}`}
          access={access}
          userNum={userNum}
        />
      )}
      <div className={styles.foot}>
        <p className={styles.count} role="status">
          {index + 1} of {screenshots.length}
        </p>
        {last > 0 && (
          <>
            <Button tone="secondary" disabled={index === 0} onClick={() => turn(-1)}>
              Previous
            </Button>
            <Button tone="secondary" disabled={index === last} onClick={() => turn(1)}>
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

type LargeProps = { screenshot: TicketScreenshot; label: string; access: Access; userNum: number }

function Large({ screenshot, label, access, userNum }: LargeProps) {
  const { data } = useQuery(screenshotQuery(access, userNum, screenshot.id))
  const url = useObjectUrl(data)
  if (url === undefined) return <p className={styles.wait}>Loading</p>
  return <img src={url} alt={label} width={screenshot.width} height={screenshot.height} className={styles.large} />
}
