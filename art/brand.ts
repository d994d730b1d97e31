import type { ClassGuide } from '#content/classes.ts'
import { logo } from './charges.ts'
import { classPoster } from './class-poster.ts'
import { word } from './lettering.ts'
import { type Frame, poster } from './poster.ts'
import { rooftop } from './posters.ts'
import { group, ink, linear, paper, path, rect, signal, svg } from './svg.ts'

/** The tab's icon: the plate alone, on a square grid. */
export function favicon(): string {
  return svg(48, 48, group('translate(0 2)', logo()))
}

/** The plate on ink with room around it, for home screens. */
export function appIcon(side: number): string {
  return plateOnInk(side, 0.66)
}

/** The same for systems that cut their own shape: the plate fits into the circle of 80 % that they all leave whole. */
export function maskableIcon(side: number): string {
  return plateOnInk(side, 0.56)
}

/** @param share the plate's width as a part of the side */
function plateOnInk(side: number, share: number): string {
  const scale = (side * share) / 48
  const at = `translate(${(side - 48 * scale) / 2} ${(side - 44 * scale) / 2}) scale(${scale})`
  return svg(side, side, rect(0, 0, side, side, ink) + group(at, logo()))
}

/** What a link to the site shows: the roof, the plate, the name. 400×210 units, rastered at three times that. */
export function shareCard(): string {
  const frame: Frame = { width: 400, height: 210, cx: 304, ground: 178, words: false, pitch: 12, dots: 0.85 }
  const scene = rooftop(frame)
  const shade = `<defs><linearGradient id="t"><stop stop-color="${ink}" stop-opacity=".96"/><stop offset=".6" stop-color="${ink}" stop-opacity=".82"/><stop offset="1" stop-color="${ink}" stop-opacity="0"/></linearGradient></defs>${rect(0, 0, 250, 210, 'url(#t)')}`
  const front =
    group('translate(26 46) scale(1)', logo()) +
    word('Tambayan', { x: 25, y: 138, size: 54, fill: paper }) +
    word('ONLINE', { x: 27, y: 162, size: 19, fill: signal, tracking: 6.5 }) +
    path('M0 200H400v2H0z', paper) +
    path('M0 203.5H176l-14 4H0z', '#2B50E8') +
    path('M176 203.5H262l-14 4H162z', signal) +
    path('M262 203.5H400v4H248z', '#0A7F60')
  return poster(frame, { back: scene.back, art: scene.art, front: shade + front })
}

/** What a link to a class shows: its name beside its poster. 400×210 units, rastered at three times that. */
export function classShareCard(guide: ClassGuide): string {
  const art = classPoster(guide.key).replace('width="400" height="500"', 'x="208" y="-22" width="192" height="240"')
  return svg(
    400,
    210,
    rect(0, 0, 400, 210, ink) +
      art +
      `<defs>${linear(
        'edge',
        [0, 0, 1, 0],
        [
          [0, ink, 1],
          [1, ink, 0],
        ],
      )}</defs>` +
      rect(206, 0, 40, 200, 'url(#edge)') +
      group('translate(26 30) scale(.8)', logo()) +
      word(guide.name, { x: 25, y: 132, size: guide.name.length > 8 ? 56 : 66, fill: paper }) +
      word('Class guide', { x: 27, y: 164, size: 26, fill: signal }) +
      rect(0, 198, 400, 12, ink) +
      path('M0 200H400v2H0z', paper) +
      path('M0 203.5H176l-14 4H0z', '#2B50E8') +
      path('M176 203.5H262l-14 4H162z', signal) +
      path('M262 203.5H400v4H248z', '#0A7F60'),
  )
}
