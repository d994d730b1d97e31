import { differs, KEY_TABLE, keysOf } from '../content/controls.ts'
import styles from './keyboard.module.css'
import { KEY_CAPS, KEYBOARD_ROWS, KEYBOARD_WIDTH } from './keyboard-keys.ts'

type ControlType = 'a' | 'b'

/** The look of a key by the group its action belongs to, in the key table's order. */
const LOOKS = [styles.walk, styles.fight, styles.item, styles.window, styles.chat, styles.screen]

/** For each key of a type its group's place in the key table; with `sharedOnly` just what both types have alike. */
function groupsOfKeys(type: ControlType, sharedOnly: boolean): Map<string, number> {
  return new Map(
    KEY_TABLE.flatMap(({ controls }, group) =>
      controls
        .filter((control) => !(sharedOnly && differs(control)))
        .flatMap((control) => keysOf(control[type]).map((key): [string, number] => [key, group])),
    ),
  )
}

type KeyboardProps = {
  type: ControlType
  width: number
  height: number
  /** On the desk of the large picture only the keys are named that both types share. */
  shared?: boolean
}

/** A drawn keyboard with the keys of one type in the colours of their groups. */
export function Keyboard({ type, width, height, shared = false }: KeyboardProps) {
  const groups = groupsOfKeys(type, shared)
  const [unitX, unitY] = [width / KEYBOARD_WIDTH, height / KEYBOARD_ROWS]
  return KEY_CAPS.map((cap) => {
    const group = groups.get(cap.id)
    const [x, y, wide, tall] = [cap.x * unitX, cap.y * unitY, cap.width * unitX - 2.5, cap.height * unitY - 2.5].map(
      (value) => Math.round(value * 10) / 10,
    )
    return (
      <g key={cap.id} className={group === undefined ? styles.rest : LOOKS[group]}>
        <rect x={x} y={y} width={wide} height={tall} />
        {(group !== undefined || !shared) && (
          <text x={Number(x) + Number(wide) / 2} y={Number(y) + Number(tall) / 2 + 5}>
            {cap.label}
          </text>
        )}
      </g>
    )
  })
}

/** The colours of the groups, by name. */
export function KeyboardLegend() {
  return (
    <ul className={styles.legend}>
      {KEY_TABLE.map(({ title }, group) => (
        <li key={title} className={LOOKS[group]}>
          {title}
        </li>
      ))}
    </ul>
  )
}
