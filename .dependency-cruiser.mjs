/**
 * The allowed imports. `npm run check` applies these rules, scripts/check-imports.test.ts tests them. Type imports
 * count, unless a rule excludes them. Tests may import anything, but not in a circle.
 */

const TESTS = String.raw`\.test\.tsx?$`

/** The allowed imports between features of web. */
const WEB_FEATURES = {
  activity: ['events', 'news', 'rankings', 'tournaments'],
  account: ['news', 'rankings', 'topup'],
  capsules: ['cart', 'news', 'shop'],
  cart: ['shop'],
  forum: ['news', 'rankings', 'tickets'],
  home: ['activity', 'news', 'rankings'],
  login: ['cart', 'shop'],
  mailbox: ['news', 'shop'],
  rankings: ['news'],
  search: ['rankings'],
  'server-info': ['news', 'rankings'],
  purchases: ['cart', 'shop'],
  register: ['password'],
  rewards: ['shop'],
  shop: ['cart'],
  tickets: ['news', 'purchases'],
  topup: ['purchases', 'shop'],
  wishes: ['cart', 'shop'],
  tournaments: ['rankings'],
  events: ['rankings'],
  wars: ['events', 'rankings'],
}

/** The allowed imports between features of server. */
const SERVER_FEATURES = {
  activity: ['rankings'],
  accounts: ['bridge', 'factors', 'mailbox', 'rewards', 'staff'],
  bridge: ['accounts', 'activity', 'files', 'mailbox', 'orders', 'rankings', 'staff', 'wallet'],
  backups: ['players', 'staff'],
  capsules: ['shop', 'wallet'],
  cart: ['services', 'shop', 'wallet'],
  documents: ['news'],
  forum: ['files', 'mailbox', 'rankings'],
  gifts: ['mailbox', 'rankings', 'wallet'],
  launcher: ['downloads', 'files', 'news', 'site', 'theme'],
  mailbox: ['wallet'],
  media: ['files'],
  mails: ['staff'],
  players: ['accounts', 'factors', 'staff'],
  rankings: ['files', 'theme'],
  search: ['documents', 'forum', 'rankings'],
  settings: ['rewards', 'staff'],
  sharing: ['events', 'files', 'news', 'rankings', 'theme', 'tournaments', 'wars'],
  theme: ['files', 'site'],
  site: ['bridge', 'documents', 'events', 'theme', 'news', 'rankings'],
  'my-data': ['accounts', 'factors', 'players'],
  orders: ['mailbox', 'wallet'],
  tickets: ['accounts', 'files', 'mailbox'],
  staff: ['bridge', 'theme', 'today'],
  discord: ['rankings', 'settings'],
  health: ['bridge', 'discord'],
  today: ['figures', 'forum', 'health', 'rewards'],
  tournaments: ['mailbox', 'rankings'],
  events: ['mailbox'],
  rewards: ['mailbox', 'wallet'],
  vouchers: ['mailbox', 'wallet'],
  whitelist: ['accounts'],
  wishes: ['shop'],
  wars: ['events', 'mailbox', 'rankings'],
}

/** The shell's remaining imports from features. Do not add to this list. */
const SHELL_EXCEPTIONS = [
  ['search-box.tsx', 'search/search-dialog'],
  ['side-panel.tsx', '(cart/cart-receipt|shop/item-parts)'],
]

/** The players' own components that forms of the desk show while they are filled in. */
const DESK_PREVIEWS = [
  String.raw`^web/features/shop/item-(card|tip-window)\.tsx$`,
  String.raw`^web/features/tournaments/(bracket\.tsx|tournament-view\.ts)$`,
  String.raw`^web/features/wars/league-(table\.tsx|view\.ts)$`,
  String.raw`^web/shell/rotator\.tsx$`,
]

/** The advice for a violation, by the comment of its rule. */
export const ADVICE = {}

/** Makes a rule from one sentence with the correct state, and the advice that `npm run check` prints. */
function rule(comment, from, to, advice) {
  if (advice !== undefined) ADVICE[comment] = advice
  return {
    name: comment.replace(/[^a-z]+/gi, '-').toLowerCase(),
    comment,
    severity: 'error',
    from: { pathNot: TESTS, ...from },
    to,
  }
}

