/** An action and how each type performs it: keys to press, or what the mouse does. */
type Control = { action: string; a: string; b: string }
export type ControlGroup = { title: string; controls: readonly Control[] }

const same = (action: string, keys: string): Control => ({ action, a: keys, b: keys })

/**
 * The default key table. In a cell, ` / ` separates alternative keys, ` – ` joins the first and last key of a range, and
 * ` + ` joins keys that are pressed together.
 */
export const KEY_TABLE: readonly ControlGroup[] = [
  {
    title: 'Walking and looking',
    controls: [
      { action: 'Walk', a: '↑ / ← / ↓ / →', b: 'W / A / S / D' },
      { action: 'Walk automatically', a: 'Num Lock', b: 'Q' },
      { action: 'Walk or run', a: 'R', b: 'Caps Lock' },
      same('Dodge', 'Space'),
      { action: 'Sit down, stand up', a: 'X', b: 'Insert' },
      { action: 'Get on or off your ride', a: 'V', b: 'Delete' },
      { action: 'Turn the camera', a: '[ / ]', b: 'Num 4 / Num 6' },
      { action: 'Zoom in, zoom out', a: 'Page Up / Page Down', b: 'Num + / Num −' },
      { action: 'Camera behind you', a: 'Home', b: 'Num 5' },
    ],
  },
  {
    title: 'Fighting',
    controls: [
      same('Skill quick slot, first to fourth', 'F1 – F4'),
      { action: 'Attack with your weapon', a: 'A', b: 'E' },
      same('Next enemy', 'Tab'),
      { action: 'Nearest enemy', a: 'S', b: 'Left Shift' },
      { action: 'Target yourself', a: 'D', b: 'F5' },
      { action: 'Target a party member', a: 'F5 – F8', b: 'F6 – F9' },
      { action: 'Draw or put away your weapon', a: 'W', b: 'Z' },
    ],
  },
  {
    title: 'Items',
    controls: [
      same('Item quick slot, first to sixth', '1 – 6'),
      { action: 'Pick up, talk, open', a: 'Z', b: 'F' },
      { action: 'Trade with your target', a: 'T', b: 'Y' },
      same('Shortcut slot, first to eighth', 'Alt + 1 – Alt + 8'),
    ],
  },
  {
    title: 'Windows',
    controls: [
      same('Inventory', 'I'),
      same('Map', 'M'),
      same('Character', 'C'),
      same('Skills', 'K'),
      same('Errands', 'J'),
      same('Party', 'P'),
      { action: 'Club', a: 'G', b: 'U' },
      { action: 'Friends', a: 'F', b: 'L' },
      same('Options', 'O'),
      same('Close the topmost window', 'Esc'),
    ],
  },
  {
    title: 'Chat',
    controls: [
      same('Write, then send', 'Enter'),
      same('Next channel', 'Ctrl + Tab'),
      { action: 'Answer the last whisper', a: 'Backspace', b: 'R' },
      { action: 'Scroll the chat window', a: 'Ctrl + ↑ / Ctrl + ↓', b: 'Page Up / Page Down' },
    ],
  },
  {
    title: 'Screen',
    controls: [
      same('Hide or show the names', 'F10'),
      same('Hide or show the interface', 'F11'),
      same('Screenshot', 'F12'),
      same('Windowed or full screen', 'Alt + Enter'),
    ],
  },
]

/** The mouse control of both types. */
export const MOUSE_TABLE: readonly ControlGroup[] = [
  {
    title: 'Left button',
    controls: [
      { action: 'Click on the ground', a: 'Walks there', b: 'Clears the target' },
      { action: 'Click on an enemy', a: 'Selects it; click again to attack', b: 'Selects it and attacks at once' },
      { action: 'Click on a player', a: 'Selects the player', b: 'Selects the player' },
      { action: 'Hold on the ground', a: 'Follows the pointer', b: 'Turns the camera' },
      { action: 'Double-click on an item', a: 'Uses or wears it', b: 'Uses or wears it' },
    ],
  },
  {
    title: 'Right button',
    controls: [
      { action: 'Click on the ground', a: 'Nothing', b: 'Walks there' },
      { action: 'Click on an enemy', a: 'Uses the F1 skill on it', b: 'Uses the F1 skill on it' },
      { action: 'Click on a name', a: 'Opens the menu: whisper, party, trade, mute', b: 'Opens the same menu' },
      { action: 'Drag', a: 'Turns the camera', b: 'Follows the pointer' },
    ],
  },
  {
    title: 'Wheel',
    controls: [
      { action: 'Turn', a: 'Zooms in or out', b: 'Zooms in or out' },
      { action: 'Press', a: 'Camera behind you', b: 'Walks automatically' },
    ],
  },
]

/** Whether the two types perform an action differently. */
export function differs({ a, b }: Control): boolean {
  return a !== b
}

/** Every key that a cell of the key table names: `F1 – F4` becomes F1, F2, F3, F4. */
export function keysOf(cell: string): string[] {
  return cell.split(' / ').flatMap((way) => {
    const [from = '', to] = way.split(' – ')
    if (to === undefined) return [from]
    const [, stem = '', first = '0'] = /^(.*?)(\d+)$/.exec(from) ?? []
    const last = Number(/\d+$/.exec(to)?.[0] ?? first)
    return Array.from({ length: last - Number(first) + 1 }, (_, step) => `${stem}${Number(first) + step}`)
  })
}

/** Splits a cell into keys at even indexes and separators at odd ones. `Num +` is a key of the number block. */
export function piecesOf(cell: string): string[] {
  return cell.split(/( \/ | – |(?<!Num) \+ )/)
}
