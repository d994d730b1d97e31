import styles from './hud.module.css'
import { HudFrame } from './hud-parts.tsx'

const LINES = [
  { channel: 'Normal', color: '#f5f1e6', text: 'Marikit: may tao ba sa second floor?' },
  { channel: 'Party', color: '#6fddbb', text: 'AlbularyoJuan: resu ready, go' },
  { channel: 'Club', color: '#a9b9ff', text: 'KuyaKidlat: war at nine, kain muna' },
  { channel: 'Regional', color: '#ffb54a', text: 'Taho4am: S> old lamps, Old Market' },
  { channel: 'Search', color: '#ff9c82', text: 'Dagitab lv 52: LFM boiler room, ch 4' },
  { channel: 'Whisper', color: '#8fdcf5', text: 'Hiraya: salamat kanina!' },
] as const

/** Chat window, 296×208: tabs, six lines of six channels, the line one writes in. */
export function ChatHud() {
  return (
    <HudFrame width={296} height={208}>
      <path d="M6 6h44v22H6Z" fill="var(--paper)" />
      <path d="M6 28h280" stroke="var(--paper)" />
      <text className={`${styles.value} ${styles.middle}`} x="28" y="22" style={{ fill: 'var(--ink)' }}>
        All
      </text>
      {['Party', 'Club', 'Trade'].map((tab, index) => (
        <text key={tab} className={`${styles.small} ${styles.middle}`} x={80 + index * 52} y="22">
          {tab}
        </text>
      ))}
      {LINES.map(({ channel, color, text }, index) => (
        <text key={channel} className={styles.text} x="10" y={52 + index * 22} style={{ fill: color }}>
          [{channel}] {text}
        </text>
      ))}
      <path d="M6.5 178.5h283v23h-283Z" fill="#0a0c13" stroke="#6b7590" />
      <text className={styles.text} x="14" y="195">
        [Normal] isa pa, tapos tulog na
      </text>
      <path d="M186 182v15" stroke="var(--signal)" strokeWidth="2" />
    </HudFrame>
  )
}
