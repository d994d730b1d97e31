import { logo } from './charges.ts'
import { word } from './lettering.ts'
import { type Frame, poster } from './poster.ts'
import { rooftop } from './poster-rooftop.ts'
import { group, ink, paper, path, rect, signal, svg } from './svg.ts'

/** The tab's icon: the plate alone, on a square grid. */
export function favicon(): string {
  return svg(48, 48, group('translate(0 2)', logo()))
}

/** The plate on ink with room around it, for home screens that cut their own shape. */
export function appIcon(side: number): string {
  return svg(
    side,
    side,
    rect(0, 0, side, side, ink) + group(`translate(${side * 0.17} ${side * 0.2}) scale(${(side * 0.66) / 48})`, logo()),
  )
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
