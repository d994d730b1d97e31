import { around, halftone } from './halftone.ts'
import { parol } from './parol.ts'
import { truss } from './posters.ts'
import { beam, beamLight, bulbs, pole, rain, skyline, stars, waterTank } from './scenery.ts'
import {
  black,
  box,
  circle,
  gate,
  group,
  ink,
  n,
  paper,
  path,
  peak,
  phoenix,
  randomFrom,
  rect,
  signal,
  stroke,
} from './svg.ts'

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

/*
 * What stands behind the figures of the class posters out of doors: 400 wide, the ground at y = 440. Each scene is a
 * place of the campus that the class's text speaks of.
 */

/** Archer: the Sky Bridge between two lit towers, the wind's ribbons on its cables. */
export function skyBridge(): string {
  const cable = (from: number, to: number) => `M${from} 60Q${(from + to) / 2} 330 ${to} 60`
  const hangers = Array.from({ length: 15 }, (_, i) => {
    const t = (i + 1) / 16
    return `M${n(400 * t)} ${n(60 + 540 * t * (1 - t))}V384`
  }).join('')
  return (
    `<defs>${beamLight('b1', '#BFD0FF', 0.5)}</defs>` +
    stars(11, 0, 400, 240, 50) +
    circle(292, 118, 58, '#DCE4FF') +
    circle(292, 118, 72, '#DCE4FF', ' opacity=".14"') +
    beam(60, 430, 90, 430, 50, 'b1') +
    skyline(5, -4, 410, 430, 120, '#0F1B55', '#8F7012') +
    stroke(hangers, '#0A1238', 1.6) +
    stroke(`${cable(0, 400)}M0 384H400`, '#0A1238', 4) +
    path('M0 20H26V440H0zM374 20H400V440H374z', '#0A1238') +
    path(
      [60, 100, 140, 180, 220, 260, 300, 340]
        .map((y, i) => box(i % 2 ? 6 : 13, y, 7, 12) + box(i % 3 ? 381 : 388, y, 7, 12))
        .join(''),
      '#C99A1A',
    ) +
    stroke('M26 384q26-10 44 2t46-4M250 384q22 12 44 0t40 2', gate.t, 2, ' opacity=".55"') +
    path('M64 250l26-6-8 8 10 6-28-2zM330 268l24-8-7 9 10 5-27 0z', phoenix.a)
  )
}

/** Sword: the rooftop before a low moon, the tank and the wires. */
export function roofMoon(): string {
  return (
    circle(206, 214, 150, '#FFD9B8', ' opacity=".12"') +
    circle(206, 214, 128, '#FFC59A') +
    `<clipPath id="m"><circle cx="206" cy="214" r="128"/></clipPath><g clip-path="url(#m)">` +
    halftone({ x: 70, y: 170, width: 272, height: 180, pitch: 12, steps: 7 }, '#E0456B', (_x, y) => (y - 150) / 210) +
    path('M60 210 350 130V150L60 232ZM60 262 350 186V196L60 274Z', paper, ' opacity=".8"') +
    '</g>' +
    skyline(23, -6, 412, 440, 84, '#240A2C', '#C99A1A') +
    group('translate(300 440) scale(1.7)', waterTank(0, 0, '#FF8FA8')) +
    group('translate(52 440) scale(1.7)', pole(0, 0, 150)) +
    stroke('M30 206Q180 250 400 150M74 206Q220 262 400 176', black, 1.6) +
    bulbs(
      [
        [-10, 60],
        [140, 84],
        [410, 40],
      ],
      12,
      34,
    )
  )
}

/** Shaman: the terraces of Mystic Peak in the mist, one lantern for every name called back. */
export function terraces(): string {
  const steps = [318, 344, 370, 396, 422]
    .map((y, i) => `M-4 ${y}q${60 + i * 8}-${18 - i * 2} 120 0t140 2 150-6V450H-4z`)
    .map((d, i) => path(d, ['#0E6B52', '#0B5945', '#094939', '#07392D', '#052A21'][i] ?? black))
    .join('')
  const colors = { rim: signal, light: '#FFE9A8', heart: phoenix.a }
  return (
    stars(4, 0, 400, 180, 46) +
    circle(110, 110, 46, '#E8FFF6') +
    circle(110, 110, 60, '#E8FFF6', ' opacity=".14"') +
    path('M-10 330 84 158 130 226 200 110 268 214 308 170 410 330Z', '#0A4B3A') +
    path(
      'M200 110 228 154 214 168 200 150 186 170 172 156ZM84 158 100 182 88 190 80 180 68 188Z',
      peak.b,
      ' opacity=".9"',
    ) +
    rect(0, 250, 400, 10, '#BFF5E2', ' opacity=".16"') +
    rect(40, 272, 360, 16, '#BFF5E2', ' opacity=".13"') +
    steps +
    stroke(
      [322, 348, 374, 400].map((y, i) => `M-4 ${y}q${60 + i * 8}-${18 - i * 2} 120 0t140 2 150-6`).join(''),
      peak.t,
      1.3,
      ' opacity=".5"',
    ) +
    parol(48, 300, 17, colors, 0) +
    parol(352, 262, 20, colors, 0) +
    parol(330, 366, 13, colors, 0)
  )
}

