import { type DocumentContent, INTERFACE_PART_KEYS, INTERFACE_PARTS } from '#contract/documents.ts'
import { DocumentPage, getLines } from '#web/shell/document-page.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { ChapterBar } from '#web/ui/chapter-bar.tsx'
import { ContentsList } from '#web/ui/contents.tsx'
import { FoldedText, isLongText } from '#web/ui/folded.tsx'
import layout from '#web/ui/layout.module.css'
import { SiteOrExternalLink } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import styles from './instructions-page.module.css'
import { InterfacePicture, RegionDrawing } from './interface-picture.tsx'
import { PartLink } from './part-link.tsx'
import { PartPopup } from './part-popup.tsx'
import { GuideText, PartText } from './part-text.tsx'
import { getPartNumber } from './parts.ts'

/**
 * The page with the full guide (GUIDE-3) around the picture of the interface. `?part=` opens one of its nine popups.
 */
export default function InstructionsPage() {
  return (
    <DocumentPage name="instructions" title="Instructions">
      {(guide) => <Guide guide={guide} />}
    </DocumentPage>
  )
}

type GuideProps = { guide: DocumentContent<'instructions'> }

function Guide({ guide }: GuideProps) {
  const { chapters, lines } = guide
  return (
    <>
      <PageHead
        crumb="Instructions"
        title="Instructions"
        lines={getLines(lines)}
        actions={
          <>
            <ButtonLink to="/downloads">Download the client</ButtonLink>
            <ButtonLink to="/characters" tone="secondary">
              Quick guide and classes
            </ButtonLink>
          </>
        }
      />
      <div className={layout.panels}>
        <Contents guide={guide} />
        <Screen guide={guide} />
        {chapters.map((chapter, index) => (
          <GuideChapter key={chapter.id} chapter={chapter} index={index + 2} />
        ))}
        <PartList index={chapters.length + 2} />
        <PartPopup />
      </div>
    </>
  )
}

/** The table of contents, and the bar that stays visible. */
function Contents({ guide: { chapters } }: GuideProps) {
  const entries = [
    { id: 'screen', title: 'The screen' },
    ...chapters.map(({ id, title }) => ({ id, title })),
    { id: 'regions', title: 'The nine regions in words' },
  ]
  return (
    <>
      <nav className={styles.contents} aria-label="On this page">
        <ContentsList entries={entries} classes={{ number: styles.entryNumber }} />
      </nav>
      <ChapterBar entries={entries} />
    </>
  )
}

/**
 * The picture of the interface, and the same nine regions as a list that is easy to tap. On a phone the picture is too
 * small to read, so the regions are cards in a row, each with its section of the picture.
 */
function Screen({ guide }: GuideProps) {
  return (
    <div id="screen">
      <Panel index={1} title="The screen">
        <p className={styles.introduction}>
          Nine regions, nine short texts. Press one in the picture or in the list below it.
        </p>
        <InterfacePicture guide={guide} />
        <ul className={`${styles.regions} ${layout.fading}`}>
          {INTERFACE_PART_KEYS.map((key) => (
            <li key={key}>
              <PartLink part={key} className={styles.region}>
                <RegionDrawing part={key} className={styles.zoom} />
                <span className={styles.regionNumber} aria-hidden="true">
                  {getPartNumber(key)}
                </span>
                <span className={styles.regionText}>
                  <span className={styles.regionTitle}>{INTERFACE_PARTS[key]}</span>
                  <span className={styles.regionLine}>{guide.parts[key].line}</span>
                </span>
              </PartLink>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  )
}

/** A chapter next to a card with its facts and links. */
function GuideChapter({ chapter, index }: { chapter: GuideProps['guide']['chapters'][number]; index: number }) {
  const { id, title, text, facts, links } = chapter
  return (
    <div id={id} className={styles.section}>
      <Panel index={index} title={title}>
        <FoldedText title={title} isLong={isLongText(text) || facts.length > 2}>
          <div className={styles.chapter}>
            <GuideText html={text} />
            <aside className={styles.card} data-surface="paper" aria-label={`${title}: in short`}>
              <dl>
                {facts.map(({ name, value }) => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
              </dl>
              {links.length > 0 && (
                <ul>
                  {links.map(({ to, label }) => (
                    <li key={to}>
                      <SiteOrExternalLink to={to}>{label}</SiteOrExternalLink>
                    </li>
                  ))}
                </ul>
              )}
            </aside>
          </div>
        </FoldedText>
      </Panel>
    </div>
  )
}

/** The texts of the nine popups as part of the page, to unfold, search and print. */
function PartList({ index }: { index: number }) {
  return (
    <div id="regions" className={styles.section}>
      <Panel index={index} title="The nine regions in words">
        {INTERFACE_PART_KEYS.map((key) => (
          <details key={key} className={styles.part}>
            <summary>
              <span className={styles.partNumber} aria-hidden="true">
                {getPartNumber(key)}
              </span>
              <h3>{INTERFACE_PARTS[key]}</h3>
            </summary>
            <div className={styles.partBody}>
              <PartText part={key} />
            </div>
          </details>
        ))}
      </Panel>
    </div>
  )
}
