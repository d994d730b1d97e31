import type { PartKey } from '../content/part-keys.ts'
import { PARTS } from '../content/parts.ts'
import styles from './close-up.module.css'
import { PartDrawing } from './part-drawing.tsx'
import { REGIONS } from './regions.ts'

const MARGIN = 20
const letterOf = (index: number) => String.fromCharCode(65 + index)

/** A region enlarged, letters on its details, and what each letter means. */
export function CloseUp({ part }: { part: PartKey }) {
  const { width, height } = REGIONS[part]
  const { legend, title } = PARTS[part]
  return (
    <div className={styles.closeUp}>
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
