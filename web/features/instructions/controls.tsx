import { type CSSProperties, Fragment } from 'react'
import type { DocumentContent } from '#contract/documents.ts'
import { useLoadedDocument } from '#web/api/documents.ts'
import styles from './controls.module.css'
import { differsByType, splitKeys, splitPieces } from './keys.ts'
import { KEY_CAPS, KEYBOARD_HEIGHT, KEYBOARD_WIDTH } from './picture-layout.ts'

type ControlGroup = DocumentContent<'instructions'>['keys'][number]

const TYPES = ['a', 'b'] as const
type ControlType = (typeof TYPES)[number]

const WALK_COLOR = '#a9b9ff'
const CAMERA_COLOR = '#6fddbb'

/** The colors of the groups in the key table, in order. */
const GROUP_COLORS = [WALK_COLOR, '#ff9c82', '#ffb54a', '#6fddbb', '#f5f1e6', '#8fdcf5']

/** Maps each key of a type to the index of its group. With `sharedOnly`, only keys with the same use in both types. */
function mapKeysToGroups(table: readonly ControlGroup[], type: ControlType, sharedOnly: boolean): Map<string, number> {
  return new Map(
    table.flatMap(({ controls }, group) =>
      controls
        .filter((control) => !(sharedOnly && differsByType(control)))
        .flatMap((control) => splitKeys(control[type]).map((key): [string, number] => [key, group])),
    ),
  )
}

type KeyboardProps = {
  type: ControlType
  width: number
  height: number
  /** Labels and colors only the keys that mean the same in both types. */
  showsSharedOnly?: boolean
}

/** A keyboard as SVG elements, with the keys of one type in the colors of their groups. */
export function Keyboard({ type, width, height, showsSharedOnly = false }: KeyboardProps) {
  const groups = mapKeysToGroups(useLoadedDocument('instructions').keys, type, showsSharedOnly)
  const [unitX, unitY] = [width / KEYBOARD_WIDTH, height / KEYBOARD_HEIGHT]
  return (
    <g className={styles.keyboard}>
      {KEY_CAPS.map((cap) => {
        const group = groups.get(cap.id)
        const [x, y, keyWidth, keyHeight] = [
          cap.x * unitX,
          cap.y * unitY,
          cap.width * unitX - 2.5,
          cap.height * unitY - 2.5,
        ].map((value) => Math.round(value * 10) / 10)
        return (
          <g key={cap.id} color={group === undefined ? undefined : GROUP_COLORS[group]}>
            <rect x={x} y={y} width={keyWidth} height={keyHeight} />
            {(group !== undefined || !showsSharedOnly) && (
              <text x={Number(x) + Number(keyWidth) / 2} y={Number(y) + Number(keyHeight) / 2 + 5}>
                {cap.label}
              </text>
            )}
          </g>
        )
      })}
    </g>
  )
}

/** Names the group behind each colour of the keyboard. */
function KeyboardLegend() {
  const { keys } = useLoadedDocument('instructions')
  return (
    <ul className={styles.legend}>
      {keys.map(({ title }, group) => (
        <li key={title} style={{ '--group': GROUP_COLORS[group] } as CSSProperties}>
          {title}
        </li>
      ))}
    </ul>
  )
}

type MouseProps = { left: string; right: string; wheel?: string }

/** A mouse seen from above, 100×148, as SVG elements. */
export function MouseBody({ left, right, wheel = '#3a435c' }: MouseProps) {
  return (
    <>
      <path d="M50 2Q96 2 96 54V92q0 54-46 54T4 92V54Q4 2 50 2Z" fill="#11141f" stroke="#6b7590" strokeWidth="2" />
      <path d="M48 4v54H6v-4Q6 6 48 4Z" fill={left} />
      <path d="M52 4v54h42v-4Q94 6 52 4Z" fill={right} />
      <rect x="43" y="20" width="14" height="30" rx="7" fill={wheel} stroke="#0a0c13" strokeWidth="3" />
      <path d="M47 30h6M47 35h6M47 40h6" stroke="#0a0c13" strokeWidth="2" />
      <path d="M40 112h20l-4-8H44ZM44 116h12v10H44Z" fill="#3a435c" />
    </>
  )
}

