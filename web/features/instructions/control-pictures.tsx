import styles from './control-pictures.module.css'
import { Keyboard, KeyboardLegend } from './picture/keyboard.tsx'
import { MouseBody } from './picture/mouse.tsx'

const TYPES = ['a', 'b'] as const

/** Both keyboards with the keys they use in the colours of their groups. */
export function KeyboardPictures() {
  return (
    <div className={styles.keyboards}>
      {TYPES.map((type) => (
        <figure key={type}>
          <figcaption>Type {type.toUpperCase()}</figcaption>
          <svg
            viewBox="-8 -8 700 206"
            role="img"
            aria-label={`A keyboard with the keys of type ${type.toUpperCase()} marked; the table below names them all`}
          >
            <path d="M-7.5-7.5H680l11.5 11.5V197.5H-7.5Z" fill="#0a0c13" stroke="#3a435c" />
            <Keyboard type={type} width={686} height={192} />
          </svg>
        </figure>
      ))}
      <KeyboardLegend />
    </div>
  )
}

const WALK = '#a9b9ff'
const CAMERA = '#6fddbb'

const MICE = {
  a: { left: ['Walk', 'and choose'], right: ['Camera', 'while dragged'], colors: { left: WALK, right: CAMERA } },
  b: { left: ['Camera', 'while held'], right: ['Walk', 'and follow'], colors: { left: CAMERA, right: WALK } },
} as const

/** Both mice: which button walks, which one turns the camera. */
export function MousePictures() {
  return (
    <div className={styles.mice}>
      {TYPES.map((type) => {
        const { left, right, colors } = MICE[type]
        return (
          <figure key={type}>
            <figcaption>Type {type.toUpperCase()}</figcaption>
            <svg
              viewBox="0 0 320 190"
              role="img"
              aria-label={`Mouse type ${type.toUpperCase()}. Left button: ${left.join(' ')}. Right button: ${right.join(' ')}. Wheel: camera nearer, farther.`}
            >
              <g transform="translate(110 36)">
                <MouseBody {...colors} wheel="#ffd21f" />
              </g>
              <path d="M96 70h32M192 70h32M160 56V26" stroke="#f5f1e6" strokeWidth="1.5" />
              <Words x={90} y={68} anchor="end" words={left} />
              <Words x={230} y={68} anchor="start" words={right} />
              <text className={styles.what} x="160" y="18" textAnchor="middle">
                Zoom
              </text>
            </svg>
          </figure>
        )
      })}
    </div>
  )
}

type WordsProps = { x: number; y: number; anchor: 'start' | 'end'; words: readonly [string, string] }

function Words({ x, y, anchor, words: [what, how] }: WordsProps) {
  return (
    <text className={styles.what} x={x} y={y} textAnchor={anchor}>
      {what}
      <tspan className={styles.how} x={x} dy="20">
        {how}
      </tspan>
    </text>
  )
}
