/** An author of the game-icons set, and the icons of theirs that this site shows. */
type IconAuthor = { name: string; page: string; icons: readonly string[] }

const list = (names: string) => names.trim().split(/\s+/)

/** Who drew the icons of the items and the skills (game-icons.net, CC BY 3.0). A test compares it with what is drawn. */
export const ICON_AUTHORS: readonly IconAuthor[] = [
  {
    name: 'Delapouite',
    page: 'https://delapouite.com',
    icons: list(`
      ample-dress anticlockwise-rotation baseball-bat basketball-jersey billed-cap bottle-cap boxing-ring bread
      brick-wall buffalo-head canoe coconuts coffee-mug coins crescent-staff cut-lemon dango dutch-bike falling-rocks
      flashlight flip-flops foot-plaster graduate-cap healing heart-beats hoodie hot-meal ice-cream-scoop id-card jasmine
      kick-scooter kite lockers lunar-wand magic-broom medicine-pills megaphone mighty-force noodles notebook
      paper-lantern park-bench pencil-ruler poncho prayer-beads quiver roller-skate rooster rubber-boot school-bag scooter
      sewing-string shop skateboard sleeveless-jacket spell-book stairs steering-wheel sunglasses ticket token
      tribal-pendant unicycle walkie-talkie water-gun wheelbarrow whistle`),
  },
  {
    name: 'Lorc',
    page: 'https://lorcblog.blogspot.com',
    icons: list(`
      angel-wings arrow-flights backstab blade-drag boxing-glove broadsword bubbling-bowl cape cat corked-tube
      crossed-swords cubes domino-mask drama-masks electric-whip fizzing-flask gecko high-shot ice-bolt laser-blast
      lightning-arc lightning-shield lightning-storm linked-rings magnet-blast meteor-impact padlock punch punch-blast
      quill-ink raining ray-gun reticule ringing-bell spanner spinning-sword sprint star-swirl stone-crafting sword-slice
      swords-emblem teapot teleport tesla-coil tornado-discs umbrella wingfoot`),
  },
  { name: 'Skoll', page: 'https://game-icons.net', icons: ['bullseye', 'butterfly-knife', 'jeep'] },
  { name: 'Caro Asercion', page: 'https://seaexcursion.itch.io', icons: ['boba', 'bus-stop', 'paper-crane'] },
  { name: 'Sbed', page: 'https://opengameart.org/content/95-game-icons', icons: ['clover'] },
  { name: 'DarkZaitzev', page: 'https://darkzaitzev.deviantart.com', icons: ['smoke-bomb'] },
  { name: 'Lucas', page: 'https://game-icons.net', icons: ['shirt'] },
]

/** A library the site runs on; `licence` is what its package says. */
type Software = { name: string; licence: string; does: string }

