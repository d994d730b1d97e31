import { PageHead } from '#web/shell/page-head.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { CHAPTERS } from './content/chapters.ts'
import { partPath, readPart } from './content/part-keys.ts'
import { PARTS } from './content/parts.ts'
import { GuideChapter } from './guide-chapter.tsx'
import { GuideContents } from './guide-contents.tsx'
import styles from './instructions-page.module.css'
import { PartPopup } from './part-popup.tsx'
import { PartsInWords } from './parts-in-words.tsx'
import { ScreenPanel } from './screen-panel.tsx'

/** The full game guide (SPEC §2.10) around the interface picture; `?part=` opens one of its nine popups. */
export default function InstructionsPage() {
  return (
    <>
      <PageHead
        crumb="Instructions"
        title="Instructions"
        lines={['The full game guide: one picture, nine regions, every key. Read it once, then go and fall down.']}
        actions={
          <>
            <ButtonLink to="/downloads">Download the client</ButtonLink>
            <ButtonLink to="/characters" tone="secondary">
              Quick guide and classes
            </ButtonLink>
          </>
        }
      />
      <div className={styles.guide}>
        <GuideContents />
        <ScreenPanel />
        {CHAPTERS.map((chapter, index) => (
          <GuideChapter key={chapter.id} chapter={chapter} index={index + 2} />
        ))}
        <PartsInWords index={CHAPTERS.length + 2} />
        <PartPopup />
      </div>
    </>
  )
}
