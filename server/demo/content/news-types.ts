/** Types of the demo world's news. The items are in the files beside this one; `news.ts` combines them. */

/** 0 = general news, notices and patch notes, 1 = guides, 2 = events (SPEC §3). */
export type NewsType = 0 | 1 | 2

/**
 * Number of a news picture: 1 maintenance, 2 event night, 3 sword, 4 channels, 5 lantern, 6 club war, 7 map,
 * 8 quick slots, 9 rain, 10 trophy.
 */
export type NewsPicture = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10

export type DemoNews = {
  /** At most 60 characters. */
  subject: string
  type: NewsType
  author: string
  /** How many minutes before the demo world's first start the item was published. */
  ageMinutes: number
  picture: NewsPicture | null
  showPicture: boolean
  /** Simple HTML with links to the site's own paths only. */
  html: string
}

const MINUTES_AN_HOUR = 60
const MINUTES_A_DAY = 24 * MINUTES_AN_HOUR

/** Minutes in so many days and hours, for `ageMinutes`. */
export function age(days: number, hours = 0, minutes = 0): number {
  return days * MINUTES_A_DAY + hours * MINUTES_AN_HOUR + minutes
}
