import { listActivity } from '#contract/activity.ts'
import { CAPSULE_TEXTS, getCapsule, getCapsules } from '#contract/capsules.ts'
import { getTitles } from '#contract/characters.ts'
import { CLUB_RANKING_PATH, getClub, getClubRanking } from '#contract/clubs.ts'
import { DOWNLOAD_TEXTS, getDownloadsAll } from '#contract/downloads.ts'
import { getEvent, getEvents } from '#contract/events.ts'
import { BOOKMARKS_PATH, FORUM_TEXTS } from '#contract/forum.ts'
import { BOARD_NAMES } from '#contract/game.ts'
import { getLeague, LEAGUE_PHASES } from '#contract/leagues.ts'
import { formatManilaMinute, formatMonth, formatPeriod } from '#contract/manila.ts'
import { getMedia } from '#contract/media.ts'
import { ERROR_PAGE_TEXTS, NO_CONNECTION_TEXTS, NOT_FOUND_TEXTS } from '#contract/messages.ts'
import { getGameLog, getPlayersOnline } from '#contract/players-online.ts'
import { getRankingPeriods } from '#contract/rankings.ts'
import { getDailyRewards, getFriendReward, getPlaytime, getStarterItems, getVotes } from '#contract/rewards.ts'
import { SEARCH_TEXTS } from '#contract/search.ts'
import { getSeasons } from '#contract/seasons.ts'
import { getSharePicturePath, WARS_PICTURE } from '#contract/sharing.ts'
import { getClubAreas } from '#contract/site.ts'
import { getTournament, getTournaments, TOURNAMENT_FORMATS } from '#contract/tournaments.ts'
import { getWars } from '#contract/wars.ts'
import { WISH_LIST_TEXTS } from '#contract/wishes.ts'
import { getEventPath, getLeaguePath, getTournamentPath } from '#web/paths.ts'
import { discordSearch, invitationSearch, loginSearch, mailedLinkSearch, offlineSearch } from './api/browser-search.ts'
import { getDocumentHead, loadDocument, loadFreePage, PREPARING_HEAD } from './api/documents.ts'
import { type Load, type Page, readId } from './api/page.ts'
import { findPage, page } from './api/page-loading.ts'
import { toCallQuery } from './api/queries.ts'
import { activitySearch, getHomeActivityQuery, toActivityInput } from './features/activity/activity-view.ts'
import { eventsSearch, getEventsPath, getNextWeekQuery, isCurrentWeek } from './features/events/events-view.ts'
import { boardSearch, loadBoard, loadForum, loadForumTopic, topicSearch } from './features/forum/forum-view.ts'
import { getHomeRankingQuery, homeSearch } from './features/home/home-view.ts'
import { letterSearch } from './features/mailbox/mailbox-view.ts'
import { findShownPicture, gallerySearch, getPicturePath } from './features/media/gallery-view.ts'
import { getNewsPath, getPage, listBoards, NEWS_BOARDS, newsSearch, readTopicParam } from './features/news/news-view.ts'
import { getNewsBoardQuery } from './features/news/queries.ts'
import { loadTopic } from './features/news/topic.ts'
import { historySearch } from './features/purchases/history-page-number.ts'
import { compareSearch, createCharacterHead, getCharacterQuery } from './features/rankings/character-view.ts'
import { getClubPath, getRankingBoardQuery, getRankingPath, rankingSearch } from './features/rankings/rankings-view.ts'
import {
  formatSeasonMonths,
  getSeasonPath,
  getSeasonQuery,
  getTotalPath,
  getTotalQuery,
  seasonSearch,
  totalSearch,
} from './features/rankings/span-view.ts'
import { getSearchQuery, getSearchTarget, hasQuery, searchSearch } from './features/search/search-view.ts'
import {
  getCategoriesQuery,
  getItemsQuery,
  getShopPath,
  isQueryTooLong,
  itemSearch,
  loadItem,
  shopSearch,
} from './features/shop/shop-view.ts'
import { checkTicketSearch } from './features/tickets/check-ticket-view.ts'
import { tournamentsSearch } from './features/tournaments/tournament-view.ts'
import { wishSearch } from './features/wishes/wish-list-view.ts'

/** Loads the rewards that pages about rewards show. */
async function loadRewards(_: unknown, load: Load): Promise<undefined> {
  await Promise.all([
    load(toCallQuery(getDailyRewards, {})),
    load(toCallQuery(getVotes, {})),
    load(toCallQuery(getFriendReward, {})),
  ])
  return undefined
}

