import { type DocumentContent, INTERFACE_PARTS, type InterfacePartKey } from '#contract/documents.ts'
import { useLoadedDocument } from '#web/api/documents.ts'
import { HtmlText } from '#web/ui/html-text.tsx'
import layout from '#web/ui/layout.module.css'
import links from '#web/ui/text.module.css'
import { KeyboardControls, MouseControls } from './controls.tsx'
import { PartDrawing } from './hud-drawings.tsx'
import { usePartLinkOptions } from './part-link.tsx'
import styles from './part-text.module.css'
import { findLinkedPart } from './parts.ts'
import { REGIONS } from './picture-layout.ts'

/** A text of the guide. Links to another region open its popup. */
export function GuideText({ html }: { html: string }) {
  const partOptions = usePartLinkOptions()
  return (
    <HtmlText
      className={`${styles.text} ${links.yellowLinks}`}
      html={html}
      getOptions={(to) => (findLinkedPart(to) === null ? undefined : partOptions)}
    />
  )
}

/** The guide's text about a region, for its popup and for the page. */
export function PartText({ part }: { part: InterfacePartKey }) {
  const { legend, text } = useLoadedDocument('instructions').parts[part]
  return (
    <div className={styles.body}>
      {legend.length > 0 && <EnlargedRegion part={part} legend={legend} />}
      <GuideText html={text} />
      {part === 'keys' && <KeyboardControls />}
      {part === 'mouse' && <MouseControls />}
    </div>
  )
}

type Legend = DocumentContent<'instructions'>['parts'][InterfacePartKey]['legend']

const MARGIN = 20
const toLetter = (index: number) => String.fromCharCode(65 + index)

/** An enlarged region with letters on its details and their meanings. */
function EnlargedRegion({ part, legend }: { part: InterfacePartKey; legend: Legend }) {
  const { width, height } = REGIONS[part]
  return (
    <div className={layout.stack}>
      <svg
        data-poster
        className={styles.drawing}
        style={{ maxWidth: 1.6 * width }}
        viewBox={`${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`}
        role="img"
        aria-label={`${INTERFACE_PARTS[part]}, enlarged`}
      >
        <PartDrawing part={part} />
        {legend.map(({ at: { x, y }, name }, index) => (
          <g key={name}>
            <circle cx={x} cy={y} r="9" fill="var(--signal)" stroke="var(--ink)" strokeWidth="2" />
            <text className={styles.letter} x={x} y={y + 4.5}>
              {toLetter(index)}
            </text>
          </g>
        ))}
      </svg>
      <dl className={styles.legend}>
        {legend.map(({ name, text }, index) => (
          <div key={name}>
            <dt>
              <span className={styles.plate}>{toLetter(index)}</span> {name}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
