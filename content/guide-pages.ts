import { POLICIES } from './policies/policies.ts'

/** A written page of the site as the search knows it. `words` are searched too, but not shown. */
export type GuidePage = { path: string; title: string; summary: string; words?: string }

const CLASSES: GuidePage[] = [
  {
    path: '/characters?class=brawler',
    title: 'Brawler',
    summary: 'Stands in front, hits first, falls last.',
    words: 'class guide fighter fists gloves bat melee skills build beginner',
  },
  {
    path: '/characters?class=archer',
    title: 'Archer',
    summary: 'Two shots before anybody reaches you.',
    words: 'class guide bow arrows ranged skills build beginner',
  },
  {
    path: '/characters?class=swordsman',
    title: 'Sword',
    summary: 'The swordsman: answers every move with a better one.',
    words: 'class guide swordsman blade melee parry skills build',
  },
  {
    path: '/characters?class=shaman',
    title: 'Shaman',
    summary: 'One right decision, and everybody lives.',
    words: 'class guide healer heal support staff resurrection resu skills build',
  },
  {
    path: '/characters?class=extreme',
    title: 'Extreme',
    summary: 'Fights in the middle, mends whoever is near.',
    words: 'class guide hybrid support heal lightning resurrection resu skills build',
  },
  {
    path: '/characters?class=gunner',
    title: 'Scientist',
    summary: 'The gunner: proves it from a safe distance.',
    words: 'class guide gunner gun coil ranged skills build',
  },
  {
    path: '/characters?class=assassin',
    title: 'Assassin',
    summary: 'Gone before the lamp swings back.',
    words: 'class guide balisong knife stealth melee skills build',
  },
  {
    path: '/characters?class=magician',
    title: 'Magician',
    summary: 'Ends the fight, if you let her finish the line.',
    words: 'class guide mage magic spells chalk skills build',
  },
  {
    path: '/characters?class=shaper',
    title: 'Shaper',
    summary: 'Decides where the fight has walls.',
    words: 'class guide builder walls skills build',
  },
  {
    path: '/characters?class=conductor',
    title: 'Conductor',
    summary: 'Announced, not yet open: nobody travels alone.',
    words: 'class guide eighth new upcoming skills',
  },
]

const PARTS: GuidePage[] = [
  {
    path: '/instructions?part=status',
    title: 'Character status',
    summary: 'Health, SP and level at a glance, and what the numbers behind them mean.',
    words: 'instructions hp sp stats attributes level experience portrait',
  },
  {
    path: '/instructions?part=items',
    title: 'Item quick slot',
    summary: 'Food and potions within reach of one finger.',
    words: 'instructions potion quickslot use hotkey',
  },
  {
    path: '/instructions?part=skills',
    title: 'Skill quick slot',
    summary: 'Four slots for skills, on F1 to F4.',
    words: 'instructions f1 f2 f3 f4 quickslot hotkey bar',
  },
  {
    path: '/instructions?part=chat',
    title: 'Chat window',
    summary: 'Who hears you, and what it costs: 10,000 gold in the regional channel, 20,000 gold for a party search.',
    words: 'instructions message regional party search channel talk whisper price',
  },
  {
    path: '/instructions?part=shortcuts',
    title: 'Shortcut slot',
    summary: 'The small buttons that open the windows of the game.',
    words: 'instructions buttons menu windows',
  },
  {
    path: '/instructions?part=inventory',
    title: 'Inventory (key I)',
    summary: 'Your bag, and what you wear.',
    words: 'instructions bag equipment items',
  },
  {
    path: '/instructions?part=map',
    title: 'Map (key M)',
    summary: 'Where you are, and the way to the stairs.',
    words: 'instructions minimap location',
  },
  {
    path: '/instructions?part=keys',
    title: 'Shortcut keys type A and B',
    summary: 'Every default key of both types, side by side.',
    words: 'instructions keyboard keybinds hotkeys bindings default table controls wasd',
  },
  {
    path: '/instructions?part=mouse',
    title: 'Mouse control type A and B',
    summary: 'Walk, turn and strike with the mouse, in both types.',
    words: 'instructions click camera controls',
  },
]

