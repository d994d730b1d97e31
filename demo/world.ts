/** Shared parts of the demo world. */

/** The numbers of the world's accounts, and the time at which it is filled. */
export type World = {
  now: Date
  juan: number
  maria: number
  gm: number
  players: readonly number[]
}

/** Returns a time some milliseconds before `now`. */
export const before = (now: Date, ms: number) => new Date(now.getTime() - ms)

/** Returns a number from 0 (included) to 1 (excluded). */
export type Random = () => number

/** A fixed sequence of numbers in [0, 1) from a seed (mulberry32): the demo world is the same on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** One of several values. @throws when there is none */
export function pick<Value>(random: Random, values: readonly Value[]): Value {
  const index = Math.floor(random() * values.length)
  if (!(index in values)) throw new RangeError('There is nothing to pick from.')
  return values[index] as Value
}
