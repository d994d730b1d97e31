type KeyCap = { id: string; label: string; x: number; y: number; width: number; height: number }

/** Width of the whole keyboard in keys. */
export const KEYBOARD_WIDTH = 22.5
export const KEYBOARD_ROWS = 6.25

/** A row: where it begins, then keys as `id`, `id:width`, `id=label` or a gap as a number. */
type Row = { x: number; y: number; keys: readonly (string | number)[] }

const letters = (text: string) => [...text]

const ROWS: readonly Row[] = [
  { x: 0, y: 0, keys: ['Esc', 1, 'F1', 'F2', 'F3', 'F4', 0.5, 'F5', 'F6', 'F7', 'F8', 0.5, 'F9', 'F10', 'F11', 'F12'] },
  { x: 0, y: 1.25, keys: ['`', ...letters('1234567890-'), 'equals==', 'Backspace=Back:2'] },
  { x: 15.25, y: 1.25, keys: ['Insert=Ins', 'Home=Hm', 'Page Up=PgU'] },
  { x: 18.5, y: 1.25, keys: ['Num Lock=Num', 'Num /=/', 'Num *=*', 'Num −=−'] },
  { x: 0, y: 2.25, keys: ['Tab:1.5', ...letters('QWERTYUIOP[]'), '\\:1.5'] },
  { x: 15.25, y: 2.25, keys: ['Delete=Del', 'End', 'Page Down=PgD'] },
  { x: 18.5, y: 2.25, keys: ['Num 7=7', 'Num 8=8', 'Num 9=9', 'Num +=+'] },
  { x: 0, y: 3.25, keys: ['Caps Lock=Caps:1.75', ...letters("ASDFGHJKL;'"), 'Enter:2.25'] },
  { x: 18.5, y: 3.25, keys: ['Num 4=4', 'Num 5=5', 'Num 6=6'] },
  { x: 0, y: 4.25, keys: ['Left Shift=Shift:2.25', ...letters('ZXCVBNM,./'), 'Right Shift=Shift:2.75'] },
  { x: 16.25, y: 4.25, keys: ['↑'] },
  { x: 18.5, y: 4.25, keys: ['Num 1=1', 'Num 2=2', 'Num 3=3'] },
  {
    x: 0,
    y: 5.25,
    keys: ['Ctrl:1.25', 1.25, 'Alt:1.25', 'Space:6.25', 'Right Alt=Alt:1.25', 2.5, 'Right Ctrl=Ctrl:1.25'],
  },
  { x: 15.25, y: 5.25, keys: ['←', '↓', '→'] },
  { x: 18.5, y: 5.25, keys: ['Num 0=0:2', 'Num .=.'] },
]

/** Every key of a desktop keyboard with its place, in keys. */
export const KEY_CAPS: readonly KeyCap[] = ROWS.flatMap(capsOf)

function capsOf({ x, y, keys }: Row): KeyCap[] {
  const caps: KeyCap[] = []
  let at = x
  for (const key of keys) {
    if (typeof key === 'number') {
      at += key
      continue
    }
    const [, id = key, label = id, width = '1'] = /^(.[^=:]*)(?:=(.[^:]*))?(?::([\d.]+))?$/.exec(key) ?? []
    caps.push({ id, label, x: at, y, width: Number(width), height: 1 })
    at += Number(width)
  }
  return caps
}
