/** The demo world's banners, downloads, club areas and media. */

/** Which drawn scene: 1 Foundation Week, 2 club war, 3 last trip, 4 rain at the co-op, 5 parol night. */
export type PosterScene = 1 | 2 | 3 | 4 | 5

export type DemoBanner = {
  /** One or two lines of one to three short words. */
  title: string[]
  line: string
  tag: string
  href: string
  image: PosterScene
}

export type DemoDownload = {
  link_name: string
  link_address: string
  link_type: 'full' | 'mirror' | 'patch' | 'torrent'
  link_description: string
  link_icon: 'download' | 'mirror' | 'patch' | 'torrent'
  ageMinutes: number
}

export type DemoClubArea = { name: string; owner: 'none'; taxPercent: number }

export type DemoPicture = { title: string; credit: string; ageMinutes: number; art: PosterScene }
export type DemoMedia = DemoPicture & { description: string }

const DAY = 24 * 60

export const banners: DemoBanner[] = [
  {
    title: ['Foundation', 'Week'],
    line: 'Double experience on the rooftop, from eight in the evening.',
    tag: 'This week',
    href: '/news',
    image: 1,
  },
  {
    title: ['Club war', 'is back'],
    line: 'Three areas, one hour, and nobody owns them yet.',
    tag: 'Sat 9 PM',
    href: '/rankings',
    image: 2,
  },
  {
    title: ['Last trip:', 'double Milleage'],
    line: 'Stay aboard after ten and every hour counts twice.',
    tag: 'Fri and Sat',
    href: '/itemshop',
    image: 3,
  },
  {
    title: ['Rainy days', 'at the co-op'],
    line: 'Boots, broth and umbrellas, some of them 20% off.',
    tag: 'All month',
    href: '/itemshop',
    image: 4,
  },
  {
    title: ['Parol', 'night'],
    line: 'Two lamps, some paper, a friend from another school.',
    tag: 'Sun 8 PM',
    href: '/gallery',
    image: 5,
  },
]

export const downloads: DemoDownload[] = [
  {
    link_name: 'Full client',
    link_address: 'https://downloads.example.com/tambayan-full-1.42.zip',
    link_type: 'full',
    link_description: '2.9 GB, version 1.42, sha256 7c41e09b…d2f85a16',
    link_icon: 'download',
    ageMinutes: 3 * DAY + 130,
  },
  {
    link_name: 'Full client, Cebu mirror',
    link_address: 'https://downloads.example.com/cebu/tambayan-full-1.42.zip',
    link_type: 'mirror',
    link_description: '2.9 GB, version 1.42, sha256 7c41e09b…d2f85a16',
    link_icon: 'mirror',
    ageMinutes: 3 * DAY + 95,
  },
  {
    link_name: 'Torrent',
    link_address: 'https://downloads.example.com/tambayan-full-1.42.torrent',
    link_type: 'torrent',
    link_description: '2.9 GB, version 1.42, for lines that break. Please seed overnight.',
    link_icon: 'torrent',
    ageMinutes: 3 * DAY + 40,
  },
  {
    link_name: 'Patch 1.41 to 1.42',
    link_address: 'https://downloads.example.com/tambayan-patch-1.41-1.42.zip',
    link_type: 'patch',
    link_description: '214 MB, from version 1.41, sha256 b80d5f32…19ac7e44',
    link_icon: 'patch',
    ageMinutes: 3 * DAY + 120,
  },
]

export const clubAreas: DemoClubArea[] = [
  { name: 'Covered Court', owner: 'none', taxPercent: 0 },
  { name: 'Old Market', owner: 'none', taxPercent: 0 },
  { name: 'Sky Bridge', owner: 'none', taxPercent: 0 },
]

