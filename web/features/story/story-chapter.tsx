import { Crest } from '#web/art/crest.tsx'
import styles from './story.module.css'
import type { Chapter } from './story-types.ts'

/** A chapter: its picture, its heading in the school's colours, the text, what somebody said. */
export function StoryChapter({ number, chapter }: { number: number; chapter: Chapter }) {
  const { id, title, school, scene, paragraphs, quote } = chapter
  return (
    <section id={id} className={styles.chapter} data-school={school} aria-labelledby={`${id}-title`}>
      <img
        className={styles.scene}
        src={`/art/story-${scene}.svg`}
        alt=""
        width="840"
        height="280"
        loading={number === 1 ? 'eager' : 'lazy'}
        decoding="async"
      />
      <div className={styles.bar}>
        <span className={styles.number} aria-hidden="true">
          {number}
        </span>
        <h2 id={`${id}-title`}>{title}</h2>
        {school !== undefined && <Crest school={school} size={72} />}
      </div>
      <div className={styles.body}>
        <div className={styles.text}>
          {paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
        {quote !== undefined && (
          <figure className={styles.quote}>
            <blockquote>{quote.words}</blockquote>
            <figcaption>{quote.who}</figcaption>
          </figure>
        )}
      </div>
    </section>
  )
}
