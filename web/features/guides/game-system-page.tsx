import { useMemo } from 'react'
import type { DocumentContent } from '#contract/documents.ts'
import { DocumentPage, getLines } from '#web/shell/document-page.tsx'
import { PageHead } from '#web/shell/page-head.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { ChapterBar } from '#web/ui/chapter-bar.tsx'
import { ContentsList } from '#web/ui/contents.tsx'
import { FoldedText, isLongText } from '#web/ui/folded.tsx'
import { HtmlText } from '#web/ui/html-text.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { useSectionInView } from '#web/ui/section-in-view.ts'
import styles from './game-system-page.module.css'
import { SystemFigure } from './system-figures.tsx'

/** The page about the game's systems, with a section for each and a table of contents at the side (ROUTE-1). */
export default function GameSystemPage() {
  return (
    <DocumentPage name="game-systems" title="Game System">
      {(document) => <GameSystem {...document} />}
    </DocumentPage>
  )
}

type Systems = DocumentContent<'game-systems'>

function GameSystem({ lines, sections }: Systems) {
  return (
    <>
      <PageHead crumb="Game System" title="Game System" lines={getLines(lines)} />
      <div className={styles.page}>
        <ChapterBar entries={sections} className={styles.narrow} />
        <div className={`${layout.panels} ${styles.columns}`}>
          <Contents sections={sections} />
          <div className={layout.panels}>
            {sections.map(({ id, title, lead, text, figure, rows, more }, index) => (
              <div key={id} id={id} className={styles.section}>
                <Panel index={index + 1} title={title}>
                  <FoldedText title={title} isLong={figure !== '' || isLongText(lead, text, more)}>
                    <div className={styles.body}>
                      {lead !== '' && <p className={styles.lead}>{lead}</p>}
                      {text !== '' && <HtmlText className={styles.text} html={text} />}
                      {figure !== '' && <SystemFigure name={figure} rows={rows} />}
                      {more !== '' && <HtmlText className={styles.text} html={more} />}
                    </div>
                  </FoldedText>
                </Panel>
              </div>
            ))}
            <p className={layout.buttons}>
              <ButtonLink to="/characters">Character</ButtonLink>
              <ButtonLink to="/instructions" tone="secondary">
                Instructions
              </ButtonLink>
              <ButtonLink to="/news?board=guides" tone="secondary">
                Players’ guides
              </ButtonLink>
            </p>
          </div>
        </div>
      </div>
    </>
  )
}

/** The table of contents. On wide screens it stays visible and marks the section in view. */
function Contents({ sections }: Pick<Systems, 'sections'>) {
  const visibleSection = useSectionInView(useMemo(() => sections.map(({ id }) => id), [sections]))
  return (
    <nav className={styles.contents} aria-labelledby="contents-title">
      <h2 id="contents-title" className={styles.contentsTitle}>
        On this page
      </h2>
      <ContentsList
        entries={sections}
        current={visibleSection}
        classes={{ list: styles.entries, entry: styles.entry, number: styles.numeral }}
      />
    </nav>
  )
}
