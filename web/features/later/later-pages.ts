export type LaterPage = {
  /** Crumb and heading. */
  title: string
  /** What the page will hold, as search results and previews say it. */
  about: string
  /** Where to go meanwhile. */
  meanwhile: { to: string; label: string }
}

const news = { to: '/news', label: 'Read the news' }
const guides = { to: '/news?board=guides', label: 'Read the guides' }
const rankings = { to: '/rankings', label: 'See the rankings' }

/** The pages whose content comes later, by the path they stand at. */
export const LATER_PAGES: Record<string, LaterPage> = {
  gamesystem: {
    title: 'Game System',
    about: 'How the game works: fights, clubs, levels and drops.',
    meanwhile: guides,
  },
  story: { title: 'Story', about: 'Three schools, one rooftop: the story of the campus.', meanwhile: guides },
  characters: { title: 'Character', about: 'The quick guide for beginners and the class guide.', meanwhile: guides },
  instructions: { title: 'Instructions', about: 'The full game guide: interface, keys and mouse.', meanwhile: guides },
  gallery: { title: 'Gallery', about: 'Pictures from the three schools.', meanwhile: rankings },
  wallpaper: { title: 'Wallpaper', about: 'Wallpapers for desktop and phone.', meanwhile: news },
  movies: { title: 'Movie', about: 'Trailers and players’ films.', meanwhile: news },
  downloads: {
    title: 'Full Client Download',
    about: 'The full game client and what it needs to run.',
    meanwhile: news,
  },
  download: { title: 'Full Client Download', about: 'The full game client and what it needs to run.', meanwhile: news },
  ticket: { title: 'Submit Ticket', about: 'Write to the support section.', meanwhile: news },
  checkticket: { title: 'Check My Ticket', about: 'Follow a ticket you have sent.', meanwhile: news },
  serverinfo: { title: 'Server Information', about: 'Rates, limits and times of this server.', meanwhile: news },
  socials: { title: 'Socials', about: 'Where the players of this server meet.', meanwhile: news },
}