/** Shaper: the quad at first light, blocks left hanging where the last lesson ended. */
export function quad(): string {
  const block = (x: number, y: number, s: number, top: string, opacity = 1) =>
    group(
      `translate(${x} ${y}) scale(${s})`,
      path('M0-20 17-10.5 0-1-17-10.5Z', top) +
        path('M-17-10.5 0-1V18L-17 8.5Z', '#0C2B28') +
        path('M17-10.5 0-1V18L17 8.5Z', '#16423D'),
      ` opacity="${opacity}"`,
    )
  const bays = [0, 1, 2]
    .flatMap((row) =>
      Array.from({ length: 12 }, (_, i) => (i % 4 === 3 ? '' : box(14 + i * 32, 268 + row * 46, 20, 26))),
    )
    .join('')
  return (
    circle(96, 240, 92, '#F2FFF8', ' opacity=".16"') +
    circle(96, 240, 66, '#F2FFF8', ' opacity=".5"') +
    path('M-4 250H404V440H-4zM-4 250 200 206 404 250z', '#123A36') +
    path(bays, '#0A2522') +
    path(box(46, 314, 20, 26) + box(302, 268, 20, 26) + box(238, 360, 20, 26), '#C99A1A') +
    stroke('M-4 250 200 206 404 250M-4 258H404M-4 304H404M-4 350H404', '#8FCABB', 1.2, ' opacity=".4"') +
    block(336, 96, 1.5, '#BFE6DB') +
    block(62, 118, 1.05, '#BFE6DB', 0.85) +
    block(366, 222, 0.9, '#BFE6DB', 0.75) +
    block(300, 30, 0.7, '#BFE6DB', 0.6) +
    stroke('M336 134V180M62 146V176M366 246V268', '#D8E1E4', 1.2, ' stroke-dasharray="3 4" opacity=".6"')
  )
}

/** Conductor: the open back of the night jeepney in the rain, its step a hand above the wet road. */
export function jeepneyBack(): string {
  return (
    skyline(9, -4, 244, 440, 110, '#101A38', '#8F7012') +
    rain(6, 240, 420, 44, '#9FB7E8') +
    stroke('M-10 120Q120 150 240 96M-10 150Q110 176 240 120', black, 2) +
    path('M226 78h174V404H226z', phoenix.a) +
    path('M226 78h174v30H226zM206 56h194v20H206zM250 34h60v22h-60zM322 26h44v30h-44z', '#0B0F1C') +
    path('M238 116h162V392H238z', '#2A0B06') +
    path('M252 128h148v116H252z', '#FFC24A') +
    path('M252 128h148v40H252z', '#FFE9A8') +
    path('M252 250h120v16H252zM252 300h120v14H252z', '#6E1608') +
    stroke('M252 150H400M266 128v34M302 128v34M338 128v34M374 128v34', black, 3) +
    path('M172 398H400V416H172z', '#C3C8D4') +
    stroke('M172 403H400M172 411H400', black, 2) +
    path('M262 416h52v24h-52zM350 416h50v24h-50z', black) +
    stroke('M243 84V398', paper, 5) +
    stroke('M226 112H400', signal, 4) +
    stroke('M226 392H400', gate.a, 5) +
    circle(232, 372, 7, '#FF5D4D') +
    circle(232, 372, 15, '#FF5D4D', ' opacity=".25"') +
    path('M262 82h130v22H262z', paper) +
    path(
      'M270 88h10v10h-10zM286 88h34v4h-34zM286 95h24v3h-24zM328 88h10v10h-10zM344 88h40v4h-40zM344 95h28v3h-28z',
      ink,
    )
  )
}

/** The dots of light every class poster stands in. */
export function glow(color: string, x = 200, y = 240, reach = 250): string {
  return halftone({ width: 400, height: 440, pitch: 12, steps: 5 }, color, around(x, y, reach), ' opacity=".75"')
}
