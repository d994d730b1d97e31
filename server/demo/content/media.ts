/** The demo world's gallery, wallpapers and movies. Pictures are drawn by art/, in this order. */

export type DemoPicture = { title: string; alt: string; credit: string; ageMinutes: number; description: string }
export type DemoMovie = DemoPicture & { slug: string; seconds: number; captions: { language: string; label: string }[] }

const DAY = 24 * 60
const desk = 'Tambayan art desk'

export const gallery: DemoPicture[] = [
  {
    title: 'Rooftop, five minutes before the bell',
    alt: 'Three students on a roof before a huge yellow moon: one with a bat on the shoulder, one with a staff, one with raised fists.',
    credit: 'Lakambini',
    description: 'One from each school. Nobody remembers who brought the bat.',
    ageMinutes: 1 * DAY + 70,
  },
  {
    title: 'Our whole club fits under one umbrella',
    alt: 'Four students crowd under one big red umbrella beside a street lamp, in heavy blue rain.',
    credit: 'AlingNena',
    description: 'The umbrella is Milleage well spent. Somebody’s left foot is still wet.',
    ageMinutes: 3 * DAY + 400,
  },
  {
    title: 'Covered Court, last minute of the war',
    alt: 'A swordsman, a boxer and an archer under the arched roof of the court, the three schools’ banners above them.',
    credit: 'KuyaKidlat',
    description: 'Nobody held the area. Everybody says they did.',
    ageMinutes: 6 * DAY + 1310,
  },
  {
    title: 'Route 26, first trip of the day',
    alt: 'A full jeepney drives between palms before a pale sun striped with orange.',
    credit: 'habagat07',
    description: 'Logged in at five in the morning for this. Worth it.',
    ageMinutes: 9 * DAY + 215,
  },
  {
    title: 'First lantern on the wire',
    alt: 'A child on a crate stretches up beside a great star lantern, red hoop and yellow paper.',
    credit: 'Marikit',
    description: 'Just tall enough, with the crate.',
    ageMinutes: 12 * DAY + 1190,
  },
  {
    title: 'The water tank knows everything',
    alt: 'A water tank on tall legs cuts into the moon; a student with a bat looks up at it.',
    credit: 'TonyoBlitz',
    description: 'Every secret of this campus was told under it.',
    ageMinutes: 17 * DAY + 320,
  },
  {
    title: 'Three banners, no wind',
    alt: 'The long banners of Sacred Gate, Mystic Peak and Phoenix hang in the empty court; a ball lies under them.',
    credit: 'Liwayway',
    description: 'An hour before the war. The ball is mine, please give it back.',
    ageMinutes: 22 * DAY + 890,
  },
  {
    title: 'Waiting for the rain to finish',
    alt: 'Two students and a cat wait at the lit window of the sari-sari store in green rain.',
    credit: 'Taho4am',
    description: 'The cat was here first.',
    ageMinutes: 28 * DAY + 60,
  },
  {
    title: 'One arrow, one moon',
    alt: 'An archer on the edge of a roof draws a bow at a low full moon.',
    credit: 'ManongNinja',
    description: 'Missed it by 384,000 kilometres.',
    ageMinutes: 35 * DAY + 700,
  },
  {
    title: 'Two schools, one parol',
    alt: 'A giant star lantern over the quad, smaller ones around it, and three figures who hang it up.',
    credit: 'Dagitab',
    description: 'Built by a pair who had fought each other an hour before.',
    ageMinutes: 43 * DAY + 1225,
  },
  {
    title: 'Practice after lights out',
    alt: 'A swordsman before tall moonlit windows, the panes’ light lying on the floor.',
    credit: 'BossGulaman',
    description: 'Left, right, left, and quietly: the guard sleeps next door.',
    ageMinutes: 56 * DAY + 480,
  },
  {
    title: 'Healer on the Sky Bridge',
    alt: 'A student with a staff stands at the railing of a bridge hung with bulbs, searchlights behind her.',
    credit: 'Hiraya',
    description: 'She resurrected all of us. Then she logged off to study.',
    ageMinutes: 71 * DAY + 95,
  },
  {
    title: 'Old Market, nobody in a hurry',
    alt: 'Three market stalls under striped awnings and strings of bulbs; three students stroll before them.',
    credit: 'KapeBarako',
    description: 'We came for boots and left with eleven fish balls.',
    ageMinutes: 90 * DAY + 1015,
  },
  {
    title: 'Conductor for one night',
    alt: 'A jeepney at night with its lamp on; somebody rides on the step, holding on with one hand.',
    credit: 'Sampalok_St',
    description: 'Barya lang po sa umaga.',
    ageMinutes: 118 * DAY + 640,
  },
  {
    title: 'The night all street lamps went out',
    alt: 'Two figures on a dark roof under a sky full of stars; one window is still lit.',
    credit: 'TitaBubbles',
    description: 'The server was fine. The barangay was not. Nobody minded.',
    ageMinutes: 152 * DAY + 1290,
  },
]

