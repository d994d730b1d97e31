/** The addresses of pages that many files link to. A separate file avoids loading any page's code. */

export const getEventPath = (event: number) => `/events/${event}`

export const getTournamentPath = (tournament: number) => `/rankings/tournament/${tournament}`

export const getLeaguePath = (league: number) => `/wars/${league}`
