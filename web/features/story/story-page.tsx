import type { MetaFunction } from 'react-router'
import { pageMeta } from '#web/api/page-meta.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { ChapterList } from './chapter-list.tsx'
import { CHAPTERS } from './chapters.ts'
import styles from './story.module.css'
import { StoryChapter } from './story-chapter.tsx'
import { WorldMap } from './world-map.tsx'

export const meta: MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    crumb: 'Story',
    description:
      'Three schools, one rooftop and a bell that nobody rings: the story of the campus, with its world map.',
    path: '/story',
    picture: '/art/news-07-share.jpg',
    type: 'article',
  })

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
