/** The characters of the demo players who have their own login (DECISIONS §2). */

export type DemoCharacter = {
  name: string
  level: number
  /** Class code as in calls (SPEC §3): '4' archer, '8' shaman … */
  classCode: string
  /** 0 Sacred Gate, 1 Mystic Peak, 2 Phoenix. */
  school: 0 | 1 | 2
  /** The gold the character has. */
  money: number
  /** All kills, deaths and resurrections so far, including this month's. */
  kills: number
  deaths: number
  resu: number
  /** The part of `kills`, `deaths` and `resu` that belongs to the open month. */
  monthKills: number
  monthDeaths: number
  monthResu: number
  mmr: number
  /** How many minutes before the demo world's first start the last level was reached. */
  levelUpAgeMinutes: number
}

/** juan's three: an archer he plays, a shaman for his friends, a brawler for fun. Their scores are meant to be too low for a top 100. */
export const juanCharacters: DemoCharacter[] = [
  {
    name: 'JuanTamad',
    level: 87,
    classCode: '4',
    school: 0,
    money: 18_452_300,
    kills: 412,
    deaths: 389,
    resu: 0,
    monthKills: 14,
    monthDeaths: 19,
    monthResu: 0,
    mmr: 1184,
    levelUpAgeMinutes: 1_930,
  },
  {
    name: 'AlbularyoJuan',
    level: 64,
    classCode: '8',
    school: 1,
    money: 6_208_750,
    kills: 58,
    deaths: 231,
    resu: 1_207,
    monthKills: 2,
    monthDeaths: 11,
    monthResu: 46,
    mmr: 1062,
    levelUpAgeMinutes: 5_415,
  },
  {
    name: 'SuntokSaBuwan',
    level: 31,
    classCode: '1',
    school: 2,
    money: 412_900,
    kills: 21,
    deaths: 47,
    resu: 0,
    monthKills: 3,
    monthDeaths: 6,
    monthResu: 0,
    mmr: 978,
    levelUpAgeMinutes: 12_260,
  },
]

/** maria's two: newer on campus, without currency. */
export const mariaCharacters: DemoCharacter[] = [
  {
    name: 'MariaMakulay',
    level: 42,
    classCode: '16384',
    school: 1,
    money: 1_044_600,
    kills: 37,
    deaths: 52,
    resu: 0,
    monthKills: 5,
    monthDeaths: 8,
    monthResu: 0,
    mmr: 1021,
    levelUpAgeMinutes: 3_105,
  },
  {
    name: 'Patintero_01',
    level: 18,
    classCode: '4096',
    school: 2,
    money: 86_250,
    kills: 4,
    deaths: 15,
    resu: 0,
    monthKills: 1,
    monthDeaths: 4,
    monthResu: 0,
    mmr: 994,
    levelUpAgeMinutes: 760,
  },
]
