import { randomFrom } from './svg.ts'

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
