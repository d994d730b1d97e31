import type { ClassGuide } from '../../content/classes.ts'
import { logo } from './charges.ts'
import { classPoster } from './class-poster.ts'
import { word } from './lettering.ts'
import { group, ink, linear, paper, path, rect, signal, svg } from './svg.ts'

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