const CHAPTERS: GuidePage[] = [
  {
    path: '/instructions#getting-in',
    title: 'Getting in',
    summary: 'From this page to the front yard in a quarter of an hour, most of which is the download.',
    words: 'how to start install sign up first login new player beginner play',
  },
  {
    path: '/instructions#moving',
    title: 'Moving about',
    summary: 'Click or keys, stairs, rides, and how not to get lost.',
    words: 'walk ride type a b camera controls',
  },
  {
    path: '/instructions#fighting',
    title: 'Fighting',
    summary: 'Choose an enemy, press F1, and what to think of after level 5.',
    words: 'attack monsters combat target skill death name colours',
  },
  {
    path: '/instructions#levels',
    title: 'Levels and where to find them',
    summary: 'Where to be at which level, from the front yard to the rooftop.',
    words: 'leveling grind experience exp places errands quests',
  },
  {
    path: '/instructions#parties',
    title: 'Parties',
    summary: 'Up to eight people who share experience, sight on the map and, in the end, jokes.',
    words: 'party group invite share',
  },
  {
    path: '/instructions#clubs',
    title: 'Clubs and club war',
    summary: 'It takes three people to found one and one free hour a week to keep it.',
    words: 'guild clan found member tax area war saturday',
  },
  {
    path: '/instructions#talking',
    title: 'Talking',
    summary: 'Normal, whisper, party and club cost nothing. Two channels do.',
    words: 'chat message whisper regional party search block',
  },
  {
    path: '/instructions#shop',
    title: 'Shop and item bank',
    summary: 'Two purses, one cart, and where a purchase waits for you in the game.',
    words: 'buy r-coin milleage cart bank delivery claim',
  },
  {
    path: '/instructions#etiquette',
    title: 'Etiquette, and where to find us',
    summary: 'Not rules. This is how you get invited a second time.',
    words: 'manners behaviour community',
  },
]

const SYSTEMS: GuidePage[] = [
  {
    path: '/gamesystem#levels',
    title: 'Levels and stats',
    summary: 'Experience makes levels, levels make points, and points make the difference between two brawlers.',
    words: 'game system experience exp attributes points',
  },
  {
    path: '/gamesystem#schools',
    title: 'Schools',
    summary: 'Three houses, the same nine classes, the same numbers. You choose where you come home to.',
    words: 'game system sacred gate mystic peak phoenix choose school transfer',
  },
  {
    path: '/gamesystem#drops',
    title: 'Drops and refining',
    summary: 'What falls is luck. What becomes of it is patience, and knowing when to stop.',
    words: 'game system loot enhance enhancement upgrade refine gear materials',
  },
  {
    path: '/gamesystem#channels',
    title: 'Channels and chat',
    summary: 'Six channels all day, two more at night, and two kinds of shouting that cost money.',
    words: 'game system channel boss chat',
  },
  {
    path: '/gamesystem#fights',
    title: 'Fights between players',
    summary: 'Kills and deaths are counted, by the month, in public. Choose where you stand.',
    words: 'game system pvp pk kill killer death duel',
  },
  {
    path: '/gamesystem#resu',
    title: 'Resu',
    summary: 'Everyone knows who has the most kills. Resu counts who brought them back.',
    words: 'game system resurrection score shaman extreme revive',
  },
  {
    path: '/gamesystem#mmr',
    title: 'MMR',
    summary: 'A number that finds you somebody about as good as you. Everyone begins at 1,000.',
    words: 'game system ranked duel rating elo matchmaking',
  },
  {
    path: '/gamesystem#clubs',
    title: 'Clubs and the three areas',
    summary: 'A club may hold one area and set its tax. Where nobody holds it, the club is none and the tax is 0%.',
    words: 'game system guild club war area tax covered court old market sky bridge',
  },
  {
    path: '/gamesystem#currencies',
    title: 'Gold, R-Coin, Milleage',
    summary: 'Three kinds of money that never turn into each other. That is on purpose.',
    words: 'game system currency coins earn rcoin mileage',
  },
  {
    path: '/gamesystem#locker',
    title: 'Lockers and deliveries',
    summary: 'What you buy here waits in the locker of your school, usually before you have closed the tab.',
    words: 'game system purchase delivery claim queued delivered refunded item bank',
  },
  {
    path: '/gamesystem#month',
    title: 'The month',
    summary: 'A month is a race. It ends at midnight in Manila, whatever your own clock says.',
    words: 'game system ranking reset season top 100',
  },
]

