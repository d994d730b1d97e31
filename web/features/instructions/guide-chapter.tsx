import { OwnOrForeignLink } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import type { Chapter } from './content/chapters.ts'
import { GuideBlocks } from './guide-blocks.tsx'
import styles from './guide-chapter.module.css'

/** A chapter with a card of its facts and the ways on beside it. */
export function GuideChapter({ chapter, index }: { chapter: Chapter; index: number }) {
  const { id, title, body, facts, links = [] } = chapter
  return (
    <div id={id} className={styles.anchor}>
      <Panel index={index} title={title}>
        <div className={styles.chapter}>
          <GuideBlocks blocks={body} />
          <aside className={styles.card} data-surface="paper" aria-label={`${title}: in short`}>
            <dl>
              {facts.map(([name, value]) => (
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
                    <OwnOrForeignLink to={to}>{label}</OwnOrForeignLink>
                  </li>
                ))}
              </ul>
            )}
          </aside>
        </div>
      </Panel>
    </div>
  )
}