/** Every package the site depends on to run, apart from the fonts. A test compares it with package.json and the packages. */
export const SOFTWARE: readonly Software[] = [
  { name: 'node', licence: 'MIT', does: 'Runs all of it' },
  { name: 'react', licence: 'MIT', does: 'Draws the pages' },
  { name: 'react-dom', licence: 'MIT', does: 'Puts them into the browser' },
  { name: 'react-router', licence: 'MIT', does: 'Knows which address is which page' },
  { name: 'subset-font', licence: 'BSD-3-Clause', does: 'Cuts the fonts to the letters in use' },
  { name: 'vite', licence: 'MIT', does: 'Bundles scripts and styles' },
  { name: '@base-ui/react', licence: 'MIT', does: 'Dialogs, menus and tips that everyone can use' },
  { name: 'sonner', licence: 'MIT', does: 'Toasts' },
  { name: 'react-hook-form', licence: 'MIT', does: 'Forms' },
  { name: '@hookform/resolvers', licence: 'MIT', does: 'Checks forms by the rules of the calls' },
  { name: '@tanstack/react-query', licence: 'MIT', does: 'Fetches and keeps what pages show' },
  { name: '@tanstack/react-table', licence: 'MIT', does: 'The lists of the desk' },
  { name: 'nuqs', licence: 'MIT', does: 'Keeps the filters of these lists in the address' },
  { name: '@tiptap/core', licence: 'MIT', does: 'The editor of the news' },
  { name: '@tiptap/react', licence: 'MIT', does: 'Shows the editor' },
  { name: '@tiptap/pm', licence: 'MIT', does: 'Keeps what is written in the editor in order' },
  { name: '@tiptap/starter-kit', licence: 'MIT', does: 'Headings, lists and links in the editor' },
  { name: '@tiptap/extension-image', licence: 'MIT', does: 'Pictures in the editor' },
  { name: '@tiptap/extension-table', licence: 'MIT', does: 'Tables in the editor' },
  { name: '@simplewebauthn/browser', licence: 'MIT', does: 'Asks the browser for passkeys' },
  { name: '@simplewebauthn/server', licence: 'MIT', does: 'Checks passkeys' },
  { name: 'otpauth', licence: 'MIT', does: 'Checks the codes of authenticator apps' },
  { name: 'uqr', licence: 'MIT', does: 'Draws the code that such an app reads' },
  { name: 'papaparse', licence: 'MIT', does: 'Reads and writes CSV files' },
  { name: 'hono', licence: 'MIT', does: 'Answers requests' },
  { name: '@hono/node-server', licence: 'MIT', does: 'Listens for them' },
  { name: 'negotiator', licence: 'MIT', does: 'Picks the compression a browser understands' },
  { name: 'markdown-it', licence: 'MIT', does: 'Turns what players write in the forum into pages' },
  { name: 'brackets-manager', licence: 'MIT', does: 'Draws up the brackets of tournaments' },
  { name: 'busboy', licence: 'MIT', does: 'Takes uploads apart' },
  { name: 'ipaddr.js', licence: 'MIT', does: 'Reads network addresses' },
  { name: 'lru-cache', licence: 'BlueOak-1.0.0', does: 'Keeps ready answers at hand' },
  { name: 'zod', licence: 'MIT', does: 'Checks what comes and goes' },
  { name: 'kysely', licence: 'MIT', does: 'Speaks SQL in types' },
  { name: '@electric-sql/pglite', licence: 'Apache-2.0', does: 'The embedded PostgreSQL' },
  { name: 'pg', licence: 'MIT', does: 'Reaches a PostgreSQL server' },
  { name: 'mysql2', licence: 'MIT', does: 'Reaches a game on MariaDB' },
  { name: 'mssql', licence: 'MIT', does: 'Reaches a game on SQL Server' },
  { name: 'piscina', licence: 'MIT', does: 'Hands heavy work to other threads' },
  { name: '@node-rs/argon2', licence: 'MIT', does: 'Makes passwords unreadable' },
  { name: 'sanitize-html', licence: 'MIT', does: 'Removes unsafe markup from the news' },
  { name: 'html-to-text', licence: 'MIT', does: 'Makes short extracts of them' },
  { name: 'sharp', licence: 'Apache-2.0', does: 'Turns drawings and uploads into pictures' },
  { name: 'nodemailer', licence: 'MIT-0', does: 'Sends mails' },
  { name: 'feed', licence: 'MIT', does: 'Writes the news feed' },
  { name: 'i18n-iso-countries', licence: 'MIT', does: 'Knows the countries' },
  { name: 'croner', licence: 'MIT', does: 'Starts jobs on time' },
  { name: 'pino', licence: 'MIT', does: 'Writes the log' },
  { name: 'prom-client', licence: 'Apache-2.0', does: 'Keeps figures for the operators' },
]

/** The two typefaces, each served from here. */
export const FONTS = [
  {
    name: 'Sofia Sans Extra Condensed',
    packageName: '@fontsource-variable/sofia-sans-extra-condensed',
    licence: 'OFL-1.1',
    use: 'Headings, numbers and everything that has to fit',
    authors: 'The Sofia Sans Project Authors',
    page: 'https://github.com/lettersoup/Sofia-Sans',
    isDisplay: true,
  },
  {
    name: 'Source Sans 3',
    packageName: '@fontsource-variable/source-sans-3',
    licence: 'OFL-1.1',
    use: 'Everything you read',
    authors: 'Paul D. Hunt, Adobe',
    page: 'https://github.com/adobe-fonts/source-sans',
    isDisplay: false,
  },
] as const
