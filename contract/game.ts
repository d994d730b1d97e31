/** The game's codes (RANK-1, RANK-2, RANK-7): schools, classes, and the boards of the monthly rankings. */

export const SCHOOLS = [
  { code: 0, key: 'gate', name: 'Sacred Gate' },
  { code: 1, key: 'peak', name: 'Mystic Peak' },
  { code: 2, key: 'phoenix', name: 'Phoenix' },
] as const

export type School = (typeof SCHOOLS)[number]
export type SchoolCode = School['code']

const CLASS_CODES = {
  brawler: [1, 64],
  swordsman: [2, 128],
  archer: [4, 256],
  shaman: [8, 512],
  extreme: [16, 32],
  gunner: [1024, 2048],
  assassin: [4096, 8192],
  magician: [16384, 32768],
  shaper: [262144, 524288],
} as const

export type ClassName = keyof typeof CLASS_CODES
export const CLASS_NAMES = Object.keys(CLASS_CODES) as ClassName[]

const CLASSES_BY_CODE = new Map<string, ClassName>(
  CLASS_NAMES.flatMap((name) => CLASS_CODES[name].map((code) => [String(code), name] as const)),
)

/** Formats a class as a name: 'archer' as 'Archer'. */
export function formatClass(name: ClassName): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Formats a class in the plural: 'Archers', 'Swordsmen'. */
export const formatClassPlural = (name: ClassName): string =>
  name === 'swordsman' ? 'Swordsmen' : `${formatClass(name)}s`

/** Returns the class of a numeric code (as a string), or undefined for an unknown code (RANK-7). */
export function findClassByCode(code: string): ClassName | undefined {
  return CLASSES_BY_CODE.get(code)
}

/** Returns the two codes of a class, as the strings used in calls (RANK-7). */
export function getClassCodes(name: ClassName): string[] {
  return CLASS_CODES[name].map(String)
}

/** The code of characters in a game without schools. */
export const NO_SCHOOL = -2

/** Returns the school of a code, or undefined for an unknown code. */
export function findSchool(code: number): School | undefined {
  return SCHOOLS.find((school) => school.code === code)
}

export const BOARDS = ['resu', 'mmr', 'level', 'richest', 'killer'] as const
export type Board = (typeof BOARDS)[number]

/** The boards' names on the tabs and in the heading '<Name> Ranking' (RANK-1). */
export const BOARD_NAMES: Record<Board, string> = {
  resu: 'Resu',
  mmr: 'MMR',
  level: 'Level',
  richest: 'Richest',
  killer: 'Killer',
}

/** The key of a board's list in get-top-rankings-list (RANK-6). */
export const BOARD_LIST_KEYS = {
  resu: 'topresu',
  mmr: 'topmmr',
  level: 'toplevel',
  richest: 'topmoney',
  killer: 'toppk',
} as const satisfies Record<Board, string>

/** Returns the class filters of a board (RANK-2). The page shows 'All' before them. */
export function listClassFilters(board: Board): readonly ClassName[] {
  return board === 'resu' ? ['shaman', 'extreme'] : CLASS_NAMES
}

/** The class filters of the home widget (HOME-2), which shows 'all' before them. */
export const HOME_CLASS_FILTERS = [
  'brawler',
  'swordsman',
  'archer',
  'shaman',
  'extreme',
  'gunner',
] as const satisfies readonly ClassName[]

/** The codes of news types in calls. In a request, 0 means every type; in an item, 0 means general news. */
export const NEWS_TYPE_CODES = { all: 0, guides: 1, events: 2 } as const
