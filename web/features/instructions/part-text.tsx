import type { ReactNode } from 'react'
import { PARTS, type PartKey } from '#content/instructions.ts'
import type { Block } from '#content/prose.ts'
import layout from '#web/ui/layout.module.css'
import { OwnOrForeignLink } from '#web/ui/link.tsx'
import { Prose } from '#web/ui/prose.tsx'
import links from '#web/ui/text.module.css'
import { KeyboardControls, MouseControls } from './controls.tsx'
import { PartDrawing } from './hud-drawings.tsx'
import { PartLink } from './part-link.tsx'
import styles from './part-text.module.css'
import { readPart } from './parts.ts'
import { REGIONS } from './picture-layout.ts'

/** A text of the guide. Links to another region open its popup. */
export function GuideText({ blocks }: { blocks: readonly Block[] }) {
  return (
    <div className={`${styles.text} ${links.yellowLinks}`}>
      <Prose blocks={blocks} classes={CLASSES} link={GuideLink} />
    </div>
  )
}

const CLASSES = { list: styles.list, steps: styles.steps, tip: styles.tip, table: styles.table }

function GuideLink({ to, children }: { to: string; children: ReactNode }) {
  const part = to.startsWith('/instructions?') ? readPart(new URLSearchParams(to.split('?')[1])) : null
  if (part === null) return <OwnOrForeignLink to={to}>{children}</OwnOrForeignLink>
  return <PartLink part={part}>{children}</PartLink>
}

/** Everything the guide says about a region: the content of its popup, which the page itself contains as well. */
export function PartText({ part }: { part: PartKey }) {
  return (
    <div className={styles.body}>
      {PARTS[part].legend.length > 0 && <CloseUp part={part} />}
      <GuideText blocks={PARTS[part].body} />
      {part === 'keys' && <KeyboardControls />}
      {part === 'mouse' && <MouseControls />}
    </div>
  )
}

const MARGIN = 20
const letterOf = (index: number) => String.fromCharCode(65 + index)

/** A region enlarged, with letters on its details and what each letter means. */
function CloseUp({ part }: { part: PartKey }) {
  const { width, height } = REGIONS[part]
  const { legend, title } = PARTS[part]
  return (
    <div className={layout.stack}>
      <svg
        className={styles.drawing}
        style={{ maxWidth: 1.6 * width }}
        viewBox={`${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`}
        role="img"
        aria-label={`${title}, enlarged`}
      >
        <PartDrawing part={part} />
        {legend.map(({ at: [x, y], name }, index) => (
          <g key={name}>
            <circle cx={x} cy={y} r="9" fill="var(--signal)" stroke="var(--ink)" strokeWidth="2" />
            <text className={styles.letter} x={x} y={y + 4.5}>
              {letterOf(index)}
            </text>
          </g>
        ))}
      </svg>
      <dl className={styles.legend}>
        {legend.map(({ name, text }, index) => (
          <div key={name}>
            <dt>
              <span className={styles.plate}>{letterOf(index)}</span> {name}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
