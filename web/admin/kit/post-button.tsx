import { useState } from 'react'
import { preparePost } from '#contract/desk-sharing.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { type PostedKind, SHARE_SIZES, type ShareShape } from '#contract/sharing.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import { useAction } from './call.ts'
import styles from './post-button.module.css'

type PostButtonProps = { kind: PostedKind; page: string }

/**
 * A button that prepares a social media post about a published page: text, pictures, and the short link that counts
 * visits.
 */
export function PostButton({ kind, page }: PostButtonProps) {
  const [post, setPost] = useState<CallOutput<typeof preparePost>>()
  const prepare = useAction(preparePost, { successMessage: null, onDone: setPost })
  return (
    <>
      <Button tone="secondary" busy={prepare.busy} onClick={() => void prepare.run({ kind, page })}>
        Post it
      </Button>
      {post !== undefined && (
        <DialogWindow
          open
          title="Post it"
          onClose={() => setPost(undefined)}
          actions={<Button onClick={() => setPost(undefined)}>Done</Button>}
        >
          <p>Copy the text into your post and add a picture. The screen Figures counts the visits through the link.</p>
          <div className={styles.text}>
            <pre>{post.text}</pre>
            <CopyButton text={post.text} what="the text" />
          </div>
          <div className={styles.text}>
            <pre>{post.link}</pre>
            <CopyButton text={post.link} what="the link" />
          </div>
          <ul className={styles.pictures}>
            {(Object.keys(SHARE_SIZES) as ShareShape[]).map((shape) => {
              const { width, height } = SHARE_SIZES[shape]
              return (
                <li key={shape}>
                  <img src={post.pictures[shape]} alt="" width={width} height={height} />
                  <a href={post.pictures[shape]} download={`${kind}-${page}-${width}x${height}.jpg`}>
                    Download {width}×{height}
                  </a>
                </li>
              )
            })}
          </ul>
        </DialogWindow>
      )}
    </>
  )
}
