import text from '#web/ui/text.module.css'
import styles from './post-body.module.css'

/** The server's HTML of a post: sanitised when it was written. */
export function PostBody({ html }: { html: string }) {
  return <div className={`${text.written} ${styles.body}`} dangerouslySetInnerHTML={{ __html: html }} />
}
