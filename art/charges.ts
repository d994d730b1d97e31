import { type CrestPart, crestShapes, type EmblemName, emblemShapes, markShapes, type School } from '#web/art/shapes.ts'
import { coin, ink, schools, signal } from './svg.ts'

/** A whole crest on its 64×76 grid. */
export function crest(school: School): string {
  return crestShapes[school].map((part) => paint(part, schools[school][part.paint])).join('')
}

/** Only the crest's metal, for a ground that already has the school's colours. */
export function crestCharge(school: School): string {
  const metal = crestShapes[school].filter((part) => part.paint === 'b')
  return metal.map((part) => paint(part, schools[school].b)).join('')
}

function paint(part: CrestPart, color: string): string {
  return part.line
    ? `<path d="${part.d}" fill="none" stroke="${color}" stroke-width="${part.line}"/>`
    : `<path d="${part.d}" fill="${color}"/>`
}

/** An emblem on its 48 grid. */
export function emblem(name: EmblemName, line: string, fill: string): string {
  const shape = emblemShapes[name]
  return `<g fill="none" stroke="${line}" stroke-width="2.6" stroke-miterlimit="6"><path d="${shape.mark}" fill="${fill}"/><path d="${shape.line}"/></g>`
}

/** The R-Coin token on its 24 grid. */
export function coinToken(): string {
  return `<circle cx="12" cy="12" r="10.5" fill="${coin}"/><circle cx="12" cy="12" r="10.4" fill="none" stroke="${coin}" stroke-width="2.2" stroke-dasharray="2.042"/><circle cx="12" cy="12" r="8.2" fill="${ink}"/><path d="${markShapes.coinLetter}" fill="${coin}" fill-rule="evenodd"/>`
}

/** The logo on its 48×44 grid. */
export function logo(plate = signal, shed = ink): string {
  return `<path d="${markShapes.plate}" fill="${plate}"/><path d="${markShapes.shed}" fill="${shed}" fill-rule="evenodd"/>`
}
