/** An author of the game-icons set and what of theirs is drawn on this site. */
export type IconAuthor = { name: string; page: string; icons: readonly string[] }

const list = (names: string) => names.trim().split(/\s+/)

/** Who drew the icons of the items and the skills (game-icons.net, CC BY 3.0). A test keeps it true. */
export const ICON_AUTHORS: readonly IconAuthor[] = [
  {
    name: 'Delapouite',
    page: 'https://delapouite.com',
    icons: list(`
      ample-dress anticlockwise-rotation baseball-bat basketball-jersey billed-cap bottle-cap boxing-ring bread
      brick-wall buffalo-head canoe coconuts coffee-mug coins crescent-staff cut-lemon dango dutch-bike falling-rocks
      flashlight flip-flops foot-plaster graduate-cap healing heart-beats hoodie hot-meal ice-cream-scoop id-card jasmine
      kick-scooter kite lockers lunar-wand magic-broom medicine-pills megaphone mighty-force noodles notebook
      paper-lantern park-bench pencil-ruler poncho prayer-beads quiver roller-skate rooster rubber-boot school-bag scooter
      sewing-string shop skateboard sleeveless-jacket spell-book stairs steering-wheel sunglasses ticket token
      tribal-pendant unicycle walkie-talkie water-gun wheelbarrow whistle`),
  },
  {
    name: 'Lorc',
    page: 'https://lorcblog.blogspot.com',
    icons: list(`
      angel-wings arrow-flights backstab blade-drag boxing-glove broadsword bubbling-bowl cape cat corked-tube
      crossed-swords cubes domino-mask drama-masks electric-whip fizzing-flask gecko high-shot ice-bolt laser-blast
      lightning-arc lightning-shield lightning-storm linked-rings magnet-blast meteor-impact padlock punch punch-blast
      quill-ink raining ray-gun reticule ringing-bell spanner spinning-sword sprint star-swirl stone-crafting sword-slice
      swords-emblem teapot teleport tesla-coil tornado-discs umbrella wingfoot`),
  },
  { name: 'Skoll', page: 'https://game-icons.net', icons: ['bullseye', 'butterfly-knife', 'jeep'] },
  { name: 'Caro Asercion', page: 'https://seaexcursion.itch.io', icons: ['boba', 'bus-stop', 'paper-crane'] },
  { name: 'Sbed', page: 'https://opengameart.org/content/95-game-icons', icons: ['clover'] },
  { name: 'DarkZaitzev', page: 'https://darkzaitzev.deviantart.com', icons: ['smoke-bomb'] },
  { name: 'Lucas', page: 'https://game-icons.net', icons: ['shirt'] },
]
