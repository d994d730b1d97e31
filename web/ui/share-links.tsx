import { Button } from './button.tsx'
import { CopyButton } from './copy.tsx'
import { Dialog } from './dialog.tsx'
import layout from './layout.module.css'
import styles from './share-links.module.css'
import text from './text.module.css'

type ShareLinksProps = { title: string; url: string; open: boolean; onClose: () => void }

/** Links to share a page, for browsers without a share dialog. */
export function ShareLinks({ title, url, open, onClose }: ShareLinksProps) {
  const encodedUrl = encodeURIComponent(url)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Share"
      actions={
        <>
          <CopyButton text={url} what="the link" />
          <Button tone="secondary" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <p>{title}</p>
      <p className={`${text.quiet} ${text.breaks}`}>{url}</p>
      <ul className={`${layout.rows} ${text.yellowLinks}`}>
        <li>
          <a
            className={styles.link}
            href={`https://www.facebook.com/sharer/sharer.php?u=${encodedUrl}`}
            target="_blank"
            rel="noopener noreferrer"
          >
            Facebook<span className="visually-hidden"> (opens a new tab)</span>
          </a>
        </li>
        <li>
          {/* Messenger's web address for sharing requires a registered Facebook app; this address does not. */}
          <a className={styles.link} href={`fb-messenger://share?link=${encodedUrl}`}>
            Messenger <span className={styles.note}>opens the app</span>
          </a>
        </li>
      </ul>
    </Dialog>
  )
}
