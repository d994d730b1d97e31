import { nightFrame } from './movie-night.ts'
import { parolFrame } from './movie-parol.ts'
import { Sound } from './movie-sound.ts'
import { tripFrame } from './movie-trip.ts'

/** A film of our own: what is seen at a moment from 0 to 1, and what is heard. */
export type Film = {
  slug: string
  seconds: number
  frame: (t: number) => string
  /** The moment its poster shows. */
  posterAt: number
  sound: () => Sound
}

export const films: readonly Film[] = [
  {
    slug: 'one-night-on-campus',
    seconds: 16,
    frame: nightFrame,
    posterAt: 0.95,
    sound: () => {
      const sound = new Sound(16).rain(8, 4, 0.5)
      sound.phrase(0.4, 0.6, [0, 2, 4, 3, 1, 2])
      // The ball touches the floor where its hop is 0: every 4/4.5 s of its shot.
      for (let i = 0; i <= 4; i++) sound.thud(4 + (i * 4) / 4.5, 0.8 - i * 0.1)
      sound.phrase(8.8, 1, [2, 4, 5], 0.16)
      sound.phrase(12.2, 0.45, [0, 2, 4, 5, 7, 5, 4])
      return sound
    },
  },
  {
    slug: 'last-trip-home',
    seconds: 12,
    frame: tripFrame,
    posterAt: 0.1,
    sound: () => {
      const sound = new Sound(12).engine(0, 12)
      sound.phrase(0.5, 1, [4, 2, 3, 1, 2, 0, 1, 3, 4, 5, 3], 0.2)
      return sound
    },
  },
  {
    slug: 'how-to-build-a-parol',
    seconds: 15,
    frame: parolFrame,
    posterAt: 0.94,
    sound: () => {
      const sound = new Sound(15)
      // A note a stick, one for the second star, one for the hoop, one a sheet, then the light.
      sound.phrase(0.9, 0.54, [0, 1, 2, 3, 4], 0.22)
      sound.bell(4, 5, 0.22).bell(6.2, 6, 0.22)
      sound.phrase(8.2, 0.4, [4, 3, 2, 1, 0], 0.22)
      for (const note of [0, 2, 4, 5]) sound.bell(12.4, note, 0.26)
      return sound.bell(13.6, 7, 0.2)
    },
  },
]
