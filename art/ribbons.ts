import { paper, path, signal, svg } from './svg.ts'

/** The grounds of a shop card's ribbons, 22 px high with a swallow tail; the word stands on them as text. */
const RIBBONS = { new: signal, hot: '#B4230F', sale: paper } as const

/** One ribbon, flush to the left edge of its card. */
export function ribbon(kind: keyof typeof RIBBONS): string {
  return svg(58, 22, path('M0 0H58L51 11L58 22H0Z', RIBBONS[kind]))
}
