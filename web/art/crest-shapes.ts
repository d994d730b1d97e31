/** One painted part of a crest. `a` bright half, `d` dark half, `b` metal; with `line` the path is a stroke of that width, else a fill. */
export interface CrestPart {
  readonly d: string
  readonly paint: 'a' | 'd' | 'b'
  readonly line?: number
}

/** The three schools in the game's order: 0 Sacred Gate, 1 Mystic Peak, 2 Phoenix. */
export type School = 0 | 1 | 2

/** Crests on a 64×76 grid. The outline differs by school (arch, hexagon, swallowtail), so that colour is never needed to tell them apart. */
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
