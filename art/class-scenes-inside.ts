import { truss } from './poster-court.ts'
import { black, box, circle, group, n, paper, path, randomFrom, rect, signal, stroke } from './svg.ts'

/* What stands behind the figures of the class posters indoors: 400 wide, the ground at y = 440. */

/** Brawler: the Covered Court under its truss, the crowd a dark wave behind the rope. */
export function ring(): string {
  const heads = Array.from({ length: 17 }, (_, i) => {
    const x = -6 + i * 25.5
    const y = 346 + ((i * 7) % 5) * 4
    return `M${n(x)} 440V${y + 14}q0-10 6-12a9 9 0 1 1 13 0q6 2 6 12V440z`
  }).join('')
  return (
    '<defs><linearGradient id="cone" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#FFE9A8" stop-opacity=".6"/><stop offset="1" stop-color="#FFE9A8" stop-opacity="0"/></linearGradient></defs>' +
    path('M52 84-40 440H150ZM200 66 96 440H304ZM348 84 250 440H440Z', 'url(#cone)') +
    group('translate(200 440) scale(2.36)', truss(-92, 92)) +
    path(heads, '#2A0B06') +
    path('M0 398H400V440H0z', '#2A0B06') +
    stroke('M0 350Q200 362 400 350M0 384Q200 396 400 384', paper, 3) +
    stroke('M0 417Q200 429 400 417', '#FFB54A', 3)
  )
}

/** Extreme: the boiler room, pipes, a gauge past its mark, and everything alive with current. */
export function boilerRoom(): string {
  const rivets = Array.from({ length: 9 }, (_, i) => box(26 + i * 14, 214, 4, 4) + box(26 + i * 14, 330, 4, 4)).join('')
  return (
    path('M14 196h128q18 0 18 20V440H14z', '#1B0F3E') +
    path(rivets, '#7B4FE0', ' opacity=".7"') +
    circle(84, 272, 34, '#0E0724') +
    stroke('M84 238a34 34 0 1 0 .1 0z', '#B79BFF', 4) +
    stroke('M84 272 106 252', signal, 4) +
    stroke('M60 284a26 26 0 0 1 10-34M84 246a26 26 0 0 1 18 6', paper, 2) +
    stroke('M60 196V60H400M96 196V96H400', '#1B0F3E', 20) +
    stroke('M55 196V55H400M91 196V91H400', '#7B4FE0', 2, ' opacity=".7"') +
    path('M300 130h100V440H300z', '#150B33') +
    path('M312 150h76v50h-76zM312 214h76v50h-76z', '#0E0724') +
    path('M322 160h8v8h-8zM342 160h8v8h-8zM362 160h8v8h-8zM322 180h8v8h-8zM362 180h8v8h-8z', signal) +
    stroke('M318 240h64M318 250h40', '#B79BFF', 3) +
    path('M120 48h14v26h-14zM240 48h14v26h-14zM170 84h14v26h-14z', '#7B4FE0') +
    stroke(
      'M300 292l-22 14 12 6-26 22 10 4-20 26M150 160l24 12-8 10 26 8M300 168l-18-6 4 14-24-2M262 60l-8 18 14 4-10 20',
      '#EBDDFF',
      2,
      ' stroke-linejoin="bevel"',
    )
  )
}

/** Scientist: the laboratory after hours, shelves of glass, a board of sums, three rings of aim. */
export function laboratory(): string {
  const flask = (x: number, y: number, h: number, color: string) =>
    path(`M${x - 4} ${y - h}h8v${n(h * 0.4)}l9 ${n(h * 0.6)}h-26l9-${n(h * 0.6)}z`, '#8FDCF5', ' opacity=".28"') +
    path(`M${x - 8} ${y - h * 0.3}h16l5 ${n(h * 0.3)}h-26z`, color)
  return (
    path('M0 96H170V226H0z', '#06303F') +
    stroke('M0 96H170V226H0', '#2B7F9C', 3) +
    stroke(
      'M16 122h40M64 122h22M16 142q14-16 28 0t28 0 28 0M20 200v-36M16 196h70M24 192q30-4 40-26M110 130l30 52M140 130l-30 52M106 204h44M106 212h30',
      '#BFEFFF',
      2.2,
      ' opacity=".65"',
    ) +
    path('M236 150H400V158H236zM236 236H400V244H236zM236 322H400V330H236z', '#04202B') +
    flask(262, 150, 44, '#3BE0B0') +
    flask(304, 150, 56, '#FF7A5C') +
    flask(348, 150, 36, '#FFB81C') +
    flask(384, 150, 50, '#7B9BFF') +
    flask(274, 236, 52, '#7B9BFF') +
    flask(370, 236, 58, '#3BE0B0') +
    path('M300 204h40v32h-40zM306 192h28v12h-28z', '#04202B') +
    path('M312 212h16v16h-16z', signal, ' opacity=".8"') +
    flask(386, 322, 46, '#FF7A5C') +
    path('M330 276h44v46h-44z', '#04202B') +
    stroke('M336 286h32M336 296h32M336 306h20', '#2B7F9C', 3) +
    stroke('M58 80a150 150 0 0 0 0 300M22 120a112 112 0 0 0 0 220', '#BFEFFF', 1.6, ' opacity=".35"') +
    path('M0 392H120V440H0zM300 392H400V440H300z', '#04202B') +
    stroke('M0 392H120M300 392H400', '#8FDCF5', 2)
  )
}

