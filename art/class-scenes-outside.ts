import { around, halftone } from './halftone.ts'
import { parol } from './parol.ts'
import { beam, beamLight, bulbs, pole, rain, skyline, stars, waterTank } from './scenery.ts'
import { black, box, circle, gate, group, ink, n, paper, path, peak, phoenix, rect, signal, stroke } from './svg.ts'

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
