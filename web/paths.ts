/** The addresses of pages that many files link to. A separate file avoids loading any page's code. */

export const eventPath = (event: number) => `/events/${event}`

export const tournamentPath = (tournament: number) => `/rankings/tournament/${tournament}`

export const leaguePath = (league: number) => `/wars/${league}`
