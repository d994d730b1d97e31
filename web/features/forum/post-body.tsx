import text from '#web/ui/text.module.css'
import styles from './post-body.module.css'

/** The HTML of a post, which the server sanitised when the post was written. */
export function PostBody({ html }: { html: string }) {
  return <div className={`${text.written} ${styles.body}`} dangerouslySetInnerHTML={{ __html: html }} />
}