/**
 * Every page of the site, once (ROUTE-1, ROUTE-2). Routes, titles, breadcrumbs, guards, menus, sitemap, robots and
 * cache keys derive from this list.
 */
export const PAGES: readonly Page[] = [
  page({
    path: '/',
    file: 'features/home/home-page.tsx',
    crumb: 'Home',
    description: 'Three schools, monthly rankings, news, events and guides of a server in the Philippines.',
    section: 'home',
    access: 'all',
    listing: 'sitemap',
    search: homeSearch,
    loads: async ({ search }, load) => {
      await Promise.all([
        load(getHomeRankingQuery(search)),
        load(toCallQuery(getClubAreas, {})),
        load(getHomeActivityQuery()),
        ...NEWS_BOARDS.map(({ key }) => load(getNewsBoardQuery(key, 1))),
      ])
    },
  }),
  page({
    path: '/news',
    file: 'features/news/news-page.tsx',
    crumb: 'News',
    description:
      'News, events and guides of the server: maintenance, patch notes, club wars and how to get through your first night.',
    section: 'news',
    access: 'all',
    listing: 'sitemap',
    search: newsSearch,
    loads: async ({ search: { topic, view }, site }, load) => {
      if (topic !== null) return loadTopic(topic, { site }, load)
      await Promise.all(listBoards(view).map(({ key }) => load(getNewsBoardQuery(key, getPage(key, view)))))
    },
    head: ({ search }) => ({ path: getNewsPath(search.view) }),
  }),
  createNewsItemPage('/topic/:id'),
  createNewsItemPage('/news/:id'),
  // The pages of events, of the daily reward and of votes (EVENT-1).
  page({
    path: '/events',
    file: 'features/events/events-page.tsx',
    crumb: 'Events',
    description: 'What happens on the server and when: this week and this month, in Manila time.',
    section: 'news',
    access: 'all',
    listing: 'sitemap',
    search: eventsSearch,
    loads: async ({ search }, load) => {
      const { first } = await load(toCallQuery(getEvents, search))
      if (isCurrentWeek(search)) await load(getNextWeekQuery(first))
      return { path: getEventsPath(search), hidden: search.day !== '' }
    },
  }),
  page({
    path: '/events/:id',
    file: 'features/events/event-page.tsx',
    crumb: 'Events',
    description: 'One event.',
    section: 'news',
    access: 'all',
    listing: 'unlisted',
    loads: async ({ params }, load) => {
      const { event, title, about, starts_at, ends_at } = await load(
        toCallQuery(getEvent, { id: String(readId(params.id)) }),
      )
      const when = formatPeriod(Date.parse(starts_at), Date.parse(ends_at))
      return {
        crumb: title,
        description: `${when}, Manila time. ${about}`.slice(0, 200).trim(),
        picture: getSharePicturePath('event', event),
        path: getEventPath(event),
      }
    },
  }),
  page({
    path: '/daily',
    file: 'features/rewards/daily-page.tsx',
    crumb: 'Daily reward',
    description: 'What players get for coming back each day of this month, and how to claim it.',
    section: 'news',
    access: 'all',
    listing: 'sitemap',
    loads: async (_, load) => {
      await Promise.all([loadRewards(_, load), load(toCallQuery(getPlaytime, {}))])
      return undefined
    },
  }),
  page({
    path: '/vote',
    file: 'features/rewards/vote-page.tsx',
    crumb: 'Vote',
    description: 'The lists where you can vote for the server, what a vote brings, and the best voters of this month.',
    section: 'news',
    access: 'all',
    listing: 'sitemap',
    loads: loadRewards,
  }),
  page({
    path: '/invite',
    file: 'features/rewards/invite-page.tsx',
    crumb: 'Invite friends',
    description: 'Bring a friend who plays, and you both get a reward.',
    section: 'news',
    access: 'all',
    listing: 'sitemap',
    loads: loadRewards,
  }),
  page({
    path: '/rankings',
    file: 'features/rankings/rankings-page.tsx',
    crumb: 'Overall rankings',
    description: 'The top 100 players of the month, of every school and class.',
    section: 'rankings',
    access: 'all',
    listing: 'sitemap',
    search: rankingSearch,
    loads: async ({ search: { board, period } }, load) => {
      await Promise.all([load(getRankingBoardQuery(board, period)), load(toCallQuery(getRankingPeriods, {}))])
    },
    head: ({ search }) => {
      const month = search.period ? `${formatMonth(search.period)}, closed` : 'this month'
      return {
        crumb: `${BOARD_NAMES[search.board]} Ranking`,
        description: `The top 100 players by ${BOARD_NAMES[search.board]}, ${month}: every school, every class, counted in Manila time.`,
        path: getRankingPath(search),
        ...(search.period !== null && { picture: getSharePicturePath('month', search.period) }),
      }
    },
  }),
  page({
    path: '/rankings/tournament',
    file: 'features/tournaments/tournaments-page.tsx',
    crumb: 'Tournaments',
    description: 'Tournaments of players and clubs: registration, brackets, results and prizes.',
    section: 'rankings',
    access: 'all',
    listing: 'sitemap',
    search: tournamentsSearch,
    loads: async ({ search: { after } }, load) => {
      await load(toCallQuery(getTournaments, { after }))
      return { hidden: after !== '' }
    },
  }),
  page({
    path: '/rankings/tournament/:id',
    file: 'features/tournaments/tournament-page.tsx',
    crumb: 'Tournaments',
    description: 'One tournament.',
    section: 'rankings',
    access: 'all',
    listing: 'unlisted',
    loads: async ({ params }, load) => {
      const { tournament, name, format, kind, starts_at } = await load(
        toCallQuery(getTournament, { id: String(readId(params.id)) }),
      )
      return {
        crumb: name,
        description: `${TOURNAMENT_FORMATS[format]} for ${kind}, from ${formatManilaMinute(new Date(starts_at))} in Manila: who plays, the bracket, the results and the prizes.`,
        path: getTournamentPath(tournament),
        picture: getSharePicturePath('tournament', tournament),
      }
    },
  }),
  page({
    path: '/rankings/season',
    file: 'features/rankings/season-page.tsx',
    crumb: 'Season',
    description: 'The season ranking: several months, five boards, and the division of everyone on them.',
    section: 'rankings',
    access: 'all',
    listing: 'sitemap',
    search: seasonSearch,
    loads: async ({ search }, load) => {
      const [{ season }] = await Promise.all([
        load(getSeasonQuery(search)),
        load(toCallQuery(getSeasons, {})),
        load(toCallQuery(getRankingPeriods, {})),
      ])
      if (season === null) return
      return {
        crumb: season.name,
        description: `The top 100 players of ${season.name} by ${BOARD_NAMES[search.board]}, ${formatSeasonMonths(season)}.`,
        picture: getSharePicturePath('season', season.season),
      }
    },
    head: ({ search }) => ({ path: getSeasonPath(search) }),
  }),
  page({
    path: '/titles',
    file: 'features/rankings/titles-page.tsx',
    crumb: 'Titles',
    description: 'The winners of months, seasons and tournaments, and when they won.',
    section: 'rankings',
    access: 'all',
    listing: 'sitemap',
    loads: (_, load) => load(toCallQuery(getTitles, {})).then(() => undefined),
  }),
  page({
    path: '/rankings/total',
    file: 'features/rankings/total-page.tsx',
    crumb: 'Total',
    description: 'The top 100 players of all time, of every school and class. These boards are never reset.',
    section: 'rankings',
    access: 'all',
    listing: 'sitemap',
    search: totalSearch,
    loads: async ({ search: { board } }, load) => {
      await Promise.all([load(getTotalQuery(board)), load(toCallQuery(getRankingPeriods, {}))])
    },
    head: ({ search }) => ({
      crumb: `Total ${BOARD_NAMES[search.board]} Ranking`,
      description: `The top 100 players of all time by ${BOARD_NAMES[search.board]}: every school, every class, never reset.`,
      path: getTotalPath(search),
    }),
  }),
  page({
    path: CLUB_RANKING_PATH,
    file: 'features/rankings/clubs-page.tsx',
    crumb: 'Clubs',
    description:
      'The clubs of the server by their battles: wins, draws and losses, who leads them and which areas they hold.',
    section: 'rankings',
    access: 'all',
    listing: 'sitemap',
    loads: async (_, load) => {
      const { data } = await load(toCallQuery(getClubRanking, {}))
      return { hidden: data.length === 0 }
    },
  }),
  page({
    path: '/activity',
    file: 'features/activity/activity-page.tsx',
    crumb: 'Activity',
    description: 'What happened on the server: levels, records, wars, tournaments, clubs, news and events.',
    section: 'rankings',
    access: 'all',
    listing: 'sitemap',
    search: activitySearch,
    loads: async ({ search }, load) => {
      await load(toCallQuery(listActivity, toActivityInput(search)))
    },
    head: ({ search }) => ({ path: '/activity', hidden: search.before !== null }),
  }),
  page({
    path: '/wars',
    file: 'features/wars/wars-page.tsx',
    crumb: 'Club wars',
    description:
      'The wars of clubs: when the next one begins, which club holds which area since when, and the last results.',
    section: 'rankings',
    access: 'all',
    listing: 'sitemap',
    loads: async (_, load) => {
      await load(toCallQuery(getWars, {}))
      return { picture: WARS_PICTURE }
    },
  }),
  page({
    path: '/wars/:league',
    file: 'features/wars/league-page.tsx',
    crumb: 'League',
    description: 'A league of club wars.',
    section: 'rankings',
    access: 'all',
    listing: 'unlisted',
    loads: async ({ params }, load) => {
      const { league, name, phase, table } = await load(
        toCallQuery(getLeague, { league: String(readId(params.league)) }),
      )
      const [first] = table
      const leader = first === undefined ? '' : ` ${first.club} is first with ${first.points} points.`
      return {
        crumb: name,
        description: `${name}, a league of club wars: ${LEAGUE_PHASES[phase].toLowerCase()}.${leader}`,
        path: getLeaguePath(league),
        picture: getSharePicturePath('league', league),
      }
    },
  }),
  page({
    path: '/club/:number',
    file: 'features/rankings/club-page.tsx',
    crumb: 'Club',
    description: 'A club of this server.',
    section: 'rankings',
    access: 'all',
    listing: 'unlisted',
    loads: async ({ params }, load) => {
      const { GuNum, GuName, members, wins, losses, draws } = await load(
        toCallQuery(getClub, { club: String(readId(params.number)) }),
      )
      return {
        crumb: GuName,
        description: `${GuName}, a club of ${members}: ${wins} wins, ${losses} losses, ${draws} draws, its members and the areas that it holds.`,
        path: getClubPath(GuNum),
        picture: getSharePicturePath('club', GuNum),
      }
    },
  }),
  page({
    path: '/character/:number',
    file: 'features/rankings/character-page.tsx',
    crumb: 'Character',
    description: 'A character of this server: its class and school, its months and its seasons.',
    section: 'rankings',
    access: 'all',
    listing: 'unlisted',
    search: compareSearch,
    loads: async ({ params }, load) => createCharacterHead(await load(getCharacterQuery(readId(params.number)))),
  }),
  page({
    path: '/gamesystem',
    file: 'features/guides/game-system-page.tsx',
    crumb: 'Game System',
    description: 'How the game works.',
    section: 'guide',
    access: 'all',
    listing: 'sitemap',
    loads: async (_, load) => getDocumentHead(await loadDocument(load, 'game-systems')),
  }),
  page({
    path: '/story',
    file: 'features/story/story-page.tsx',
    crumb: 'Story',
    description: 'The story of the game and its world map.',
    section: 'guide',
    access: 'all',
    listing: 'sitemap',
    loads: async (_, load) => {
      const story = await loadDocument(load, 'story')
      return { ...getDocumentHead(story), ...(story?.share && { picture: story.share }) }
    },
    head: () => ({ type: 'article' }),
  }),
  page({
    path: '/characters',
    file: 'features/guides/characters-page.tsx',
    crumb: 'Character',
    description: 'How to start playing, and the classes of the game.',
    section: 'guide',
    access: 'all',
    listing: 'sitemap',
    search: { names: ['class'], read: (query) => query },
    loads: async ({ search }, load) => {
      const [classes, steps] = await Promise.all([loadDocument(load, 'classes'), loadDocument(load, 'first-steps')])
      if (classes === null) return steps === null ? PREPARING_HEAD : undefined
      const { getClassPath, readNamedClass, getClassName: getName } = await import('./features/guides/classes.ts')
      const key = readNamedClass(search)
      const name = key && getName(key, classes.eighth_name)
      if (!key || !name) return getDocumentHead(classes)
      const { role, picture } = classes.classes[key]
      // In link previews a shared class has its own name and address; the document's title stays the page's (DOC-3).
      return {
        description: `${role}. Strengths, weaknesses, skills and a beginner’s build of the ${name.toLowerCase()} class.`,
        path: getClassPath(key),
        // The default posters have a picture with the right proportions next to them.
        ...(picture !== null && { picture: picture.replace(/^(\/art\/class-\w+)\.svg$/, '$1-share.jpg') }),
        shareTitle: `${name}: class guide`,
      }
    },
  }),
  page({
    path: '/instructions',
    file: 'features/instructions/instructions-page.tsx',
    crumb: 'Instructions',
    description: 'The full game guide.',
    section: 'guide',
    access: 'all',
    listing: 'sitemap',
    search: { names: ['part'], read: (query) => query },
    loads: async ({ search }, load) => {
      const guide = await loadDocument(load, 'instructions')
      const { INTERFACE_PARTS: PARTS } = await import('#contract/documents.ts')
      const { getPartPath, readPart } = await import('./features/instructions/parts.ts')
      const part = readPart(search)
      if (guide === null || part === null) return getDocumentHead(guide)
      return { crumb: PARTS[part], description: guide.parts[part].line, path: getPartPath(part) }
    },
    head: () => ({ type: 'article' }),
  }),
  page({
    path: '/itemshop',
    file: 'features/shop/item-shop-page.tsx',
    crumb: 'Item Shop',
    description: 'What you can buy for R-Coin and Milleage.',
    section: 'shop',
    access: 'all',
    listing: 'sitemap',
    search: shopSearch,
    patienceMs: 150,
    loads: async ({ search }, load) => {
      const items = isQueryTooLong(search) ? undefined : load(getItemsQuery(search), { fresh: true })
      await Promise.all([load(getCategoriesQuery()), items])
    },
    head: ({ search }) => ({ path: getShopPath(search), hidden: search.q !== '' || search.sort !== '' }),
  }),
  page({
    path: '/itemshop/:productnum',
    file: 'features/shop/item-page.tsx',
    crumb: 'Item Shop',
    description: 'One item of the shop.',
    section: 'shop',
    access: 'all',
    browserSearch: itemSearch,
    listing: 'unlisted',
    loads: loadItem,
  }),
  page({
    path: '/capsuleshop',
    file: 'features/capsules/capsule-shop-page.tsx',
    crumb: CAPSULE_TEXTS.title,
    description: 'Surprises, each with its chances.',
    section: 'shop',
    access: 'all',
    listing: 'sitemap',
    loads: async (_, load) => {
      await load(toCallQuery(getCapsules, {}))
    },
  }),
  page({
    path: '/capsuleshop/:capsule',
    file: 'features/capsules/capsule-page.tsx',
    crumb: CAPSULE_TEXTS.title,
    description: 'One capsule and its chances.',
    section: 'shop',
    access: 'all',
    listing: 'unlisted',
    loads: async ({ params }, load) => {
      const { data } = await load(toCallQuery(getCapsule, { capsule: readId(params.capsule) }))
      return { crumb: data.name, description: data.description, path: `/capsuleshop/${data.capsule}` }
    },
  }),
  page({
    path: '/wishlist',
    file: 'features/wishes/wish-list-page.tsx',
    crumb: WISH_LIST_TEXTS.title,
    description: WISH_LIST_TEXTS.line,
    section: 'shop',
    access: 'all',
    browserSearch: wishSearch,
    listing: 'noindex',
  }),
  page({
    path: '/shoppingcart',
    file: 'features/cart/cart-page.tsx',
    crumb: 'Shopping Cart',
    description: 'What you are about to buy in the item shop.',
    section: 'shop',
    access: 'players',
    listing: 'noindex',
  }),
  page({
    path: '/shoppurchases',
    file: 'features/purchases/purchases-page.tsx',
    crumb: 'Purchase History',
    description: 'Everything you bought in the item shop, and where it is now.',
    section: 'shop',
    access: 'players',
    listing: 'noindex',
    search: historySearch,
  }),
  page({
    path: '/mailbox',
    file: 'features/mailbox/mailbox-page.tsx',
    crumb: 'Mail box',
    description: 'Letters about your account, your purchases and your tickets.',
    section: 'account',
    access: 'players',
    browserSearch: letterSearch,
    listing: 'noindex',
  }),
  page({
    path: '/unsubscribe',
    file: 'features/mailbox/unsubscribe-page.tsx',
    crumb: 'Unsubscribe',
    description: 'Stop getting letters copied by email.',
    section: 'account',
    access: 'all',
    browserSearch: mailedLinkSearch,
    listing: 'noindex',
  }),
  page({
    path: '/topup',
    file: 'features/topup/topup-page.tsx',
    crumb: 'Top Up R-Coin',
    description: 'Redeem a voucher code for R-Coin, with a streamer’s referral code if you have one.',
    section: 'recharge',
    access: 'all',
    listing: 'sitemap',
  }),
  page({
    path: '/topuphistory',
    file: 'features/topup/topup-history-page.tsx',
    crumb: 'Redeem History',
    description: 'Every code you redeemed, with its date and value.',
    section: 'recharge',
    access: 'players',
    listing: 'noindex',
    search: historySearch,
  }),
  page({
    path: '/gallery',
    file: 'features/media/gallery-page.tsx',
    crumb: 'Gallery',
    description: 'Pictures from the three schools.',
    section: 'gallery',
    access: 'all',
    listing: 'sitemap',
    search: gallerySearch,
    loads: async ({ search: id }, load) => {
      const { data } = await load(toCallQuery(getMedia, { kind: 'gallery' }))
      if (id === null) return
      const picture = findShownPicture(data, id)?.picture
      if (picture === undefined) return { path: getPicturePath(), hidden: true, status: 404 }
      return {
        crumb: picture.title,
        description: `${picture.description} ${picture.alt}`.trim(),
        picture: picture.picture ?? undefined,
        pictureAlt: picture.alt,
        path: getPicturePath(picture.id),
      }
    },
  }),
  page({
    path: '/wallpaper',
    file: 'features/media/wallpaper-page.tsx',
    crumb: 'Wallpaper',
    description: 'Wallpapers for desktop and phone: 1920×1080, 2560×1440 and 1080×2400.',
    section: 'download',
    access: 'all',
    listing: 'sitemap',
    loads: async (_, load) => {
      await load(toCallQuery(getMedia, { kind: 'wallpaper' }))
    },
  }),
  page({
    path: '/movies',
    file: 'features/media/movies-page.tsx',
    crumb: 'Movie',
    description: 'Short films from the game.',
    section: 'download',
    access: 'all',
    listing: 'sitemap',
    loads: async (_, load) => {
      await load(toCallQuery(getMedia, { kind: 'movie' }))
    },
  }),
  ...(['/downloads', '/download'] as const).map((path) =>
    page({
      path,
      file: 'features/downloads/downloads-page.tsx',
      crumb: DOWNLOAD_TEXTS.heading,
      description:
        'The full game client, its mirrors and patches, what it needs to run, and what to do after the download.',
      section: 'download',
      access: 'all',
      listing: path === '/downloads' ? 'sitemap' : 'unlisted',
      loads: async (_, load) => {
        await load(toCallQuery(getDownloadsAll, {}))
      },
      head: () => ({ path: '/downloads' }),
    }),
  ),
  page({
    path: '/forum',
    file: 'features/forum/forum-page.tsx',
    crumb: 'Forum',
    description: 'Boards of the players: general talk, strategy, gallery, friends, clubs and suggestions.',
    section: 'forum',
    access: 'all',
    listing: 'sitemap',
    loads: loadForum,
  }),
  page({
    path: BOOKMARKS_PATH,
    file: 'features/forum/bookmarks-page.tsx',
    crumb: FORUM_TEXTS.bookmarks,
    description: FORUM_TEXTS.bookmarksLine,
    section: 'forum',
    access: 'all',
    listing: 'noindex',
  }),
  page({
    path: '/forum/:category',
    file: 'features/forum/board-page.tsx',
    crumb: 'Forum',
    description: 'A board of the forum.',
    section: 'forum',
    access: 'all',
    listing: 'unlisted',
    search: boardSearch,
    loads: loadBoard,
  }),
  page({
    path: '/forum/:category/:topic',
    file: 'features/forum/topic-page.tsx',
    crumb: 'Forum',
    description: 'A topic of the forum.',
    section: 'forum',
    access: 'all',
    listing: 'unlisted',
    search: topicSearch,
    loads: loadForumTopic,
  }),
  page({
    path: '/ticket',
    file: 'features/tickets/ticket-page.tsx',
    crumb: 'Submit Ticket',
    description: 'Write to the people who run this server, with or without an account. Add up to three screenshots.',
    section: 'support',
    access: 'all',
    listing: 'sitemap',
  }),
  page({
    path: '/checkticket',
    file: 'features/tickets/check-ticket-page.tsx',
    crumb: 'Check My Ticket',
    description: 'Read our answer and reply: with your account, with the link in our email, or with number and email.',
    section: 'support',
    access: 'all',
    browserSearch: checkTicketSearch,
    listing: 'sitemap',
  }),
  page({
    path: '/serverinfo',
    file: 'features/server-info/server-info-page.tsx',
    crumb: 'Server Information',
    description: 'Rates, limits and times of this server.',
    section: 'support',
    access: 'all',
    listing: 'sitemap',
    loads: async (_, load) => {
      const [info] = await Promise.all([
        loadDocument(load, 'server-info'),
        load(toCallQuery(getPlayersOnline, {})),
        load(toCallQuery(getGameLog, {})),
      ])
      if (info === null) return PREPARING_HEAD
      const { rates, numbers } = info
      const figures = [...rates, ...numbers.slice(0, 2)].map(({ name, value }) => `${name} ${value}`)
      return { description: `${figures.join(', ')}: rates, limits and times of this server.` }
    },
  }),
  page({
    path: '/socials',
    file: 'features/socials/socials-page.tsx',
    crumb: 'Socials',
    description: 'Where the players of this server meet.',
    section: 'support',
    access: 'all',
    listing: 'sitemap',
    loads: async (_, load) => getDocumentHead(await loadDocument(load, 'socials')),
  }),
  page({
    path: '/register',
    file: 'features/register/register-page.tsx',
    crumb: 'Register',
    description: 'One account for all three schools. You choose a school inside the game.',
    section: 'account',
    access: 'all',
    listing: 'sitemap',
    search: invitationSearch,
    loads: async (_, load) => {
      await load(toCallQuery(getStarterItems, {}))
    },
  }),
  page({
    path: '/login',
    file: 'features/login/login-page.tsx',
    crumb: 'Login',
    description: 'Log in to your cart, your coins and your characters.',
    section: 'account',
    access: 'all',
    browserSearch: loginSearch,
    listing: 'unlisted',
  }),
  page({
    path: '/user',
    file: 'features/account/account-page.tsx',
    crumb: 'Account Setting',
    description: 'Your account, connection and characters.',
    section: 'account',
    access: 'players',
    listing: 'noindex',
  }),
  page({
    path: '/claim',
    file: 'features/take-over/take-over-page.tsx',
    crumb: 'Complete Account',
    description: 'Complete an account that comes from the game.',
    section: 'account',
    access: 'players',
    listing: 'noindex',
  }),
  page({
    path: '/discord',
    file: 'features/account/discord-page.tsx',
    crumb: 'Discord',
    description: 'Connect your account with Discord.',
    section: 'account',
    access: 'players',
    browserSearch: discordSearch,
    listing: 'noindex',
  }),
  page({
    path: '/changepassword',
    file: 'features/password/change-password-page.tsx',
    crumb: 'Change Password',
    description: 'A new password for your account.',
    section: 'account',
    access: 'players',
    listing: 'noindex',
  }),
  page({
    path: '/findaccount',
    file: 'features/recovery/find-account-page.tsx',
    crumb: 'Find Account',
    description: 'Find a forgotten user ID or password by email.',
    section: 'account',
    access: 'guests',
    listing: 'unlisted',
  }),
  page({
    path: '/resetpassword',
    file: 'features/password/reset-password-page.tsx',
    crumb: 'Reset Password',
    description: 'Choose a new password with a mailed link.',
    section: 'account',
    access: 'all',
    browserSearch: mailedLinkSearch,
    listing: 'noindex',
  }),
  page({
    path: '/verifyemail',
    file: 'features/account/verify-email-page.tsx',
    crumb: 'Verify Email',
    description: 'Confirm that your email address reaches you.',
    section: 'account',
    access: 'all',
    listing: 'noindex',
  }),
  page({
    path: '/undoemail',
    file: 'features/account/undo-email-page.tsx',
    crumb: 'Undo Email Change',
    description: 'Take your account back with the link we mailed to your former email address.',
    section: 'account',
    access: 'all',
    browserSearch: mailedLinkSearch,
    listing: 'noindex',
  }),
  page({
    path: '/keepaccount',
    file: 'features/account/keep-account-page.tsx',
    crumb: 'Keep Account',
    description: 'Keep an account that waits to be erased, with the link we mailed.',
    section: 'account',
    access: 'all',
    browserSearch: mailedLinkSearch,
    listing: 'noindex',
  }),
  ...(
    [
      ['operationpolicy', 'Operation Policy'],
      ['privacypolicy', 'Privacy Policy'],
      ['gamecashagreement', 'Game Cash Agreement'],
    ] as const
  ).map(([name, crumb]) =>
    page({
      path: `/${name}`,
      file: 'features/policies/policy-page.tsx',
      crumb,
      description: 'What the operators and the players of this server owe each other.',
      section: 'support',
      access: 'all',
      listing: 'sitemap',
      loads: async (_, load) => {
        const policy = await loadDocument(load, name)
        return getDocumentHead(policy && { description: policy.about })
      },
    }),
  ),
  // The pages that operators add at /admin/pages (DESK-14).
  page({
    path: '/page/:name',
    file: 'features/free-pages/free-page.tsx',
    crumb: 'Page',
    description: 'A page of this server.',
    section: 'other',
    access: 'all',
    listing: 'unlisted',
    loads: async ({ params: { name = '' } }, load) => {
      const page = await loadFreePage(load, name)
      return {
        crumb: page.title,
        path: `/page/${name}`,
        ...(page.description !== '' && { description: page.description }),
        ...(page.picture !== null && { picture: page.picture }),
      }
    },
  }),
  page({
    path: '/credits',
    file: 'features/credits/credits-page.tsx',
    crumb: 'Credits',
    description: 'Whose fonts, icons and software this site is made with, and under which licences.',
    section: 'other',
    access: 'all',
    listing: 'sitemap',
    loads: async (_, load) => {
      await loadDocument(load, 'credits')
    },
  }),
  page({
    path: '/search',
    file: 'features/search/search-page.tsx',
    crumb: SEARCH_TEXTS.heading,
    description: 'One search over the news, the guides, the item shop, the characters and the forum of the server.',
    section: 'other',
    access: 'all',
    listing: 'noindex',
    search: searchSearch,
    loads: async ({ search }, load) => {
      if (hasQuery(search)) await load(getSearchQuery(search))
    },
    head: ({ search }) => ({ path: getSearchTarget(search) }),
  }),
  page({
    path: '/error',
    file: 'features/error/error-page.tsx',
    crumb: ERROR_PAGE_TEXTS.title,
    description: ERROR_PAGE_TEXTS.text,
    section: 'other',
    access: 'all',
    listing: 'noindex',
  }),
  page({
    path: '/offline',
    file: 'features/error/offline-page.tsx',
    crumb: NO_CONNECTION_TEXTS.title,
    description: NO_CONNECTION_TEXTS.line,
    section: 'other',
    access: 'all',
    browserSearch: offlineSearch,
    listing: 'noindex',
  }),
]

