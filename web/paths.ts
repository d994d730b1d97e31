/** The addresses of pages that many others link to. In a file of their own, they load no page's code. */

export const eventPath = (event: number) => `/events/${event}`

export const tournamentPath = (tournament: number) => `/rankings/tournament/${tournament}`

export const leaguePath = (league: number) => `/wars/${league}`