/** Assassin: the second-floor hallway, louvred windows, every lamp out but the last. */
export function hallway(): string {
  const slats = (x: number, w: number, top: number, h: number, lean: number) =>
    Array.from({ length: 8 }, (_, i) => {
      const y = top + (h / 8) * i
      return `M${x} ${n(y)}h${w}v${n(h / 8 - 5)}l${-w} ${lean}z`
    }).join('')
  return (
    '<defs><linearGradient id="door" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#FFE1C8"/><stop offset="1" stop-color="#FF6A45"/></linearGradient><linearGradient id="spill" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#FF8A66" stop-opacity=".75"/><stop offset="1" stop-color="#FF8A66" stop-opacity="0"/></linearGradient></defs>' +
    path('M0 0 150 130V372L0 440ZM400 0 270 130V372L400 440Z', '#2A0710') +
    path('M0 0H400L270 130H150Z', '#1A040A') +
    path('M150 130H270V372H150z', '#4A0C16') +
    path('M176 164h68V372h-68z', 'url(#door)') +
    path('M150 372H270L400 440H0Z', '#120309') +
    path('M176 372h68l60 68H100Z', 'url(#spill)') +
    path('M18 96 60 128V330L18 352ZM82 146 108 166V316L82 330ZM124 178 138 188V302L124 310Z', '#14040A') +
    path('M382 96 340 128V330L382 352ZM318 146 292 166V316L318 330Z', '#14040A') +
    path(slats(20, 38, 126, 200, 4) + slats(342, 38, 126, 200, 4), '#A32030', ' opacity=".6"') +
    path('M196 40h28l8 14h-44zM70 20h30l6 12H66zM302 20h30l2 12h-40z', black) +
    circle(210, 54, 5, '#FFE1C8') +
    stroke('M150 130 0 0M270 130 400 0M150 372 0 440M270 372 400 440', '#FF7A5C', 1.2, ' opacity=".5"')
  )
}

/** Magician: the library basement, shelves to the ceiling, one reading lamp. */
export function library(): string {
  const random = randomFrom(17)
  const colors = ['#7A3A12', '#8F5A1E', '#5A2510', '#A3702C', '#3E1B0C']
  const spines = colors.map(() => '')
  for (const [left, right] of [
    [8, 120],
    [292, 392],
  ] as const)
    for (const floor of [110, 184, 258, 332, 406])
      for (let x = left; x < right - 6; ) {
        const w = 7 + Math.round(random() * 8)
        const h = 38 + Math.round(random() * 20)
        const at = Math.floor(random() * colors.length)
        if (random() > 0.1) spines[at] += box(x, floor - h, Math.min(w, right - x), h)
        x += w + 1
      }
  return (
    '<defs><linearGradient id="lamp" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#FFE3B0" stop-opacity=".75"/><stop offset="1" stop-color="#FFE3B0" stop-opacity="0"/></linearGradient></defs>' +
    path('M0 40H128V440H0zM284 40H400V440H284z', '#160A04') +
    spines.map((d, i) => path(d, colors[i] ?? black)).join('') +
    path(
      [110, 184, 258, 332, 406].map((y) => box(0, y, 128, 7) + box(284, y, 116, 7)).join('') +
        box(124, 40, 7, 400) +
        box(281, 40, 7, 400),
      '#2B1408',
    ) +
    path('M131 70H281V96H131zM131 96a75 60 0 0 1 150 0z', '#2B1408') +
    rect(140, 100, 132, 340, '#241003', ' opacity=".6"') +
    path('M188 116h36l52 324H136Z', 'url(#lamp)') +
    path('M204 70h4v30h-4zM182 118l12-20h24l12 20z', '#0D0502') +
    stroke(
      'M300 440 330 60M318 440 348 60M303 400h18M308 340h18M313 280h18M318 220h18M323 160h18M328 100h18',
      '#0D0502',
      4,
    )
  )
}
