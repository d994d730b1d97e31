import { blackout, moonArcher, skyBridge, tankRoof } from './gallery-roofs.ts'
import { emptyCourt, firstLantern, practice } from './gallery-rooms.ts'
import { firstTrip, marketNight, oneUmbrella } from './gallery-streets.ts'
import { type Frame, poster, type Scene } from './poster.ts'
import { rainyCoop } from './poster-coop.ts'
import { court } from './poster-court.ts'
import { lastTrip } from './poster-jeepney.ts'
import { parolNight } from './poster-parol.ts'
import { rooftop } from './poster-rooftop.ts'

/** A gallery picture is 360×240 units. */
const galleryFrame: Frame = { width: 360, height: 240, cx: 180, ground: 206, words: false, pitch: 12, dots: 0.7 }

const scenes: readonly ((frame: Frame) => Scene)[] = [
  rooftop,
  oneUmbrella,
  court,
  firstTrip,
  firstLantern,
  tankRoof,
  emptyCourt,
  rainyCoop,
  moonArcher,
  parolNight,
  practice,
  skyBridge,
  marketNight,
  lastTrip,
  blackout,
]

/** The gallery's pictures as SVG texts, by number from 1. */
export function galleryPictures(): string[] {
  return scenes.map((draw) => poster(galleryFrame, draw(galleryFrame)))
}