const PAGES: GuidePage[] = [
  {
    path: '/instructions',
    title: 'Instructions',
    summary: 'The full game guide: every window of the screen, every key, and both mouse controls.',
    words: 'how to play start tutorial beginner controls interface help manual full game guide hud',
  },
  {
    path: '/characters',
    title: 'Character',
    summary: 'The quick guide for beginners, and the class guide.',
    words: 'classes quick guide how to start new player which class best first steps tutorial',
  },
  {
    path: '/gamesystem',
    title: 'Game System',
    summary: 'How the game works: levels, schools, clubs, fights between players, and money.',
    words: 'mechanics pvp pk club war tax experience party resurrection mmr ranking gold milleage r-coin school',
  },
  {
    path: '/story',
    title: 'Story',
    summary: 'Three schools, one city, and why nobody goes home early. With the world map.',
    words: 'lore world map history sacred gate mystic peak phoenix campus',
  },
  {
    path: '/serverinfo',
    title: 'Server Information',
    summary: 'Rates, limits, hours and rules of this server on one sheet.',
    words: 'rates experience drop gold level cap maintenance schedule version episode event time online',
  },
  {
    path: '/downloads',
    title: 'Full Client Download',
    summary: 'The client and its mirrors, what your computer needs, and how to install.',
    words: 'download install client mirror torrent system requirements windows directx patch minimum specs play',
  },
  {
    path: '/register',
    title: 'Register',
    summary: 'Make an account. It takes two minutes and an e-mail address.',
    words: 'sign up create new account join',
  },
  {
    path: '/findaccount',
    title: 'Find Account',
    summary: 'Forgot your ID or your password? Have it mailed to you.',
    words: 'forgot lost recover reset id password login email',
  },
  {
    path: '/topup',
    title: 'Top Up R-Coin',
    summary: 'Turn a code into R-Coin, with the referral code of your streamer.',
    words: 'redeem voucher coupon code card recharge load coins buy money referral',
  },
  {
    path: '/itemshop',
    title: 'Item Shop',
    summary: 'Costumes, rides, potions and charms for R-Coin and Milleage.',
    words: 'store buy cash shop items premium cart costumes potions charms',
  },
  {
    path: '/rankings',
    title: 'Overall rankings',
    summary: 'The top 100 players of this month on five boards, by school and class.',
    words: 'leaderboard ladder top level mmr killer richest resu best players month',
  },
  {
    path: '/ticket',
    title: 'Submit Ticket',
    summary: 'Tell support what went wrong, with screenshots. Works without an account too.',
    words: 'help support contact report bug problem scam stolen complaint gm admin',
  },
  {
    path: '/checkticket',
    title: 'Check My Ticket',
    summary: 'Read the answer to your ticket and write back.',
    words: 'help support status reply answer',
  },
  {
    path: '/gallery',
    title: 'Gallery',
    summary: 'Pictures from the campus at night.',
    words: 'screenshots pictures images photos art',
  },
  {
    path: '/wallpaper',
    title: 'Wallpaper',
    summary: 'Our posters for your desktop and your phone.',
    words: 'wallpapers background desktop phone picture download',
  },
  {
    path: '/movies',
    title: 'Movie',
    summary: 'Scenes and trailers to watch.',
    words: 'movies video trailer clip watch',
  },
  {
    path: '/socials',
    title: 'Socials',
    summary: 'Where players meet outside the game.',
    words: 'community facebook discord group chat messenger social',
  },
  ...POLICIES.map(({ path, title, search }) => ({ path, title, ...search })),
  {
    path: '/credits',
    title: 'Credits',
    summary: 'Whose fonts and icons these are.',
    words: 'licence license fonts icons thanks',
  },
]

/** The pages that are written, not stored in the database, with an address for each part that has one. */
export const GUIDE_PAGES: readonly GuidePage[] = [...PAGES, ...CLASSES, ...PARTS, ...CHAPTERS, ...SYSTEMS]
