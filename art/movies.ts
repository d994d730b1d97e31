import { nightFrame } from './movie-night.ts'
import { parolFrame } from './movie-parol.ts'
import { tripFrame } from './movie-trip.ts'
import { randomFrom } from './svg.ts'

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

const RATE = 32_000
/** Notes of a five-note scale, in Hz. */
const SCALE = [293.7, 329.6, 392, 440, 523.3, 587.3, 659.3, 784] as const

/** A film's sound while it is made: one channel of samples. */
export class Sound {
  readonly samples: Float32Array

  constructor(seconds: number) {
    this.samples = new Float32Array(seconds * RATE)
  }

  /** A struck bell of the scale's `note`, at `at` seconds. */
  bell(at: number, note: number, gain = 0.3): this {
    const pitch = SCALE[note] ?? SCALE[0]
    return this.add(at, 3, (s) => {
      const strike = Math.min(1, s * 240)
      const ring = Math.exp(-s * 2.2) * Math.sin(2 * Math.PI * pitch * s)
      const shine = 0.34 * Math.exp(-s * 5) * Math.sin(2 * Math.PI * pitch * 2.76 * s)
      return gain * strike * (ring + shine)
    })
  }

  /** Bells from `at` on, one every `apart` seconds. */
  phrase(at: number, apart: number, notes: readonly number[], gain = 0.3): this {
    for (const [i, note] of notes.entries()) this.bell(at + i * apart, note, gain)
    return this
  }

  /** Rain on a roof, swelling and fading within its time. */
  rain(at: number, seconds: number, gain = 0.1): this {
    const random = randomFrom(4)
    let low = 0
    return this.add(at, seconds, (s) => {
      low += 0.35 * (random() * 2 - 1 - low)
      return gain * low * Math.min(1, s * 2, (seconds - s) * 2)
    })
  }

  /** An old engine, idling along. */
  engine(at: number, seconds: number, gain = 0.12): this {
    return this.add(at, seconds, (s) => {
      const turn = 2 * Math.PI * 46 * s
      const beat = 0.75 + 0.25 * Math.sin(2 * Math.PI * 11.5 * s)
      return gain * beat * (Math.sin(turn) + 0.5 * Math.sin(2 * turn) + 0.25 * Math.sin(3 * turn + 0.6))
    })
  }

  /** A ball on a wooden floor. */
  thud(at: number, gain = 0.5): this {
    return this.add(at, 0.3, (s) => gain * Math.exp(-s * 22) * Math.sin(2 * Math.PI * (92 - 90 * s) * s))
  }

  /** The sound as a WAV file, its loudest moment at half of full scale. */
  wav(): Buffer {
    const peak = this.samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0.001)
    const file = Buffer.alloc(44 + this.samples.length * 2)
    file.write('RIFF', 0)
    file.writeUInt32LE(36 + this.samples.length * 2, 4)
    file.write('WAVEfmt ', 8)
    file.writeUInt32LE(16, 16)
    file.writeUInt16LE(1, 20)
    file.writeUInt16LE(1, 22)
    file.writeUInt32LE(RATE, 24)
    file.writeUInt32LE(RATE * 2, 28)
    file.writeUInt16LE(2, 32)
    file.writeUInt16LE(16, 34)
    file.write('data', 36)
    file.writeUInt32LE(this.samples.length * 2, 40)
    for (const [i, sample] of this.samples.entries()) {
      file.writeInt16LE(Math.round((sample / peak) * 16_000), 44 + i * 2)
    }
    return file
  }

  private add(at: number, seconds: number, wave: (s: number) => number): this {
    const from = Math.round(at * RATE)
    const to = Math.min(this.samples.length, from + Math.round(seconds * RATE))
    for (let i = from; i < to; i++) this.samples[i] = (this.samples[i] ?? 0) + wave((i - from) / RATE)
    return this
  }
}
