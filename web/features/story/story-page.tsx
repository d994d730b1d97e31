import { PageHead } from '#web/shell/page-head.tsx'
import { ChapterList } from './chapter-list.tsx'
import { CHAPTERS } from './chapters.ts'
import styles from './story.module.css'
import { StoryChapter } from './story-chapter.tsx'
import { WorldMap } from './world-map.tsx'

/** The lore of the campus in chapters, and its world map (SPEC §2.10). */
export default function StoryPage() {
  return (
    <>
      <PageHead crumb="Story" title="Story" lines={['Three schools, one rooftop, and a bell that nobody rings.']} />
      <div className={styles.story}>
        <ChapterList />
        {CHAPTERS.map((chapter, i) => (
          <StoryChapter key={chapter.id} number={i + 1} chapter={chapter} />
        ))}
        <WorldMap />
      </div>
    </>
  )
}