export const gallery: DemoPicture[] = [
  { title: 'Rooftop, five minutes before the bell', credit: 'Lakambini', ageMinutes: 1 * DAY + 70, art: 1 },
  { title: 'Our whole club fits under one umbrella', credit: 'AlingNena', ageMinutes: 3 * DAY + 400, art: 4 },
  { title: 'Covered Court, last minute of the war', credit: 'KuyaKidlat', ageMinutes: 6 * DAY + 1310, art: 2 },
  { title: 'Route 26, no passengers', credit: 'habagat07', ageMinutes: 9 * DAY + 215, art: 3 },
  { title: 'First lantern on the wire', credit: 'Marikit', ageMinutes: 12 * DAY + 1190, art: 5 },
  { title: 'The water tank knows everything', credit: 'TonyoBlitz', ageMinutes: 17 * DAY + 320, art: 1 },
  { title: 'Three banners, no wind', credit: 'Liwayway', ageMinutes: 22 * DAY + 890, art: 2 },
  { title: 'Waiting for the rain to finish', credit: 'Taho4am', ageMinutes: 28 * DAY + 60, art: 4 },
  { title: 'Conductor for one night', credit: 'ManongNinja', ageMinutes: 35 * DAY + 700, art: 3 },
  { title: 'Two schools, one parol', credit: 'Dagitab', ageMinutes: 43 * DAY + 1225, art: 5 },
  { title: 'Practice after lights out', credit: 'BossGulaman', ageMinutes: 56 * DAY + 480, art: 1 },
  { title: 'Healer at the rope', credit: 'Hiraya', ageMinutes: 71 * DAY + 95, art: 2 },
  { title: 'Mami for everyone, my treat', credit: 'KapeBarako', ageMinutes: 90 * DAY + 1015, art: 4 },
  { title: 'Babalik din ako', credit: 'Sampalok_St', ageMinutes: 118 * DAY + 640, art: 3 },
  { title: 'The night all street lamps went out', credit: 'TitaBubbles', ageMinutes: 152 * DAY + 1290, art: 5 },
]

export const wallpapers: DemoMedia[] = [
  {
    title: 'Foundation night',
    description: 'The rooftop, the water tank and a moon too large to be true.',
    credit: 'Tambayan art desk',
    ageMinutes: 2 * DAY + 300,
    art: 1,
  },
  {
    title: 'Under three banners',
    description: 'The Covered Court an hour before the club war, floor swept, nobody there yet.',
    credit: 'Tambayan art desk',
    ageMinutes: 14 * DAY + 840,
    art: 2,
  },
  {
    title: 'Last trip home',
    description: 'A jeepney, its own headlights, and the road from the Old Market to the gate.',
    credit: 'habagat07 and the art desk',
    ageMinutes: 38 * DAY + 500,
    art: 3,
  },
  {
    title: 'Rain on the awning',
    description: 'The co-op at ten in the evening. Dark enough for your desktop icons.',
    credit: 'Tambayan art desk',
    ageMinutes: 61 * DAY + 1100,
    art: 4,
  },
  {
    title: 'A sky of parols',
    description: 'Every lantern of the last parol night, hung by the pairs who built them.',
    credit: 'Marikit and the art desk',
    ageMinutes: 104 * DAY + 260,
    art: 5,
  },
]

export const movies: DemoMedia[] = [
  {
    title: 'One night on campus',
    description: 'Two minutes from the gate to the rooftop, played by forty volunteers and one carabao.',
    credit: 'GM Sinag and friends',
    ageMinutes: 8 * DAY + 620,
    art: 1,
  },
  {
    title: 'The final that waited',
    description: "The brawlers' cup, third round: a broken connection, six seconds, two lowered fists.",
    credit: 'Recorded by GM Alon',
    ageMinutes: 17 * DAY + 900,
    art: 2,
  },
  {
    title: 'Forty-two minutes aboard',
    description: 'The whole jeepney loop, uncut, with the sound of rain on the roof. For studying.',
    credit: 'TonyoBlitz',
    ageMinutes: 52 * DAY + 180,
    art: 3,
  },
  {
    title: 'How to hold a parol frame',
    description: 'Four hands, five sheets of paper, no glue on the uniform. Subtitled in three languages.',
    credit: 'AlingNena',
    ageMinutes: 97 * DAY + 1330,
    art: 5,
  },
]
