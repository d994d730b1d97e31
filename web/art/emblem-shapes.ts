/** The nine classes, in the game's order. */
export type EmblemName =
  | 'brawler'
  | 'swordsman'
  | 'archer'
  | 'shaman'
  | 'extreme'
  | 'gunner'
  | 'assassin'
  | 'magician'
  | 'shaper'

/** An emblem on a 48 grid: open strokes, and the one closed part that fills when the class is chosen. */
interface EmblemShape {
  readonly line: string
  readonly mark: string
}

export const emblemShapes: Readonly<Record<EmblemName, EmblemShape>> = {
  brawler: {
    line: 'M9 23V13H16.5V23M16.5 14V8H24V23M24 8H31.5V23M31.5 11H39V23M9 30.5H25.5V23',
    mark: 'M9 23H39V33L34 38V42H15V38L9 31Z',
  },
  swordsman: { line: 'M13 32H35M24 32V41M19 42H29', mark: 'M24 5 28.5 11V32H19.5V11Z' },
  archer: {
    line: 'M11 8Q37 11 40 37M11 8 21 25.5M40 37 22.5 27M8 33.5V40H14.5M8 40 33 15',
    mark: 'M42 6 38.5 18.5 29.5 9.5Z',
  },
  shaman: {
    line: 'M24 4V10L42 39H6L24 10M4.5 41.5 8 36M43.5 41.5 40 36',
    mark: 'M24 23.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11Z',
  },
  extreme: { line: 'M13 11A19 19 0 0 0 13 37M35 11A19 19 0 0 1 35 37', mark: 'M28 5 16 26H23L20 43 32 21H25Z' },
  gunner: {
    line: 'M24 10a14 14 0 1 0 0 28a14 14 0 1 0 0-28ZM24 5V15M24 33V43M5 24H15M33 24H43',
    mark: 'M24 19a5 5 0 1 0 0 10a5 5 0 1 0 0-10Z',
  },
  assassin: { line: 'M19.5 26 9 39 14 43 24 31 34 43 39 39 28.5 26', mark: 'M24 5 28.5 13V26L24 31 19.5 26V13Z' },
  magician: {
    line: 'M32 7.5A18 18 0 0 1 40.5 16M16 40.5A18 18 0 0 1 7.5 32',
    mark: 'M24 7 28 20 41 24 28 28 24 41 20 28 7 24 20 20Z',
  },
  shaper: { line: 'M7 14.5V33.5L24 43 41 33.5V14.5M24 24V43', mark: 'M24 5 41 14.5 24 24 7 14.5Z' },
}
