import type { ReactNode } from 'react'
import { GLYPHS, type GlyphName } from './glyphs.ts'
import styles from './hud.module.css'

type FrameProps = { width: number; height: number; title?: string; plate?: string; children?: ReactNode }

const BAR = 24

/** A window of the game: one cut corner, and with a title a bar and the plate of its key. */
export function HudFrame({ width, height, title, plate, children }: FrameProps) {
  return (
    <>
      <path className={styles.frame} d={`M.5.5H${width - 10}l9.5 9.5V${height - 0.5}H.5Z`} />
      {title !== undefined && (
        <>
          <path className={styles.bar} d={`M1 1H${width - 10.5}l9.5 9.5V${BAR}H1Z`} />
          <text className={styles.title} x="24" y="17.5">
            {title}
          </text>
        </>
      )}
      {plate !== undefined && <KeyPlate x={width - 38} y={4} text={plate} />}
      {children}
    </>
  )
}

/** A key's name on a paper plate. */
export function KeyPlate({ x, y, text, wide = 20 }: { x: number; y: number; text: string; wide?: number }) {
  return (
    <>
      <rect className={styles.plate} x={x} y={y} width={wide} height="17" />
      <text className={styles.plateText} x={x + wide / 2} y={y + 13.5}>
        {text}
      </text>
    </>
  )
}

type SlotProps = { x: number; y: number; size: number; glyph?: GlyphName; color?: string; children?: ReactNode }

/** One place for a thing or a skill. */
export function Slot({ x, y, size, glyph, color = 'var(--paper)', children }: SlotProps) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect className={styles.slot} x=".5" y=".5" width={size - 1} height={size - 1} />
      {glyph !== undefined && <Glyph name={glyph} x={size * 0.16} y={size * 0.16} size={size * 0.68} color={color} />}
      {children}
    </g>
  )
}

type GlyphProps = { name: GlyphName; x: number; y: number; size: number; color: string }

/** A small thing, drawn. */
export function Glyph({ name, x, y, size, color }: GlyphProps) {
  const { fill, line } = GLYPHS[name]
  return (
    <g transform={`translate(${round(x)} ${round(y)}) scale(${round(size / 24)})`}>
      {fill !== '' && <path d={fill} fill={color} />}
      {line !== '' && <path d={line} fill="none" stroke={color} strokeWidth="2" />}
    </g>
  )
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