export const wallpapers: DemoPicture[] = [
  {
    title: 'Foundation night',
    alt: 'Three students on a roof before a huge yellow moon, a water tank beside them.',
    description: 'The rooftop, the water tank and a moon too large to be true.',
    credit: desk,
    ageMinutes: 2 * DAY + 300,
  },
  {
    title: 'Under three banners',
    alt: 'The three schools’ long banners in the empty covered court.',
    description: 'The Covered Court an hour before the club war, floor swept, nobody there yet.',
    credit: desk,
    ageMinutes: 14 * DAY + 840,
  },
  {
    title: 'Last trip home',
    alt: 'A painted jeepney at night, its headlight on, strings of bulbs above it.',
    description: 'A jeepney, its own headlight, and the road from the Old Market to the gate.',
    credit: 'habagat07 and the art desk',
    ageMinutes: 38 * DAY + 500,
  },
  {
    title: 'Rain on the awning',
    alt: 'The lit sari-sari store in green rain, two students and a cat before it.',
    description: 'The co-op at ten in the evening. On the phone the wet road keeps the light.',
    credit: desk,
    ageMinutes: 61 * DAY + 1100,
  },
  {
    title: 'A sky of parols',
    alt: 'Star lanterns of many colours hang over the quad; a child reaches for the lowest.',
    description: 'The lanterns of the last parol night, each in the colours of the pair who built it.',
    credit: 'Marikit and the art desk',
    ageMinutes: 104 * DAY + 260,
  },
]

const captions = [
  { language: 'en', label: 'English' },
  { language: 'fil', label: 'Filipino' },
]

export const movies: DemoMovie[] = [
  {
    slug: 'one-night-on-campus',
    title: 'One night on campus',
    alt: 'The moon rises behind three students on a roof.',
    description:
      'Sixteen seconds from the first lit window to the rooftop. A ball, some rain and a late moon on the way.',
    credit: desk,
    seconds: 16,
    captions,
    ageMinutes: 8 * DAY + 620,
  },
  {
    slug: 'last-trip-home',
    title: 'Last trip home',
    alt: 'A jeepney drives through the night, the town passing behind it.',
    description: 'Route 26 after ten, all seats taken. It ends where it begins, like every loop.',
    credit: 'habagat07 and the art desk',
    seconds: 12,
    captions,
    ageMinutes: 52 * DAY + 180,
  },
  {
    slug: 'how-to-build-a-parol',
    title: 'How to build a parol',
    alt: 'A finished star lantern glows in the dark.',
    description: 'Five sticks, a second star, one hoop, five sheets of paper, two tails. No glue on the uniform.',
    credit: 'AlingNena and the art desk',
    seconds: 15,
    captions,
    ageMinutes: 97 * DAY + 1330,
  },
]
