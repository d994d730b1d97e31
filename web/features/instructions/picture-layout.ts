import type { InterfacePartKey } from '#contract/documents.ts'

/** The size of the picture's coordinate system. The picture shows the game's screen, with a keyboard and mouse below it. */
export const PICTURE = { width: 1000, height: 800 }

/** The position of the game's screen in the picture. */
export const SCREEN = { x: 16, y: 16, width: 968, height: 600 }

type Region = { x: number; y: number; width: number; height: number }

/** The region of each part of the interface, in the picture's coordinates. */
export const REGIONS: Readonly<Record<InterfacePartKey, Region>> = {
  status: { x: 32, y: 32, width: 300, height: 96 },
  items: { x: 340, y: 504, width: 140, height: 96 },
  skills: { x: 492, y: 504, width: 262, height: 96 },
  chat: { x: 32, y: 392, width: 296, height: 208 },
  shortcuts: { x: 768, y: 504, width: 200, height: 96 },
  inventory: { x: 716, y: 204, width: 252, height: 284 },
  map: { x: 756, y: 32, width: 212, height: 156 },
  keys: { x: 70, y: 658, width: 660, height: 130 },
  mouse: { x: 800, y: 646, width: 100, height: 148 },
}

type KeyCap = { id: string; label: string; x: number; y: number; width: number; height: number }

/** The size of the whole keyboard, in keys. */
export const KEYBOARD_WIDTH = 22.5
export const KEYBOARD_HEIGHT = 6.25

/** A row: its start, then its keys as `id`, `id:width` or `id=label`, with gaps as numbers. */
type KeyRow = { x: number; y: number; keys: readonly (string | number)[] }

const splitLetters = (text: string) => [...text]

const KEY_ROWS: readonly KeyRow[] = [
  { x: 0, y: 0, keys: ['Esc', 1, 'F1', 'F2', 'F3', 'F4', 0.5, 'F5', 'F6', 'F7', 'F8', 0.5, 'F9', 'F10', 'F11', 'F12'] },
  { x: 0, y: 1.25, keys: ['`', ...splitLetters('1234567890-'), 'equals==', 'Backspace=Back:2'] },
  { x: 15.25, y: 1.25, keys: ['Insert=Ins', 'Home=Hm', 'Page Up=PgU'] },
  { x: 18.5, y: 1.25, keys: ['Num Lock=Num', 'Num /=/', 'Num *=*', 'Num −=−'] },
  { x: 0, y: 2.25, keys: ['Tab:1.5', ...splitLetters('QWERTYUIOP[]'), '\\:1.5'] },
  { x: 15.25, y: 2.25, keys: ['Delete=Del', 'End', 'Page Down=PgD'] },
  { x: 18.5, y: 2.25, keys: ['Num 7=7', 'Num 8=8', 'Num 9=9', 'Num +=+'] },
  { x: 0, y: 3.25, keys: ['Caps Lock=Caps:1.75', ...splitLetters("ASDFGHJKL;'"), 'Enter:2.25'] },
  { x: 18.5, y: 3.25, keys: ['Num 4=4', 'Num 5=5', 'Num 6=6'] },
  { x: 0, y: 4.25, keys: ['Left Shift=Shift:2.25', ...splitLetters('ZXCVBNM,./'), 'Right Shift=Shift:2.75'] },
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

/** Every key of a desktop keyboard with its position, in keys. */
export const KEY_CAPS: readonly KeyCap[] = KEY_ROWS.flatMap(layOutKeyCaps)

function layOutKeyCaps({ x, y, keys }: KeyRow): KeyCap[] {
  const caps: KeyCap[] = []
  let nextX = x
  for (const key of keys) {
    if (typeof key === 'number') {
      nextX += key
      continue
    }
    const [, id = key, label = id, width = '1'] = /^(.[^=:]*)(?:=(.[^:]*))?(?::([\d.]+))?$/.exec(key) ?? []
    caps.push({ id, label, x: nextX, y, width: Number(width), height: 1 })
    nextX += Number(width)
  }
  return caps
}