/** A feature imports other features of its floor only as listed. */
function featureRules(floor, allowed) {
  const listed = Object.entries(allowed)
  const comment = `a ${floor} feature imports only the features listed for it`
  const list = `${floor.toUpperCase()}_FEATURES`
  const advice = `Add the imported feature to the importing feature's line in ${list} in .dependency-cruiser.mjs, if no circle results.`
  return [
    rule(
      comment,
      {
        path: `^${floor}/features/([^/]+)/`,
        pathNot: [TESTS, ...listed.map(([feature]) => `^${floor}/features/${feature}/`)],
      },
      { path: `^${floor}/features/`, pathNot: `^${floor}/features/$1/` },
      advice,
    ),
    ...listed.map(([feature, others]) => ({
      ...rule(
        comment,
        { path: `^${floor}/features/${feature}/` },
        { path: `^${floor}/features/`, pathNot: `^${floor}/features/(${[feature, ...others].join('|')})/` },
      ),
      name: `${floor}-feature-${feature}`,
    })),
  ]
}

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    rule(
      'no file imports itself through others',
      {},
      { circular: true },
      'Move what both files need into a third file that imports neither.',
    ),
    rule(
      'a path that starts with # or . leads to a file',
      {}, // The build writes the fonts.
      { path: '^[#.]', pathNot: '/ui/fonts/', couldNotResolve: true },
      'Write the path with its extension: ./items.ts, #web/root.tsx.',
    ),
    rule(
      'contract imports only Zod and itself',
      { path: '^contract/' },
      { pathNot: ['^contract/', '(^|/)node_modules/zod/'] },
    ),
    rule(
      'bridge imports only contract, packages and itself',
      { path: '^bridge/' },
      { path: '^(content|demo|server|web|test|bench|scripts)/' },
    ),
    rule(
      'content imports only contract, packages and itself',
      { path: '^content/' },
      { path: '^(bridge|demo|server|web|test|bench|scripts)/' },
    ),
    rule(
      'the demo world imports only contract, content, server and itself',
      { path: '^demo/' },
      { path: '^(bridge|web|test|bench|scripts)/' },
    ),
    rule(
      'only start-up imports the demo world',
      { path: '^(contract|content|server|web)/', pathNot: [TESTS, String.raw`^server/(start|warnings)\.ts$`] },
      { path: '^demo/' },
    ),
    rule(
      'web takes only types from server',
      { path: '^web/' },
      { path: '^server/', dependencyTypesNot: ['type-only'] },
      'Write import type, or move the value to contract/.',
    ),
    rule(
      'server reaches web only through frontend.ts',
      { path: '^server/', pathNot: [TESTS, String.raw`^server/frontend\.ts$`] },
      { path: '^web/' },
    ),
    rule(
      'the site imports no tests, benches or scripts',
      { path: '^(contract|content|server|web)/', pathNot: [TESTS, String.raw`^server/start\.ts$`] },
      { path: '^(bridge|test|bench|scripts)/' },
      'Move what the site needs out of that folder, or the file that imports it into it.',
    ),
    rule(
      'start-up imports only the build from scripts',
      { path: String.raw`^server/start\.ts$` },
      { path: '^(test|bench|scripts)/', pathNot: String.raw`^scripts/build\.ts$` },
    ),
    rule('the database layer imports nothing else of server', { path: '^server/db/' }, { path: '^server/(?!db/)' }),
    rule('the HTTP layer imports no features', { path: '^server/http/' }, { path: '^server/features/' }),
    rule('approvals import no features', { path: '^server/approvals/' }, { path: '^server/features/' }),
    rule(
      'features import no routes',
      { path: '^server/features/' },
      { path: String.raw`^server/features/.*/routes\.ts$` },
      "Move what both need to a file of that feature's folder that is not its routes.ts.",
    ),
    rule(
      'queries import no services',
      { path: String.raw`^server/features/.*/queries\.ts$` },
      { path: String.raw`/service\.ts$` },
    ),
    ...featureRules('server', SERVER_FEATURES),
    rule(
      'ui, art, forms and api import no features and nothing of the shell',
      { path: '^web/(ui|art|forms|api)/' },
      { path: '^web/(features|shell)/' },
    ),
    rule(
      'the shell imports no features',
      { path: '^web/shell/', pathNot: [TESTS, ...SHELL_EXCEPTIONS.map(([file]) => `^web/shell/${file}$`)] },
      { path: '^web/features/' },
    ),
    ...SHELL_EXCEPTIONS.map(([file, targets]) => ({
      ...rule(
        'the shell imports no features',
        { path: `^web/shell/${file}$` },
        { path: '^web/features/', pathNot: `^web/features/${targets}\\.tsx?$` },
      ),
      name: `shell-${file}`,
    })),
    ...featureRules('web', WEB_FEATURES),
    rule(
      'the desk imports only ui, art, forms and api of web, itself, and what its forms preview',
      { path: '^web/admin/' },
      { path: '^web/', pathNot: ['^web/(admin|ui|art|forms|api)/', ...DESK_PREVIEWS] },
    ),
    rule('only the desk imports the desk', { path: '^web/', pathNot: [TESTS, '^web/admin/'] }, { path: '^web/admin/' }),
    rule(
      'a screen of the desk imports no other screen',
      { path: '^web/admin/screens/([^/]+)/' },
      { path: '^web/admin/screens/', pathNot: '^web/admin/screens/$1/' },
      'Move what both screens need to web/admin/kit/.',
    ),
    rule(
      'the kit of the desk imports nothing else of the desk',
      { path: '^web/admin/kit/' },
      { path: '^web/admin/', pathNot: '^web/admin/kit/' },
    ),
  ],
  options: {
    // TypeScript 7 has no parser that dependency-cruiser can call.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      // Without .ts and .tsx, a path of ours that lacks its extension leads nowhere.
      extensions: ['.js', '.mjs'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
