import { figure } from './figure.ts'
import { oval, poly } from './outline.ts'
import { batter, captain, staffBearer, swordBearer } from './poses-fighters.ts'
import { reacher } from './poses-townsfolk.ts'
import { glints, rain, stars } from './scenery.ts'
import { ground, height, strip, width } from './story-ground.ts'
import { black, box, circle, gate, linear, n, paper, path, peak, phoenix, signal, stroke } from './svg.ts'

/** Sacred Gate in the big rain: lit arches, water to the knees, a row of hands. */
export function storyGate(): string {
  const arch = (x: number) => `M${x} ${ground}v-118a38 44 0 0 1 76 0v118z`
  const arches = [72, 196, 320, 444, 568, 692].map(arch).join('')
  const inner = [72, 196, 320, 444, 568, 692].map((x) => `M${x + 8} ${ground}v-116a30 36 0 0 1 60 0v116`).join('')
  return strip(
    { heart: '#6E8BFF', middle: '#2342B5', dark: '#080E30', dot: '#8FA6FF', x: 420, y: 120, reach: 380 },
    gate.b,
    path(`M0 46H${width}V${ground}H0z`, '#0E1A5A') +
      path(`M0 38H${width}v10H0z`, gate.b) +
      stroke(`M0 56H${width}`, '#A37E2C', 2) +
      path(arches, '#FFD98A') +
      path(
        [110, 234, 358, 482, 606, 730].map((x) => box(x - 1, 96, 2, 26) + oval([x, 128], 6, 8)).join(''),
        '#FFF8DC',
      ) +
      stroke(inner, gate.b, 3) +
      path([72, 196, 320, 444, 568, 692].map((x) => `M${x + 32} 72h12l4 16h-20z`).join(''), gate.b) +
      figure({ id: 'a', pose: captain, x: 234, y: ground + 14, height: 128, rim: gate.t, from: 1 }) +
      figure({ id: 'b', pose: reacher, x: 352, y: ground + 16, height: 96, rim: gate.b, from: 1 }) +
      figure({ id: 'c', pose: swordBearer, x: 486, y: ground + 14, height: 124, rim: gate.t, from: -1 }) +
      figure({ id: 'd', pose: reacher, x: 606, y: ground + 16, height: 92, rim: gate.b, from: -1, flip: true }),
    path(`M0 ${ground - 8}H${width}V${height}H0z`, '#10307E', ' opacity=".86"') +
      glints(8, 0, width, ground + 2, 34, '#FFD98A') +
      rain(4, width, height, 90, '#BFD0FF'),
  )
}

/** Mystic Peak: terraces in the mist, the library above, a string that goes down into the light. */
export function storyPeak(): string {
  const steps = [
    [236, '#0B5A45'],
    [206, '#0C6A51'],
    [174, '#0A5843'],
    [142, '#0B4A39'],
    [112, '#083A2D'],
  ]
    .reverse()
    .map(([y, color], i) => {
      const x = Number(y)
      const left = 330 - i * 66
      return (
        path(
          `M${left - 60} ${ground}L${left} ${x}H${width - left + 60}L${width - left + 130} ${ground}z`,
          String(color),
        ) +
        stroke(`M${left} ${x + 1}H${width - left + 60}`, peak.b, 2, ' opacity=".7"') +
        stroke(
          `M${left + 10} ${x + 10}H${width - left + 50}M${left - 2} ${x + 18}H${width - left + 60}`,
          '#2FA983',
          1.6,
          ' opacity=".6"',
        )
      )
    })
    .join('')
  return strip(
    { heart: '#9FF0D6', middle: '#0E8565', dark: '#03140F', dot: '#6FDDBB', x: 450, y: 90, reach: 360 },
    peak.b,
    stars(5, 0, width, 100, 40) +
      circle(620, 62, 34, '#EAF6F2') +
      circle(634, 54, 30, '#0E7A5D') +
      steps +
      path(`M384 112V78h132v34zM372 78L450 44 528 78z`, '#04231B') +
      stroke('M372 78.5H528', peak.b, 2) +
      path([392, 412, 432, 452, 472, 492].map((x) => box(x, 86, 10, 18)).join(''), signal) +
      path(box(448, 30, 4, 16), peak.b) +
      path(oval([180, 150], 170, 9) + oval([640, 182], 190, 10) + oval([330, 212], 220, 9), paper, ' opacity=".17"') +
      path(`M596 ${ground}v-44h64v44z`, '#04231B') +
      path(`M604 ${ground}v-36h48v36z`, '#FFE98A') +
      path(`M604 ${ground}h48v-8h-40v-8h30v-8h-22v-6`, '#C98A22') +
      stroke(`M232 ${ground - 62}Q330 ${ground - 20} 430 ${ground - 34}T628 ${ground - 14}`, paper, 2) +
      figure({ id: 'a', pose: staffBearer, x: 208, y: ground, height: 116, rim: peak.t, from: 1 }) +
      circle(234, ground - 62, 8, paper) +
      stroke(`M228 ${ground - 66}q6 4 12 8M228 ${ground - 60}q6-6 12-2`, '#8FA3A8', 1.4),
  )
}