/** The address under which the page for unknown paths is rendered. */
export const NOT_FOUND_PATH = '/404'

/** The page with status 404 for any path without a page (ROUTE-7). */
export const NOT_FOUND_PAGE: Page = page({
  path: '*',
  file: 'features/error/not-found-page.tsx',
  crumb: NOT_FOUND_TEXTS.title,
  description: 'There is no page at this address.',
  section: 'other',
  access: 'all',
  listing: 'noindex',
  head: () => ({ path: NOT_FOUND_PATH, status: 404 }),
})

export { buildHead, loadPage } from './api/page-loading.ts'

/** Returns the page at a path; for an unknown path, the 404 page. */
export function getPageAt(pathname: string) {
  return findPage(PAGES, pathname) ?? { page: NOT_FOUND_PAGE, params: {} }
}

/** Returns a page for one news item, which has two paths and `/news?topic=` (ROUTE-1). */
function createNewsItemPage(path: string): Page {
  return page({
    path,
    file: 'features/news/news-page.tsx',
    crumb: 'News',
    description: 'One news item.',
    section: 'news',
    access: 'all',
    listing: 'unlisted',
    search: newsSearch,
    loads: ({ params, site }, load) => loadTopic(readTopicParam(params.id), { site }, load),
    head: ({ search }) => ({ path: getNewsPath(search.view) }),
  })
}
