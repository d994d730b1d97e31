/** A link that operators show in addition to the messenger and the social media page (SITE-11). */
export type SiteLink = { name: string; url: string }

/** The maximum number of links in the setting. */
const LINKS_MAX = 6
/** The maximum length of a link's name. */
const NAME_MAX = 30

const splitLines = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/**
 * Parses links from lines such as 'Discord https://discord.gg/barkada'; undefined for an invalid line, a repeated address or
 * too many links.
 */
export function parseSiteLinks(text: string): SiteLink[] | undefined {
  const links = splitLines(text).map((line) => {
    const [, name = '', url = ''] = /^(.+?)[:,]?\s+(https?:\/\/\S{3,250})$/u.exec(line) ?? []
    return { name, url }
  })
  const areValid = links.every(
    ({ name, url }) => name.length > 0 && name.length <= NAME_MAX && !/\p{C}/u.test(name) && URL.canParse(url),
  )
  const areUnique = new Set(links.map(({ url }) => url)).size === links.length
  return areValid && areUnique && links.length <= LINKS_MAX ? links : undefined
}

export const SITE_LINKS_RULE = `Enter up to ${LINKS_MAX} lines, each with a name and an address, such as “Discord https://discord.gg/your-server”.`

/** The pages without their own entry in the main menu. Operators can put them into its last row. */
const MORE_PAGES: Record<string, string> = {
  '/events': 'Events',
  '/rankings/tournament': 'Tournaments',
  '/rankings/club': 'Clubs',
  '/capsuleshop': 'Capsule Shop',
  '/vote': 'Vote',
  '/invite': 'Invite friends',
  '/serverinfo': 'Server Information',
  '/forum': 'Forum',
  '/daily': 'Daily reward',
  '/wars': 'Wars',
  '/titles': 'Titles',
  '/rankings/season': 'Season',
  '/socials': 'Socials',
}

/** The default of the menu's last row. */
export const MORE_PAGES_DEFAULT = Object.keys(MORE_PAGES).slice(0, 7).join('\n')

/** The maximum number of pages in the menu's last row. */
const MORE_PAGES_MAX = 10

/**
 * Parses the paths of the menu's last row, one per line; undefined for an unknown or repeated path, or too many. Paths of free
 * pages begin with /page/ and are not checked for existence.
 */
export function parseMorePages(text: string): string[] | undefined {
  const paths = splitLines(text)
  const areValid = paths.every((path) => Object.hasOwn(MORE_PAGES, path) || /^\/page\/[a-z0-9-]{1,60}$/.test(path))
  return areValid && new Set(paths).size === paths.length && paths.length <= MORE_PAGES_MAX ? paths : undefined
}

export const MORE_PAGES_RULE = `Enter up to ${MORE_PAGES_MAX} pages, each once and on its own line: ${Object.keys(MORE_PAGES).join(', ')}, or pages of your own such as /page/donate.`

type FreePage = { path: string; title: string }

/** Returns the links of the menu's last row, without unpublished pages and unknown free pages. */
export const listMorePages = (
  paths: readonly string[],
  pages: readonly FreePage[],
  unpublishedPaths: readonly string[],
) =>
  paths.flatMap((path) => {
    const label = MORE_PAGES[path] ?? pages.find((page) => page.path === path)?.title
    return label === undefined || unpublishedPaths.includes(path) ? [] : [{ to: path, label }]
  })
