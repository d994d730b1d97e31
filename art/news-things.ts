import { emblem } from './charges.ts'
import { word } from './lettering.ts'
import { floor, lit } from './news-ground.ts'
import { star } from './parol.ts'
import type { Frame, Scene } from './poster.ts'
import { beam, beamLight, bulbs, glints } from './scenery.ts'
import { black, gate, group, ink, paper, path, peak, phoenix, signal, stroke } from './svg.ts'

const steel = '#C3C8D4'

/** A guide: the swordsman's blade standing in jade light. */
export function guideSword(frame: Frame): Scene {
  return {
    back: `${lit(frame, '#14916E', '#04140F', '#2BD3A2')}<defs>${beamLight('b', '#BFF5E2', 0.5)}</defs>`,
    art:
      beam(-16, 0, -70, 240, 24, 'b') +
      beam(16, 0, 70, 240, 24, 'b') +
      floor(frame, peak.t) +
      path('M-60 0-44-16H44L60 0z', '#0B2A20') +
      stroke('M-44-16H44', peak.t, 1.5) +
      path('M-13-40H13V-152L0-172-13-152z', paper) +
      path('M0-40H13V-152L0-172z', steel) +
      path('M-2-44h4v-104h-4z', signal) +
      path('M-34-44H34v10l-6 6h-56l-6-6z', signal) +
      path('M-5-28H5V-14H-5z', phoenix.d) +
      glints(3, -120, 240, 8, 20, peak.a),
  }
}

/** Quick slots: four keys, four skills, one pressed. */
export function quickSlots(frame: Frame): Scene {
  const key = (i: number, draw: string) => {
    const down4 = i === 1 ? 8 : 0
    const x = -150 + i * 77
    return (
      path(`M${x} ${-112 + down4}h68v${84 - down4}h-68z`, black) +
      path(`M${x + 3} ${-108 + down4}h62v62h-62z`, i === 1 ? signal : '#222A4A') +
      stroke(`M${x + 3} ${-46 + down4}V${-108 + down4}h62`, i === 1 ? '#FFF3B8' : gate.t, 1.4, ' opacity=".8"') +
      group(`translate(${x + 13} ${-104 + down4}) scale(.88)`, draw) +
      word(`F${i + 1}`, {
        x: x + 34,
        y: -31 + (i === 1 ? 4 : 0),
        size: 15,
        fill: i === 1 ? signal : gate.t,
        anchor: 'middle',
      })
    )
  }
  return {
    back: `${lit(frame, '#2B50E8', '#080B22', '#5C7BFF', 76)}<defs>${beamLight('b', signal, 0.75)}</defs>`,
    art:
      path(`M-164-124H160V0H-164z`, '#0C1130') +
      path(`M-164-124H160v3H-164z`, gate.t, ' opacity=".6"') +
      beam(-39, -108, 0, 110, 44, 'b') +
      key(0, emblem('brawler', paper, 'none')) +
      key(1, emblem('extreme', ink, paper)) +
      key(2, emblem('magician', paper, 'none')) +
      key(3, emblem('shaman', paper, 'none')) +
      floor(frame, gate.t) +
      glints(7, -160, 320, 8, 20, '#1E2C86'),
  }
}

/** Rank rewards: a trophy on the first step, the three schools' lights behind. */
export function trophy(frame: Frame): Scene {
  const step = (x: number, h: number, text: string, fill: string) =>
    path(`M${x - 38} ${-h}h76V0h-76z`, fill) +
    path(`M${x - 38} ${-h}h76v4h-76z`, paper, ' opacity=".85"') +
    word(text, { x, y: -h / 2 + 10, size: 34, fill: paper, anchor: 'middle' })
  return {
    back: `${lit(frame, '#8A5A12', '#120B04', signal, 120)}<defs>${beamLight('g', '#6F8BFF', 0.8)}${beamLight('j', '#2FC79A', 0.7)}${beamLight('p', '#FF6A45', 0.8)}</defs>`,
    art:
      beam(-130, 0, 60, 240, 34, 'g') +
      beam(130, 0, -60, 240, 34, 'p') +
      beam(0, 0, 0, 240, 44, 'j') +
      step(-78, 44, '2', peak.d) +
      step(78, 32, '3', phoenix.d) +
      step(0, 64, '1', gate.a) +
      path('M-16-64h32v8h-32zM-10-72h20v8h-20zM-4-92h8v22h-8z', '#B37A0E') +
      path('M-32-150H32C34-116 22-96 0-90-22-96-34-116-32-150z', signal) +
      path('M0-150H32C34-116 22-96 0-90z', '#E0A400') +
      path('M-36-155h72v7h-72z', '#FFF3B8') +
      stroke('M-32-144h-18c0 22 10 32 24 34M32-144h18c0 22-10 32-24 34', '#E0A400', 6) +
      path(star(0, -124, 15, 6.5), ink) +
      floor(frame, signal) +
      bulbs(
        [
          [-190, -206],
          [0, -190],
          [190, -206],
        ],
        6,
        18,
      ) +
      glints(2, -150, 300, 8, 20, '#8F7012'),
  }
}
