/** The demo world's banners, downloads and club areas. */

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

const FULL_CLIENT = `Size: 2.9 GB
Version: 1.42
SHA-256: 7c41e09b52f6a8d03be97c1145fa60d28e9b3d7715c0f4a6628be1d937a5f016`

/** Each link_description has one fact per line, in the format of docs/OPERATING.md. */
export const downloads: DemoDownload[] = [
  {
    link_name: 'Full client',
    link_address: 'https://downloads.example.com/tambayan-full-1.42.zip',
    link_type: 'full',
    link_description: `${FULL_CLIENT}
Mirror: 1
From Manila, and usually the quickest. Start here if you have never played.`,
    link_icon: 'download',
    ageMinutes: 3 * DAY + 130,
  },
  {
    link_name: 'Full client, Cebu mirror',
    link_address: 'https://downloads.example.com/cebu/tambayan-full-1.42.zip',
    link_type: 'mirror',
    link_description: `${FULL_CLIENT}
Mirror: 2
The same file from another house, for Visayas and Mindanao.`,
    link_icon: 'mirror',
    ageMinutes: 3 * DAY + 95,
  },
  {
    link_name: 'Torrent',
    link_address: 'https://downloads.example.com/tambayan-full-1.42.torrent',
    link_type: 'torrent',
    link_description: `Size: 2.9 GB
Version: 1.42
Mirror: 3
For lines that break: it goes on where it stopped. Please seed overnight.`,
    link_icon: 'torrent',
    ageMinutes: 3 * DAY + 40,
  },
  {
    link_name: 'Patch 1.41 to 1.42',
    link_address: 'https://downloads.example.com/tambayan-patch-1.41-1.42.zip',
    link_type: 'patch',
    link_description: `Size: 214 MB
Version: 1.41 to 1.42
SHA-256: b80d5f32e6174c9fa2d05be83719c64dd10ea57b94f2386cb5c7e80219ac7e44
Only if version 1.41 is already on your PC.`,
    link_icon: 'patch',
    ageMinutes: 3 * DAY + 120,
  },
]

export const clubAreas: DemoClubArea[] = [
  { name: 'Covered Court', owner: 'none', taxPercent: 0 },
  { name: 'Old Market', owner: 'none', taxPercent: 0 },
  { name: 'Sky Bridge', owner: 'none', taxPercent: 0 },
]
