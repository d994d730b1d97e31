import type { GlyphName } from './glyphs.ts'
import styles from './hud.module.css'
import { Glyph, HudFrame, Slot } from './hud-parts.tsx'

type Carried = { glyph: GlyphName; color: string; count?: number; worn?: true }

/** What lies in the first places, row by row; the rest is empty. */
const CARRIED: readonly Carried[] = [
  { glyph: 'bowl', color: '#ffb54a', count: 34 },
  { glyph: 'bottle', color: '#8fb0ff', count: 18 },
  { glyph: 'bread', color: '#ffd9a0', count: 70 },
  { glyph: 'cup', color: '#d8a07a', count: 6 },
  { glyph: 'heart', color: '#ff9c82', count: 2 },
  { glyph: 'clover', color: '#6fddbb' },
  { glyph: 'sword', color: '#d8e1e4' },
  { glyph: 'bat', color: '#e9be5a' },
  { glyph: 'umbrella', color: '#ff9c82' },
  { glyph: 'skate', color: '#a9b9ff' },
  { glyph: 'sword', color: '#98a0b4', worn: true },
  { glyph: 'lamp', color: '#ffe98a', count: 12 },
  { glyph: 'star', color: '#ffd21f', count: 3 },
  { glyph: 'ticket', color: '#8fdcf5', count: 28 },
  { glyph: 'padlock', color: '#98a0b4' },
]

/** Inventory, 252×284: five pages, twenty-four places, gold and weight. */
export function InventoryHud() {
  return (
    <HudFrame width={252} height={284} title="Inventory" plate="I">
      <path d="M8 30h44v22H8Z" fill="var(--paper)" />
      <path d="M8 52h236" stroke="var(--paper)" />
      {[1, 2, 3, 4, 5].map((page) => (
        <text
          key={page}
          className={`${styles.value} ${styles.middle}`}
          x={30 + (page - 1) * 46}
          y="46"
          style={{ fill: page === 1 ? 'var(--ink)' : 'var(--text-2)' }}
        >
          {page}
        </text>
      ))}
      {Array.from({ length: 24 }, (_, place) => {
        const thing = CARRIED[place]
        return (
          <Slot
            // biome-ignore lint/suspicious/noArrayIndexKey: twenty-four fixed places
            key={place}
            x={8 + (place % 6) * 40}
            y={59 + Math.floor(place / 6) * 40}
            size={37}
            {...(thing && { glyph: thing.glyph, color: thing.color })}
          >
            {thing?.worn && <path d="M36 1v14L22 1Z" fill="var(--red)" />}
            {thing?.count !== undefined && (
              <text className={styles.count} x="35" y="34">
                {thing.count}
              </text>
            )}
          </Slot>
        )
      })}
      {(['sword', 'ticket', 'lamp'] as const).map((name, index) => (
        <g key={name}>
          <rect className={styles.slot} x={8.5 + index * 26} y="225.5" width="22" height="20" />
          <Glyph name={name} x={13 + index * 26} y={229} size={13} color="#98a0b4" />
        </g>
      ))}
      <text className={`${styles.small} ${styles.end}`} x="244" y="241">
        Weight 412 / 560
      </text>
      <path d="M8 251h236" stroke="#3a435c" />
      <circle cx="18" cy="267" r="8" fill="#ffb81c" />
      <circle cx="18" cy="267" r="4.5" fill="none" stroke="#0a0c13" strokeWidth="1.5" />
      <text className={styles.text} x="32" y="272">
        18,452,300 gold
      </text>
    </HudFrame>
  )
}
