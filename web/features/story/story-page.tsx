import { CHAPTERS, type Chapter } from '#content/story.ts'
import { Crest } from '#web/art/crest.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import layout from '#web/ui/layout.module.css'
import styles from './story.module.css'
import { WorldMap } from './world-map.tsx'

/** The lore of the campus in chapters, and its world map (GUIDE-5). */
export default function StoryPage() {
  return (
    <>
      <PageHead crumb="Story" title="Story" lines={['Three schools, one rooftop, and a bell that nobody rings.']} />
      <div className={`${layout.panels} ${styles.story}`}>
        <ChapterList />
        {CHAPTERS.map((chapter, i) => (
          <StoryChapter key={chapter.id} number={i + 1} chapter={chapter} />
        ))}
        <WorldMap />
      </div>
    </>
  )
}

/** The way to each chapter and to the map. */
function ChapterList() {
  return (
    <nav aria-label="Chapters">
      <ol className={styles.stops}>
        {CHAPTERS.map(({ id, title, school }, i) => (
          <li key={id} data-school={school}>
            <a href={`#${id}`}>
              <span>{i + 1}</span>
              {title}
            </a>
          </li>
        ))}
        <li>
          <a href="#map">World map</a>
        </li>
      </ol>
    </nav>
  )
}

/** A chapter: its picture, its heading in the school's colours, the text, and a quotation if it has one. */
function StoryChapter({ number, chapter }: { number: number; chapter: Chapter }) {
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
