import type { ReactNode } from 'react'
import styles from './hud.module.css'

/** The icons of the interface on a grid of 24 × 24: a filled path, a stroked path, or both. */
const GLYPHS = {
  bowl: { fill: 'M2.5 11h19q0 7-6 9.5h-7q-6-2.5-6-9.5Z', line: 'M8 8q-2-2 0-4M12 8q-2-2 0-4M16 8q-2-2 0-4' },
  bottle: { fill: 'M9 9.5h6q1.5 2 1.5 4V20q0 2-2 2h-5q-2 0-2-2v-6.5q0-2 1.5-4Z', line: 'M9.5 9V3h5v6M9 3h6' },
  cup: {
    fill: 'M4.5 8.5H16V14q0 5-5.75 5T4.5 14Z',
    line: 'M16 9.5q4 0 3.5 3T15.5 15.5M8 6q-1-2 0-3.5M12 6q-1-2 0-3.5M3.5 21.5h14',
  },
  bread: { fill: 'M4 18q-2 0-2-3.5Q2 8 12 8t10 6.5Q22 18 20 18Z', line: '' },
  clover: { fill: 'M12 12.5q-7 1-7-3t4.5-3.5Q8.5 2 12 2t2.5 4Q19 5.5 19 9.5t-7 3Z', line: 'M12 12q-1 5 2 9.5' },
  lamp: { fill: 'M8 9.5h8l-1.5 9h-5Z', line: 'M12 1.5V4M8 9 10 4.5h4L16 9M8.5 21h7' },
  umbrella: { fill: 'M12 3q9 0 9.5 9-2-2-4.5 0-2.5-2-5 0-2.5-2-5 0-2.5-2-4.5 0Q3 3 12 3Z', line: 'M12 12v7q0 3-3.5 2' },
  skate: { fill: 'M4 3h6.5v7.5l8 2.5q2 1 2 4H4Z', line: 'M7.5 19.5v2M16.5 19.5v2' },
  bat: { fill: 'M20 2l2 2L10.5 16.5l-5 3.5-1.5-1.5 3.5-5Z', line: '' },
  star: { fill: 'M12 2l2.6 6.5 7 .5-5.4 4.5 1.7 6.8L12 16.6l-5.9 3.7 1.7-6.8L2.4 9l7-.5Z', line: '' },
  ticket: { fill: 'M2 6h20v4q-2 0-2 2t2 2v4H2v-4q2 0 2-2t-2-2Z', line: '' },
  padlock: { fill: 'M5 11h14v10.5H5Z', line: 'M8 11V7q0-4 4-4t4 4v4' },
  arrow: { fill: 'M21.5 2.5 18.5 12 12 5.5Z', line: 'M3 21 18 6M3 15v6h6' },
  dash: { fill: 'M12 4.5 21.5 12 12 19.5Z', line: 'M4 8h6M2 12h8M4 16h6' },
  trap: { fill: '', line: 'M12 2v20M3.5 7l17 10M20.5 7l-17 10M9.5 3.5 12 6l2.5-2.5M9.5 20.5 12 18l2.5 2.5' },
  heart: { fill: 'M12 21Q2 14 2.5 8.5 3 4 7 4q3.5 0 5 3.5Q13.5 4 17 4q4 0 4.5 4.5Q22 14 12 21Z', line: '' },
  hand: {
    fill: 'M6.5 13V6q0-1.5 1.3-1.5T9 6V4q0-1.5 1.5-1.5T12 4v-.5Q12 2 13.4 2t1.4 1.5V5q.2-1.2 1.4-1.2T17.5 5v9q0 8-6 8-4 0-6-4.5L3 13q1.5-2 3.5 0Z',
    line: '',
  },
  window: { fill: 'M3 4h18v5H3Z', line: 'M3 4h18v16H3Z' },
  speech: { fill: 'M2 4h20v12h-9l-6 5v-5H2Z', line: '' },
  sword: { fill: 'M12 1l2.5 4v10h-5V5Z', line: 'M7 16h10M12 16v6' },
} as const

export type GlyphName = keyof typeof GLYPHS

type FrameProps = { width: number; height: number; title?: string; keyName?: string; children?: ReactNode }

const TITLE_BAR_HEIGHT = 24

/** A window of the game with one cut corner. `title` adds a title bar, `keyName` the key that opens the window. */
export function HudFrame({ width, height, title, keyName, children }: FrameProps) {
  return (
    <>
      <path fill="rgb(10 12 19 / 88%)" stroke="#6b7590" d={`M.5.5H${width - 10}l9.5 9.5V${height - 0.5}H.5Z`} />
      {title !== undefined && (
        <>
          <path fill="#1a1f2e" d={`M1 1H${width - 10.5}l9.5 9.5V${TITLE_BAR_HEIGHT}H1Z`} />
          <text className={styles.title} x="24" y="17.5">
            {title}
          </text>
        </>
      )}
      {keyName !== undefined && <KeyPlate x={width - 38} y={4} text={keyName} />}
      {children}
    </>
  )
}

/** The name of a key on a light plate. */
export function KeyPlate({ x, y, text, width = 20 }: { x: number; y: number; text: string; width?: number }) {
  return (
    <>
      <rect x={x} y={y} width={width} height="17" fill="var(--paper)" />
      <text className={styles.plateText} x={x + width / 2} y={y + 13.5}>
        {text}
      </text>
    </>
  )
}

type SlotProps = { x: number; y: number; size: number; glyph?: GlyphName; color?: string; children?: ReactNode }

/** One slot for an item or a skill. */
export function Slot({ x, y, size, glyph, color = 'var(--paper)', children }: SlotProps) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect x=".5" y=".5" width={size - 1} height={size - 1} fill="#1a1f2e" stroke="#3a435c" />
      {glyph !== undefined && <Glyph name={glyph} x={size * 0.16} y={size * 0.16} size={size * 0.68} color={color} />}
      {children}
    </g>
  )
}

type GlyphProps = { name: GlyphName; x: number; y: number; size: number; color: string }

/** One of the interface's icons. */
export function Glyph({ name, x, y, size, color }: GlyphProps) {
  const { fill, line } = GLYPHS[name]
  return (
    <g transform={`translate(${roundToHundredth(x)} ${roundToHundredth(y)}) scale(${roundToHundredth(size / 24)})`}>
      {fill !== '' && <path d={fill} fill={color} />}
      {line !== '' && <path d={line} fill="none" stroke={color} strokeWidth="2" />}
    </g>
  )
}

function roundToHundredth(value: number): number {
  return Math.round(value * 100) / 100
}
