import type { DocumentContent } from '#contract/documents.ts'
import { Crest } from '#web/art/crest.tsx'
import { DocumentPage, getLines } from '#web/shell/document-page.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { ChapterBar } from '#web/ui/chapter-bar.tsx'
import { FoldedText, isLongText } from '#web/ui/folded.tsx'
import { HtmlText } from '#web/ui/html-text.tsx'
import layout from '#web/ui/layout.module.css'
import styles from './story.module.css'
import { WorldMap } from './world-map.tsx'

const WORLD_MAP = { id: 'map', title: 'World map' } as const

type Story = DocumentContent<'story'>
type Chapter = Story['chapters'][number]

/** The page with the lore in chapters and the world map (GUIDE-5). */
export default function StoryPage() {
  return (
    <DocumentPage name="story" title="Story">
      {(story) => (
        <>
          <PageHead crumb="Story" title="Story" lines={getLines(story.lines)} />
          <div className={`${layout.panels} ${styles.story}`}>
            <ChapterList {...story} />
            <ChapterBar entries={story.map_picture === null ? story.chapters : [...story.chapters, WORLD_MAP]} />
            {story.chapters.map((chapter, i) => (
              <StoryChapter key={chapter.id} number={i + 1} chapter={chapter} />
            ))}
            {story.map_picture !== null && <WorldMap story={story} picture={story.map_picture} />}
          </div>
        </>
      )}
    </DocumentPage>
  )
}

const toSchool = (school: Chapter['school']) => (school === '' ? undefined : (Number(school) as 0 | 1 | 2))

/** Links to each chapter and to the map. */
function ChapterList({ chapters, map_picture }: Story) {
  return (
    <nav aria-label="Chapters">
      <ol className={styles.chapters}>
        {chapters.map(({ id, title, school }, i) => (
          <li key={id} data-school={toSchool(school)}>
            <a href={`#${id}`}>
              <span>{i + 1}</span>
              {title}
            </a>
          </li>
        ))}
        {map_picture !== null && (
          <li>
            <a href="#map">World map</a>
          </li>
        )}
      </ol>
    </nav>
  )
}

/** A chapter: picture, heading in the school's colors, text, and an optional quotation. */
function StoryChapter({ number, chapter }: { number: number; chapter: Chapter }) {
  const { id, title, picture, text, quote, quoted } = chapter
  const school = toSchool(chapter.school)
  return (
    <section id={id} className={styles.chapter} data-school={school} aria-labelledby={`${id}-title`}>
      {picture !== null && (
        <img
          className={styles.scene}
          src={picture}
          alt=""
          width="840"
          height="280"
          loading={number === 1 ? 'eager' : 'lazy'}
          decoding="async"
        />
      )}
      <div className={styles.bar}>
        <span className={styles.number} aria-hidden="true">
          {number}
        </span>
        <h2 id={`${id}-title`}>{title}</h2>
        {school !== undefined && <Crest school={school} size={72} />}
      </div>
      <FoldedText title={title} isLong={isLongText(text, quote)}>
        <div className={styles.body}>
          <HtmlText className={styles.text} html={text} />
          {quote !== '' && (
            <figure className={styles.quote}>
              <blockquote>{quote}</blockquote>
              <figcaption>{quoted}</figcaption>
            </figure>
          )}
        </div>
      </FoldedText>
    </section>
  )
}
