import { crestCharge } from './charges.ts'
import { black, group, linear, paper, path, rect, schools, stroke, svg } from './svg.ts'

type SchoolIndex = 0 | 1 | 2

/** How each school's cloth ends, from the lower right corner to the lower left: arch, point, three tails. `w` is the width. */
const feet: Readonly<Record<SchoolIndex, (w: number, h: number, depth: number) => string>> = {
  0: (w, h, depth) => `V${h}H${w / 2 + depth}a${depth} ${depth} 0 0 0 ${-2 * depth} 0H0`,
  1: (w, h, depth) => `V${h - depth}L${w / 2} ${h}L0 ${h - depth}`,
  2: (w, h, depth) =>
    `V${h}L${(w * 5) / 6} ${h - depth}L${(w * 2) / 3} ${h}L${w / 2} ${h - depth}L${w / 3} ${h}L${w / 6} ${h - depth}L0 ${h}`,
}

/** The weave in the lower half: grille bars, ridges, scales. */
const weaves: Readonly<Record<SchoolIndex, string>> = {
  0: '<pattern id="w" width="14" height="14" patternUnits="userSpaceOnUse"><path d="M5.5 0h3v14h-3z"/></pattern>',
  1: '<pattern id="w" width="28" height="14" patternUnits="userSpaceOnUse"><path d="M0 11l14-8 14 8v-3L14 0 0 8z"/></pattern>',
  2: '<pattern id="w" width="28" height="24" patternUnits="userSpaceOnUse"><path d="M0-12a14 14 0 0 0 28 0M0 12a14 14 0 0 0 28 0M-14 0a14 14 0 0 0 28 0M14 0a14 14 0 0 0 28 0" fill="none" stroke="#0A0C13" stroke-width="2.4"/></pattern>',
}

/** A school's hanging flag, 116×306: rod, charge, metal bars, weave. The name is set over its lower half as text. */
export function flag(school: SchoolIndex): string {
  const { a, d, b } = schools[school]
  const w = 116
  const h = 306
  const cloth = `M0 3H${w}${feet[school](w, h, [38, 44, 30][school] ?? 30)}z`
  return svg(
    w,
    h,
    `<defs>${weaves[school]}${folds}<clipPath id="c"><path d="${cloth}"/></clipPath></defs><g clip-path="url(#c)">` +
      rect(0, 0, w / 2, h, a) +
      rect(w / 2, 0, w / 2, h, d) +
      rect(0, 166, w, h - 166, 'url(#w)', ' opacity=".28"') +
      rect(0, 0, w, h, 'url(#f)') +
      rect(0, 154, w, 5, b) +
      rect(0, 162, w, 2, b) +
      group('translate(14.2 26) scale(1.368)', crestCharge(school)) +
      `</g>${rod(w)}`,
  )
}

/** The phone's flag, 104×164: no weave; charge above, room for the name below. */
export function flagPhone(school: SchoolIndex): string {
  const { a, d, b } = schools[school]
  const w = 104
  const h = 164
  const cloth = `M0 3H${w}${feet[school](w, h, [22, 24, 18][school] ?? 18)}z`
  return svg(
    w,
    h,
    `<defs>${folds}<clipPath id="c"><path d="${cloth}"/></clipPath></defs><g clip-path="url(#c)">` +
      rect(0, 0, w / 2, h, a) +
      rect(w / 2, 0, w / 2, h, d) +
      rect(0, 0, w, h, 'url(#f)') +
      rect(0, 84, w, 3, b) +
      group('translate(24.6 14) scale(.855)', crestCharge(school)) +
      `</g>${rod(w)}`,
  )
}

/** Two soft folds down the cloth and a shadow under the rod. */
const folds = linear(
  'f',
  [0, 0, 1, 0],
  [
    [0, '#fff', 0.1],
    [0.16, '#000', 0.16],
    [0.3, '#fff', 0.1],
    [0.5, '#000', 0.04],
    [0.72, '#fff', 0.07],
    [0.86, '#000', 0.2],
    [1, '#000', 0.02],
  ],
)

function rod(w: number): string {
  return path(`M0 6h${w}v3H0z`, black, ' opacity=".3"') + rect(0, 0, w, 6, paper) + stroke(`M0 5.5H${w}`, '#C2BAA4', 1)
}
