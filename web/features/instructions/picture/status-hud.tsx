import styles from './hud.module.css'
import { HudFrame, Slot } from './hud-parts.tsx'

const BARS = [
  { y: 20, fill: '#ff5d4d', share: 0.78, text: '4,820 / 6,180', name: 'HP' },
  { y: 40, fill: '#5c8bff', share: 0.61, text: '1,240 / 2,030', name: 'SP' },
] as const

/** Character status, 300×96: emblem, name and level, three bars, what works at the moment. */
export function StatusHud() {
  return (
    <HudFrame width={300} height={96}>
      <path d="M6 6h40v44l-20 12L6 50Z" fill="var(--gate-a)" />
      <path d="M26 6h20v44L26 62Z" fill="var(--gate-d)" />
      <g color="var(--paper)" style={{ '--emblem-fill': 'var(--gate-b)' } as React.CSSProperties}>
        <use href="#emblem-archer" x="9" y="13" width="34" height="34" />
      </g>
      <text className={`${styles.big} ${styles.middle}`} x="26" y="86">
        87
      </text>
      <text className={styles.value} x="58" y="15">
        JuanTamad
      </text>
      {BARS.map((bar) => (
        <g key={bar.name}>
          <text className={styles.small} x="58" y={bar.y + 12}>
            {bar.name}
          </text>
          <path d={`M78 ${bar.y}h210v16h-210Z`} fill="#242b40" />
          <path d={`M78 ${bar.y}h${210 * bar.share}l-6 16h-${210 * bar.share - 6}Z`} fill={bar.fill} />
          <text className={styles.value} x="84" y={bar.y + 12.5} fill="var(--ink)">
            {bar.text}
          </text>
        </g>
      ))}
      <path d="M78 60h210v6h-210Z" fill="#242b40" />
      <path d="M78 60h92v6h-92Z" fill="var(--signal)" />
      <text className={styles.small} x="58" y="68">
        EXP
      </text>
      <Slot x={78} y={70} size={22} glyph="bowl" color="#ffb54a" />
      <Slot x={103} y={70} size={22} glyph="clover" color="var(--peak-t)" />
      <Slot x={128} y={70} size={22} glyph="star" color="var(--gate-t)" />
      <text className={styles.small} x="156" y="86">
        12 min
      </text>
    </HudFrame>
  )
}
