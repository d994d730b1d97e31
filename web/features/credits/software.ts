/** A library the site runs on; `licence` is what its package says. */
export type Software = { name: string; licence: string; does: string }

/** Every package the site depends on to run, apart from the fonts. A test compares it with package.json and the packages. */
export const SOFTWARE: readonly Software[] = [
  { name: 'node', licence: 'MIT', does: 'Runs all of it' },
  { name: 'react', licence: 'MIT', does: 'Draws the pages' },
  { name: 'react-dom', licence: 'MIT', does: 'Puts them into the browser' },
  { name: 'react-router', licence: 'MIT', does: 'Knows which address is which page' },
  { name: '@react-router/dev', licence: 'MIT', does: 'Builds the pages' },
  { name: '@react-router/node', licence: 'MIT', does: 'Renders them on the server' },
  { name: 'vite', licence: 'MIT', does: 'Bundles scripts and styles' },
  { name: 'terser', licence: 'BSD-2-Clause', does: 'Makes the scripts small' },
  { name: 'isbot', licence: 'Unlicense', does: 'Tells search engines from people' },
  { name: '@base-ui/react', licence: 'MIT', does: 'Dialogs, menus and tips that everyone can use' },
  { name: 'sonner', licence: 'MIT', does: 'Toasts' },
  { name: 'react-hook-form', licence: 'MIT', does: 'Forms' },
  { name: '@tanstack/react-query', licence: 'MIT', does: 'Fetches and keeps what pages show' },
  { name: '@tanstack/react-query-persist-client', licence: 'MIT', does: 'Keeps it over a reload' },
  { name: '@tanstack/query-sync-storage-persister', licence: 'MIT', does: 'In the browser’s storage' },
  { name: 'hono', licence: 'MIT', does: 'Answers requests' },
  { name: '@hono/node-server', licence: 'MIT', does: 'Listens for them' },
  { name: '@hono/zod-openapi', licence: 'MIT', does: 'Describes the calls' },
  { name: 'zod', licence: 'MIT', does: 'Checks what comes and goes' },
  { name: 'kysely', licence: 'MIT', does: 'Speaks SQL in types' },
  { name: '@electric-sql/pglite', licence: 'Apache-2.0', does: 'The embedded PostgreSQL' },
  { name: 'pg', licence: 'MIT', does: 'Reaches a PostgreSQL server' },
  { name: '@node-rs/argon2', licence: 'MIT', does: 'Makes passwords unreadable' },
  { name: 'rate-limiter-flexible', licence: 'ISC', does: 'Slows floods down' },
  { name: 'sanitize-html', licence: 'MIT', does: 'Cleans news of what is not text' },
  { name: 'sharp', licence: 'Apache-2.0', does: 'Turns drawings and uploads into pictures' },
  { name: 'nodemailer', licence: 'MIT-0', does: 'Sends mails' },
  { name: 'feed', licence: 'MIT', does: 'Writes the news feed' },
  { name: 'i18n-iso-countries', licence: 'MIT', does: 'Knows the countries' },
  { name: 'croner', licence: 'MIT', does: 'Wakes up on time' },
  { name: 'pino', licence: 'MIT', does: 'Writes the log' },
  { name: 'prom-client', licence: 'Apache-2.0', does: 'Counts for the operators' },
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
