/**
 * A painted part of a crest. `a` is the bright half, `d` the dark half, `b` metal. With `line` the path is a stroke of
 * that width, otherwise a fill.
 */
export interface CrestPart {
  readonly d: string
  readonly paint: 'a' | 'd' | 'b'
  readonly line?: number
}

/** The three schools in the game's order: 0 Sacred Gate, 1 Mystic Peak, 2 Phoenix. */
export type School = 0 | 1 | 2

/** The colors of a school's crest and map positions (web/ui/base.css has the same colors as tokens). */
export const SCHOOL_PAINTS: Readonly<Record<School, Readonly<Record<CrestPart['paint'], string>>>> = {
  0: { a: '#2b50e8', d: '#1a2f93', b: '#e9be5a' },
  1: { a: '#0a7f60', d: '#075743', b: '#d8e1e4' },
  2: { a: '#c92c0e', d: '#7e1a09', b: '#ffb54a' },
}

/**
 * Crests on a 64×76 grid. The outline differs by school (arch, hexagon, swallowtail), so they can be distinguished
 * without color.
 */
export const crestShapes: Readonly<Record<School, readonly CrestPart[]>> = {
  0: [
    { d: 'M32 2A28 28 0 0 0 4 30V74H32Z', paint: 'a' },
    { d: 'M32 2A28 28 0 0 1 60 30V74H32Z', paint: 'd' },
    { d: 'M9.5 72V30a22.5 22.5 0 0 1 45 0V72M17 37V72M23 47V72M41 47V72M47 37V72', paint: 'b', line: 2.6 },
    { d: 'M32 12.5l5.2 6.5-5.2 6.5-5.2-6.5ZM32 30l8.5 40H60v4H4v-4h19.5Z', paint: 'b' },
  ],
  1: [
    { d: 'M32 1 4 33V59L32 75Z', paint: 'a' },
    { d: 'M32 1 60 33V59L32 75Z', paint: 'd' },
    { d: 'M32 8.5 54.5 34.5V56L32 69 9.5 56V34.5Z', paint: 'b', line: 2.2 },
    { d: 'M32 14.5 45.5 33l-4.5 2-4.5-3.5L32 36.5l-4.5-5L23 35l-4.5-2Z', paint: 'b' },
    {
      d: 'M15 48l5.7-5 5.6 5 5.7-5 5.7 5 5.6-5 5.7 5M17.5 56l4.8-4.5 4.8 4.5 4.9-4.5 4.9 4.5 4.8-4.5 4.8 4.5M26 62.5l6-5 6 5',
      paint: 'b',
      line: 2.6,
    },
  ],
  2: [
    { d: 'M4 3H32V62L17 75 4 45Z', paint: 'a' },
    { d: 'M60 3H32V62L47 75 60 45Z', paint: 'd' },
    { d: 'M8 7H56V44.5L45.7 68.5 32 56.7 18.3 68.5 8 44.5Z', paint: 'b', line: 2 },
    {
      d: 'M28.5 30Q17 27 12 11.5 10.5 20 14.5 26.5L10.5 24Q11 31 16 34.5L11.5 34Q14 41 20.5 42L17 43.5Q23 47.5 29 43.5L25.5 52Q24 57.5 19.5 62 27 59 30 51.5L32 56.5 34 51.5Q37 59 44.5 62 40 57.5 38.5 52L35 43.5Q41 47.5 47 43.5L43.5 42Q50 41 52.5 34L48 34.5Q53 31 53.5 24L49.5 26.5Q53.5 20 52 11.5 47 27 35.5 30L34.5 23.5Q37 20 35.5 16.5L40 15 35 13.5 37 10 31.5 12.5Q28.5 13.5 28 16L23.5 19.5 29 20.5Z',
      paint: 'b',
    },
  ],
}

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

/** An emblem on a grid of 48 units: open strokes, and a closed part that is filled when the class is chosen. */
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

/**
 * Drawn letters and plates of the two currencies (grid of 24 units) and of the logo (48×44), for the sprite and for
 * pictures that the server draws.
 */
export const markShapes = {
  coinLetter: 'M8.3 17.4V6.6h4.5a3.3 3.3 0 0 1 1.5 6.2l2.2 4.6h-3l-1.8-4h-.6v4Zm2.8-8.5v2.3h1.4a1.1 1.1 0 0 0 0-2.3Z',
  ticket: 'M1 4H23V9a3 3 0 0 0 0 6V20H1V15a3 3 0 0 0 0-6Z',
  ticketLetter: 'M6 17.2V6.8h2.6L12 11.5 15.4 6.8H18V17.2H15.3V11.1L12 15.6 8.7 11.1V17.2Z',
  plate: 'M0 0H40L48 8V44H0Z',
  shed: 'M5 13.5 43 4.5V11.5L28 15V23.5H40.5V33H43V39H5V33H7.5V23.5H20V16.9L5 20.5ZM11.5 27.5V33H20V27.5ZM28 27.5V33H36.5V27.5Z',
} as const
