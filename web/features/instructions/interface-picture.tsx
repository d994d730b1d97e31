import {
  type DocumentContent,
  INTERFACE_PART_KEYS,
  INTERFACE_PARTS,
  type InterfacePartKey,
} from '#contract/documents.ts'
import { useArt } from '#web/ui/theme-art.ts'
import styles from './hud.module.css'
import { PartDrawing } from './hud-drawings.tsx'
import { PartLink } from './part-link.tsx'
import { getPartNumber } from './parts.ts'
import { PICTURE, REGIONS, SCREEN } from './picture-layout.ts'

/** The game's screen with keyboard and mouse, and a link over each of the nine regions. */
export function InterfacePicture({ guide }: { guide: DocumentContent<'instructions'> }) {
  return (
    <div className={styles.picture} data-poster>
      <svg
        className={styles.drawing}
        viewBox={`0 0 ${PICTURE.width} ${PICTURE.height}`}
        role="img"
        aria-label={guide.picture_text || 'The game’s screen'}
      >
        <Desk />
        <image href={useArt('/art/interface.svg')} {...SCREEN} />
        <CharacterNames {...guide} />
        {INTERFACE_PART_KEYS.map((key) => (
          <g key={key} transform={`translate(${REGIONS[key].x} ${REGIONS[key].y})`}>
            <g id={getDrawingId(key)}>
              <PartDrawing part={key} />
            </g>
          </g>
        ))}
      </svg>
      <ol className={styles.regions} aria-label="The nine regions of the picture">
        {INTERFACE_PART_KEYS.map((key) => (
          <li key={key}>
            <PartLink part={key} id={`region-${key}`} className={styles.region} style={getPosition(key)}>
              <span className={styles.number} aria-hidden="true">
                {getPartNumber(key)}
              </span>
              <span className={styles.label}>{INTERFACE_PARTS[key]}</span>
            </PartLink>
          </li>
        ))}
      </ol>
    </div>
  )
}

const getDrawingId = (key: InterfacePartKey) => `drawing-${key}`

/**
 * A single region of the picture, as large as possible. The wide keyboard shows only its left part.
 */
export function RegionDrawing({ part, className }: { part: InterfacePartKey; className?: string | undefined }) {
  const { width, height } = REGIONS[part]
  return (
    <svg
      className={className}
      viewBox={`-4 -4 ${width + 8} ${height + 8}`}
      preserveAspectRatio={width > 4 * height ? 'xMinYMid slice' : undefined}
      aria-hidden="true"
      focusable="false"
    >
      <use href={`#${getDrawingId(part)}`} />
    </svg>
  )
}

/** Returns a region's position as percentages of the picture, for its link. */
function getPosition(key: InterfacePartKey) {
  const { x, y, width, height } = REGIONS[key]
  return {
    left: `${(100 * x) / PICTURE.width}%`,
    top: `${(100 * y) / PICTURE.height}%`,
    width: `${(100 * width) / PICTURE.width}%`,
    height: `${(100 * height) / PICTURE.height}%`,
  }
}

/** The desk of a computer shop, below the screen. */
function Desk() {
  return (
    <>
      <path d="M0 0H1000V800H0Z" fill="#0a0c13" />
      <path d="M0 632H1000V800H0Z" fill="#171a26" />
      <path d="M0 632H1000" stroke="#3a435c" strokeWidth="2" />
      <path d="M0 660H1000M0 700H1000M0 745H1000" stroke="#1f2433" strokeWidth="2" />
      <path d="M766 640H930l12 160H754Z" fill="#0f2a63" />
      <path d="M780 640 772 800M916 640l10 160" stroke="#2b50e8" strokeWidth="2" />
      <path d="M850 640q0-14 20-14" fill="none" stroke="#6b7590" strokeWidth="4" />
      <path d="M4 4H996V628H4Z" fill="#11141f" stroke="#3a435c" strokeWidth="2" />
      <circle cx="984" cy="622" r="3" fill="#48d597" />
    </>
  )
}

/** The names above the characters, and the damage of the current hit. */
function CharacterNames({ hero, healer, enemy }: DocumentContent<'instructions'>) {
  return (
    <>
      <text className={styles.name} x="448" y="322" style={{ fill: '#a9b9ff' }}>
        {hero}
      </text>
      <text className={styles.name} x="356" y="304" style={{ fill: '#6fddbb' }}>
        {healer}
      </text>
      <text className={styles.name} x="602" y="346">
        {enemy}
      </text>
      <text className={styles.name} x="656" y="300">
        {enemy}
      </text>
      <path d="M572 352h62v5h-62Z" fill="#242b40" />
      <path d="M572 352h24v5h-24Z" fill="#ff5d4d" />
      <text className={styles.name} x="548" y="404" style={{ fill: '#ffd21f' }}>
        1,284
      </text>
    </>
  )
}