/** Phoenix: the roof is on fire a little, the tree too, and someone has a hammer. */
export function storyPhoenix(): string {
  const teeth = [0, 1, 2, 3, 4].map((t) => `M${330 + t * 84} 128V86l84 42z`).join('')
  const glass = [0, 1, 2, 3, 4].map((t) => `M${336 + t * 84} 124V98l52 26z`).join('')
  return strip(
    { heart: '#FFD98A', middle: '#D6431A', dark: '#240804', dot: '#FFB54A', x: 560, y: 150, reach: 400 },
    phoenix.b,
    `<defs>${linear(
      's',
      [0, 1, 0, 0],
      [
        [0, '#2A0B05', 0.9],
        [1, '#2A0B05', 0],
      ],
    )}</defs>` +
      path(
        poly([300, 244], [312, 20], [336, 20], [348, 244]) + poly([772, 244], [782, 44], [804, 44], [814, 244]),
        '#3A1008',
      ) +
      path('M310 40h28v12h-28zM781 62h24v10h-24z', paper) +
      path(
        oval([330, 6], 30, 16) + oval([372, -4], 40, 20) + oval([800, 26], 24, 13) + oval([830, 12], 30, 16),
        '#FFC2A8',
        ' opacity=".3"',
      ) +
      path(teeth, '#7E1A09') +
      path(glass, '#FFE08A') +
      path(`M330 128H760V${ground}H330z`, '#5A170B') +
      path([0, 1, 2, 3, 4, 5].map((i) => box(352 + i * 68, 150, 44, 50)).join(''), '#FFB54A') +
      stroke([0, 1, 2, 3, 4, 5].map((i) => `M${374 + i * 68} 150v50M${352 + i * 68} 175h44`).join(''), '#5A170B', 3) +
      stroke(`M330 129H760`, phoenix.b, 3) +
      stroke(
        [340, 420].map((x) => `M${x} ${ground}V66`).join('') + [92, 140, 190].map((y) => `M330 ${y}h104`).join(''),
        '#FFC98A',
        2.4,
      ) +
      path(`M176 ${ground}q8-60-2-96l12 2 8-30 8 30 14-6q-14 44-8 100z`, black) +
      stroke(`M188 ${ground - 70}l-38-34M192 ${ground - 92}l40-36M186 ${ground - 90}l-14-50`, black, 7) +
      path(
        [
          [140, 122, 20],
          [170, 86, 24],
          [214, 80, 26],
          [244, 108, 20],
          [192, 118, 24],
        ]
          .map(
            ([x = 0, y = 0, r = 0]) =>
              `M${n(x - r)} ${y}q0-${n(r)} ${n(r * 0.7)}-${n(r * 1.7)}q${n(r * 0.1)} ${n(r * 0.8)} ${n(r * 0.6)} ${n(r)}q${n(r * 0.3)}-${n(r * 0.3)} ${n(r * 0.2)}-${n(r * 0.7)}q${n(r * 0.7)} ${n(r * 0.9)} ${n(r * 0.3)} ${n(r * 1.9)}q-${n(r)} ${n(r * 0.8)}-${n(r * 1.8)}-${n(r * 0.5)}z`,
          )
          .join(''),
        signal,
      ) +
      path(oval([172, 98], 9, 11) + oval([214, 92], 10, 12) + oval([194, 124], 9, 10), '#FF7A1A') +
      path(
        Array.from({ length: 16 }, (_, i) => box(150 + ((i * 83) % 520), 20 + ((i * 47) % 110), 3, 3)).join(''),
        signal,
      ) +
      figure({ id: 'a', pose: batter, x: 268, y: ground, height: 112, rim: phoenix.t, from: 1 }) +
      figure({ id: 'b', pose: captain, x: 520, y: ground, height: 104, rim: phoenix.b, from: -1 }),
  )
}
