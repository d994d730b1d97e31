import type { GlyphName } from './glyphs.ts'
import styles from './hud.module.css'
import { HudFrame, KeyPlate, Slot } from './hud-parts.tsx'

type Pocket = { glyph: GlyphName; color: string; count: number }

const POCKETS: readonly Pocket[] = [
  { glyph: 'bowl', color: '#ffb54a', count: 34 },
  { glyph: 'bottle', color: '#8fb0ff', count: 18 },
  { glyph: 'cup', color: '#d8a07a', count: 6 },
  { glyph: 'bread', color: '#ffd9a0', count: 70 },
  { glyph: 'heart', color: '#ff9c82', count: 2 },
  { glyph: 'lamp', color: '#ffe98a', count: 1 },
]

/** Item quick slot, 140×96: six pockets under 1 to 6, the third still waiting. */
export function ItemsHud() {
  return (
    <HudFrame width={140} height={96}>
      {POCKETS.map(({ glyph, color, count }, index) => (
        <Slot
          key={glyph}
          x={6 + (index % 3) * 43}
          y={5 + Math.floor(index / 3) * 44}
          size={42}
          glyph={glyph}
          color={color}
        >
          {index === 2 && <path d="M21 21V1h20v40H8Z" fill="#0a0c13" opacity=".72" />}
          <text className={styles.small} x="4" y="13">
            {index + 1}
          </text>
          <text className={styles.count} x="39" y="39">
            {count}
          </text>
        </Slot>
      ))}
    </HudFrame>
  )
}

const SKILLS: readonly { glyph: GlyphName; color: string }[] = [
  { glyph: 'arrow', color: 'var(--paper)' },
  { glyph: 'dash', color: 'var(--gate-t)' },
  { glyph: 'trap', color: '#8fdcf5' },
  { glyph: 'heart', color: 'var(--peak-t)' },
]

/** Skill quick slot, 262×96: F1 to F4, the third cooling down, the fourth short of SP. */
export function SkillsHud() {
  return (
    <HudFrame width={262} height={96}>
      {SKILLS.map(({ glyph, color }, index) => (
        <g key={glyph}>
          <Slot x={7 + index * 63} y={7} size={58} glyph={glyph} color={color}>
            {index === 2 && (
              <>
                <path d="M29 29V1h28v56H1V38Z" fill="#0a0c13" opacity=".78" />
                <text className={`${styles.big} ${styles.middle}`} x="29" y="38">
                  4
                </text>
              </>
            )}
            {index === 3 && <rect x="2" y="2" width="54" height="54" fill="none" stroke="#5c8bff" strokeWidth="3" />}
          </Slot>
          <KeyPlate x={22 + index * 63} y={71} text={`F${index + 1}`} wide={28} />
        </g>
      ))}
    </HudFrame>
  )
}

const SHORTCUTS: readonly { glyph: GlyphName; color: string }[] = [
  { glyph: 'hand', color: '#ffd9a0' },
  { glyph: 'skate', color: 'var(--gate-t)' },
  { glyph: 'window', color: 'var(--paper)' },
  { glyph: 'umbrella', color: 'var(--phoenix-t)' },
  { glyph: 'speech', color: 'var(--peak-t)' },
  { glyph: 'speech', color: 'var(--paper)' },
  { glyph: 'ticket', color: '#8fdcf5' },
  { glyph: 'padlock', color: '#98a0b4' },
]

/** Shortcut slot, 200×96: eight places for whatever is done outside a fight. */
export function ShortcutsHud() {
  return (
    <HudFrame width={200} height={96}>
      {SHORTCUTS.map(({ glyph, color }, index) => (
        <Slot
          // biome-ignore lint/suspicious/noArrayIndexKey: eight fixed places
          key={index}
          x={6 + (index % 4) * 48}
          y={5 + Math.floor(index / 4) * 44}
          size={42}
          glyph={glyph}
          color={color}
        >
          <text className={styles.count} x="40" y="39">
            {index + 1}
          </text>
        </Slot>
      ))}
    </HudFrame>
  )
}