/** The keyboard part of the popup: a picture for each type, and the key table. */
export function KeyboardControls() {
  const { keys } = useLoadedDocument('instructions')
  return (
    <>
      <KeyboardPictures />
      <ControlTable caption="Default key table" groups={keys} hasKeyCaps />
      <TableNote />
    </>
  )
}

/** The mouse part of the popup: a picture for each type, and the table of buttons. */
export function MouseControls() {
  const { mouse } = useLoadedDocument('instructions')
  return (
    <>
      <MousePictures />
      <ControlTable caption="Mouse control" groups={mouse} />
      <TableNote />
    </>
  )
}

function TableNote() {
  return <p className={styles.note}>Lines with a yellow edge differ between the two types.</p>
}

/** The keyboards of both types, with their keys in the colors of the groups. */
function KeyboardPictures() {
  return (
    <div className={styles.keyboards}>
      {TYPES.map((type) => (
        <figure key={type}>
          <figcaption>Type {type.toUpperCase()}</figcaption>
          <svg
            data-poster
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

const MICE = {
  a: {
    left: ['Walk', 'and select'],
    right: ['Camera', 'while dragged'],
    colors: { left: WALK_COLOR, right: CAMERA_COLOR },
  },
  b: {
    left: ['Camera', 'while held'],
    right: ['Walk', 'and follow'],
    colors: { left: CAMERA_COLOR, right: WALK_COLOR },
  },
} as const

/** The mice of both types, with the buttons that walk and turn the camera. */
function MousePictures() {
  return (
    <div className={styles.mice}>
      {TYPES.map((type) => {
        const { left, right, colors } = MICE[type]
        return (
          <figure key={type}>
            <figcaption>Type {type.toUpperCase()}</figcaption>
            <svg
              data-poster
              viewBox="0 0 320 190"
              role="img"
              aria-label={`Mouse type ${type.toUpperCase()}. Left button: ${left.join(' ')}. Right button: ${right.join(' ')}. Wheel: zoom.`}
            >
              <g transform="translate(110 36)">
                <MouseBody {...colors} wheel="#ffd21f" />
              </g>
              <path d="M96 70h32M192 70h32M160 56V26" stroke="#f5f1e6" strokeWidth="1.5" />
              <ControlText x={90} y={68} anchor="end" texts={left} />
              <ControlText x={230} y={68} anchor="start" texts={right} />
              <text className={styles.action} x="160" y="18" textAnchor="middle">
                Zoom
              </text>
            </svg>
          </figure>
        )
      })}
    </div>
  )
}

type ControlTextProps = { x: number; y: number; anchor: 'start' | 'end'; texts: readonly [string, string] }

function ControlText({ x, y, anchor, texts: [action, detail] }: ControlTextProps) {
  return (
    <text className={styles.action} x={x} y={y} textAnchor={anchor}>
      {action}
      <tspan className={styles.detail} x={x} dy="20">
        {detail}
      </tspan>
    </text>
  )
}

type ControlTableProps = {
  caption: string
  groups: readonly ControlGroup[]
  /** Whether the cells contain names of keys, which are shown as key caps. */
  hasKeyCaps?: boolean
}

/** A table of controls with both types side by side. Rows that differ are marked. */
function ControlTable({ caption, groups, hasKeyCaps = false }: ControlTableProps) {
  return (
    <table className={styles.table}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Action</th>
          <th scope="col">Type A</th>
          <th scope="col">Type B</th>
        </tr>
      </thead>
      {groups.map(({ title, controls }) => (
        <tbody key={title}>
          <tr className={styles.group}>
            <th colSpan={3} scope="rowgroup">
              {title}
            </th>
          </tr>
          {controls.map((control) => (
            <tr key={control.action} className={differsByType(control) ? styles.differingRow : undefined}>
              <th scope="row">{control.action}</th>
              <td>{hasKeyCaps ? <Keys cell={control.a} /> : control.a}</td>
              <td>{hasKeyCaps ? <Keys cell={control.b} /> : control.b}</td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  )
}

/** A cell of the key table: each key as a key cap, the separators between them as text. */
function Keys({ cell }: { cell: string }) {
  return splitPieces(cell).map((piece, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: fixed pieces in a fixed order
    if (index % 2 === 0) return <kbd key={index}>{piece}</kbd>
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    return <Fragment key={index}>{piece === ' / ' ? ' ' : piece}</Fragment>
  })
}
