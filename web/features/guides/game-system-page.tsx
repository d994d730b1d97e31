import { PageHead } from '#web/shell/page-head.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import styles from './game-system-page.module.css'
import { SystemContents } from './system-contents.tsx'
import { SystemBlockView } from './systems/system-blocks.tsx'
import { SYSTEM_SECTIONS } from './systems/system-sections.ts'

/** The game's systems, one section each, with contents beside them (SPEC §2.1). */
export default function GameSystemPage() {
  return (
    <>
      <PageHead
        crumb="Game System"
        title="Game System"
        lines={['How the campus works when nobody explains it.', 'Every number below is this server’s own.']}
      />
      <div className={styles.page}>
        <div className={styles.columns}>
          <div className={styles.contents}>
            <SystemContents />
          </div>
          <div className={styles.sections}>
            {SYSTEM_SECTIONS.map(({ id, title, lead, blocks }, index) => (
              <div key={id} id={id} className={styles.section}>
                <Panel index={index + 1} title={title}>
                  <div className={styles.body}>
                    <p className={styles.lead}>{lead}</p>
                    {blocks.map((block, at) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: fixed contents in a fixed order
                      <SystemBlockView key={at} block={block} />
                    ))}
                  </div>
                </Panel>
              </div>
            ))}
            <p className={styles.onward}>
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
