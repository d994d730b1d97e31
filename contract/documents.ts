/** The site's pages as documents that operators write (PAGE-1), and the call that reads them. */
import { z } from 'zod'
import {
  anchorField,
  choiceField,
  type DocumentFields,
  eachField,
  type FieldValues,
  htmlField,
  lineField,
  linesField,
  linkField,
  listField,
  numberField,
  optionalChoiceField,
  pictureField,
} from './document-fields.ts'
import { declareCalls } from './endpoint.ts'

const site = declareCalls('site', 'public')

/** The fields of every page: the lines below its heading, and its texts for search engines and shared links. */
const headFields = {
  lines: linesField('Lines below the heading', 3),
  description: lineField('Description', 300, { hint: 'for search engines and shared links' }),
} as const

const title = lineField('Title', 80, { requiredText: 'Give it a title.' })
const school = optionalChoiceField('School', 'none', { '0': 'Sacred Gate', '1': 'Mystic Peak', '2': 'Phoenix' })
const placeField = (label: string) => ({ kind: 'place', label, width: 1000, height: 1120, on: 'map_picture' }) as const

const STORY = {
  ...headFields,
  share: pictureField('Picture for shared links', 'share'),
  chapters: listField('Chapters', 'chapter', 20, {
    title,
    id: anchorField,
    school,
    picture: pictureField('Picture', 'page-wide'),
    text: htmlField('Text', { requiredText: 'Write the chapter.' }),
    quote: lineField('Quotation', 300),
    quoted: lineField('Who said it', 80),
  }),
  map_line: lineField('Line below ‘World map’', 160),
  map_picture: pictureField('World map', 'world-map'),
  map_name: lineField('Name of the map', 80, { hint: 'read out to people who cannot see it' }),
  map_description: lineField('What the map shows', 400, { hint: 'read out to people who cannot see it' }),
  places: listField('Locations on the map', 'location', 30, {
    name: lineField('Name', 40, { requiredText: 'Name the location.' }),
    id: anchorField,
    label: lineField('Name in lines', 60, { hint: 'with / between them, for a long name' }),
    school,
    at: placeField('Where it is'),
    name_at: placeField('Where its name is'),
    line: lineField('What it is', 200),
  }),
} as const

/** The traits of a class, each from 1 to 5. */
export const CLASS_TRAITS = {
  damage: 'Damage',
  toughness: 'Toughness',
  speed: 'Speed',
  reach: 'Reach',
  support: 'Support',
  easy: 'Easy to start',
} as const

/** The classes of the guide, in the order of their tabs, then those without tabs (GUIDE-1, GUIDE-2). */
export const GUIDE_CLASSES = {
  brawler: 'Brawler',
  archer: 'Archer',
  swordsman: 'Sword',
  shaman: 'Shaman',
  extreme: 'Extreme',
  gunner: 'Scientist',
  assassin: 'Assassin',
  magician: 'Magician',
  shaper: 'Shaper',
  conductor: 'The eighth class',
} as const

const scoreField = (label: string) => numberField(label, 1, 5)

const CLASSES = {
  ...headFields,
  eighth_name: lineField('Name of the eighth class without a tab', 40, { hint: 'empty: it is not shown' }),
  classes: eachField('Classes', GUIDE_CLASSES, {
    role: lineField('What it is, briefly', 120),
    weapon: lineField('Weapon', 80),
    first_stat: lineField('Main stat', 40),
    second_stat: lineField('Second stat', 40),
    damage: scoreField(CLASS_TRAITS.damage),
    toughness: scoreField(CLASS_TRAITS.toughness),
    speed: scoreField(CLASS_TRAITS.speed),
    reach: scoreField(CLASS_TRAITS.reach),
    support: scoreField(CLASS_TRAITS.support),
    easy: scoreField(CLASS_TRAITS.easy),
    tint: { kind: 'color', label: 'Color of its bars and signs' },
    picture: pictureField('Poster', 'class-poster'),
    picture_text: lineField('What the poster shows', 300, { hint: 'read out to people who cannot see it' }),
    text: htmlField('Text'),
    strengths: linesField('Strengths', 6),
    weaknesses: linesField('Weaknesses', 6),
    skills: listField('Skills and their keys', 'skill', 8, {
      key: choiceField('Key', { F1: 'F1', F2: 'F2', F3: 'F3', F4: 'F4', Always: 'Always' }),
      name: lineField('Name', 60, { requiredText: 'Name the skill.' }),
      line: lineField('What it does', 200),
    }),
    tip: htmlField('A beginner’s build'),
  }),
} as const

const links = listField('Links', 'link', 6, {
  label: lineField('Text of the link', 60, { requiredText: 'Write the text of the link.' }),
  to: linkField('Link'),
})

const FIRST_STEPS = {
  steps: listField('Steps', 'step', 10, { title, text: htmlField('Text'), links }),
  wishes: listField('Which class first? If you …', 'wish', 10, {
    wish: lineField('… want this', 60, { requiredText: 'Write what players want.' }),
    first: choiceField('Class', GUIDE_CLASSES),
    second: optionalChoiceField('Another class', 'none', GUIDE_CLASSES),
  }),
} as const

/** The nine regions of the interface picture in the order of GUIDE-3. `?part=` opens a region's popup. */
export const INTERFACE_PARTS = {
  status: 'Character status',
  items: 'Item quick slot',
  skills: 'Skill quick slot',
  chat: 'Chat window',
  shortcuts: 'Shortcut slot',
  inventory: 'Inventory (key I)',
  map: 'Map (key M)',
  keys: 'Shortcut keys type A and B',
  mouse: 'Mouse control type A and B',
} as const

export type InterfacePartKey = keyof typeof INTERFACE_PARTS
export const INTERFACE_PART_KEYS = Object.keys(INTERFACE_PARTS) as InterfacePartKey[]

/** The channels in the chat window of the interface picture. */
export const CHAT_LINES = {
  normal: 'Normal',
  party: 'Party',
  club: 'Club',
  regional: 'Regional',
  search: 'Search',
  whisper: 'Whisper',
  typed: 'What is being typed',
} as const

const controlsField = (label: string) =>
  listField(label, 'group', 6, {
    title,
    controls: listField('Controls', 'control', 20, {
      action: lineField('Action', 80, { requiredText: 'Name the action.' }),
      a: lineField('Type A', 80),
      b: lineField('Type B', 80),
    }),
  })

const INSTRUCTIONS = {
  ...headFields,
  picture_text: lineField('What the interface picture shows', 400, { hint: 'read out to people who cannot see it' }),
  hero: lineField('Name over the character', 20),
  healer: lineField('Name over the character behind', 20),
  enemy: lineField('Name over the enemies', 20),
  chat: eachField('Lines in the chat window', CHAT_LINES, { text: lineField('Line', 60) }),
  parts: eachField('The nine regions', INTERFACE_PARTS, {
    line: lineField('What it is for', 200),
    legend: listField('Letters on the enlarged drawing', 'letter', 12, {
      at: { kind: 'place', label: 'Where it is on the drawing', width: 400, height: 400 },
      name: lineField('Name', 60, { requiredText: 'Name it.' }),
      text: lineField('What it shows', 300),
    }),
    text: htmlField('Text'),
  }),
  chapters: listField('Chapters', 'chapter', 20, {
    title,
    id: anchorField,
    text: htmlField('Text'),
    facts: listField('Facts next to the text', 'fact', 10, {
      name: lineField('Name', 80, { requiredText: 'Name the fact.' }),
      value: lineField('Value', 120),
    }),
    links,
  }),
  keys: controlsField('Default key table'),
  mouse: controlsField('Mouse control'),
} as const

/**
 * The drawings for sections about the game's systems. `web/features/guides/system-figures.tsx` draws them and names
 * their rows.
 */
export const SYSTEM_FIGURES = {
  levels: 'Levels',
  fight: 'Colors of names in a fight',
  areas: 'Three club areas',
  schools: 'Three schools',
  resu: 'Two players who resurrect',
  mmr: 'MMR won and lost',
  channels: 'Channels',
  purses: 'Three currencies',
  parcel: 'How a purchase arrives',
  refining: 'Chances of refining',
  month: 'The month',
} as const

const GAME_SYSTEMS = {
  ...headFields,
  sections: listField('Sections', 'section', 30, {
    title,
    id: anchorField,
    lead: lineField('The one sentence to remember', 200),
    text: htmlField('Text'),
    figure: optionalChoiceField('Drawing', 'none', SYSTEM_FIGURES),
    rows: listField('What the drawing shows', 'row', 10, {
      name: lineField('Name', 60),
      value: lineField('Value', 20, { hint: 'a number is drawn as a bar' }),
      second: lineField('Second value', 20, { hint: 'for MMR: what a loss costs' }),
      text: lineField('Text', 120),
    }),
    more: htmlField('Text below the drawing'),
  }),
} as const

const value = lineField('Value', 80)
const factFields = {
  name: lineField('Name', 80, { requiredText: 'Name it.' }),
  value,
  note: lineField('Explanation', 300),
} as const

const SERVER_INFO = {
  ...headFields,
  posted: lineField('Line above the rates', 60, { hint: 'such as ‘Since 1 December’' }),
  intro: lineField('About the values', 300),
  rates: listField('Rates', 'rate', 6, factFields),
  numbers: listField('Numbers', 'number', 12, factFields),
  week: listField('The week', 'time', 6, {
    ...factFields,
    color: choiceField('Color', { red: 'Red', blue: 'Blue', green: 'Green' }),
    spans: { kind: 'week', label: 'Hours' },
  }),
  month_name: lineField('The first of the month: name', 80),
  month_value: lineField('The first of the month: value', 80),
  month_note: lineField('The first of the month: explanation', 300),
  chat: listField('Chat', 'channel', 6, { name: factFields.name, value: lineField('What it costs', 120) }),
  rules: listField('Fair play', 'rule', 12, { title, text: lineField('What it means', 300) }),
  help: listField('Help', 'topic', 6, {
    name: factFields.name,
    text: lineField('Text', 300),
    to: linkField('Link'),
    label: lineField('Text of the link', 60),
  }),
} as const

const SOCIALS = {
  ...headFields,
  picture: pictureField('Picture', 'page-wide'),
  page_title: lineField('Name of your social page', 60),
  page_line: lineField('About your social page', 120),
  agent_line: lineField('About your messenger', 120),
  feed_line: lineField('About the news feed', 200),
  ticket_line: lineField('About tickets', 200),
  rules: listField('House rules', 'rule', 20, {
    rule: lineField('Rule', 100, { requiredText: 'Write the rule.' }),
    why: lineField('Why', 300),
  }),
  spots: listField('Inside the game', 'location', 12, {
    name: lineField('Name', 60, { requiredText: 'Name the location.' }),
    to: linkField('Link'),
    line: lineField('What it is', 200),
  }),
} as const

const POLICY = {
  about: lineField('About', 200, { hint: 'below the heading, and for search engines' }),
  since: lineField('In force since', 40, { hint: 'empty: the day on which you publish' }),
  in_short: linesField('In short', 10, 300),
  sections: listField('Sections', 'section', 40, { title, id: anchorField, text: htmlField('Text') }),
} as const

const CREDITS = { ...headFields, own: htmlField('What you made yourselves') } as const

const lineFields = { line: lineField('Line', 160) } as const

const FRAME = {
  steps: eachField(
    'First time here?',
    { download: 'Download the game', register: 'Sign up', class: 'Pick a class' },
    lineFields,
  ),
  download: lineField('Below ‘Download’', 60),
  instructions: lineField('Below ‘Instructions’', 60),
  redeem: lineField('Below ‘Redeem a code’', 60),
  social_title: lineField('Name of your social page on the home page', 60),
  social_line: lineField('About your social page on the home page', 60),
  capsules: lineField('Below ‘Capsule shop’', 60),
  // The answer to 'How do I get Milleage?' (SHOP-9).
  milleage: lineField('How Milleage is earned', 300, { hint: 'in the shop, and where a player has too little of it' }),
  heads: eachField(
    'Lines below the headings of other pages',
    { shop: 'Item Shop', capsules: 'Capsule Shop', gallery: 'Gallery', wallpaper: 'Wallpaper', movies: 'Movie' },
    lineFields,
  ),
  stops: eachField(
    'Lines in the footer',
    {
      home: 'Home',
      news: 'News',
      guide: 'Game Guides',
      shop: 'Item Shop',
      recharge: 'Recharge',
      forum: 'Forum',
      download: 'Download',
      support: 'Support',
    },
    lineFields,
  ),
} as const

type DocumentDeclaration = {
  title: string
  path: string | null
  isLinkedAlways?: true
  /** The points that authors check before the first publication (PAGE-8). */
  checks?: readonly string[]
  fields: DocumentFields
}

/** The checks of all three policies. */
const POLICY_CHECKS = [
  'The settings have the name of the operator and an email address that players can write to.',
  'The law of your country agrees with it. Have a lawyer read it.',
] as const

const OPERATION_CHECKS = [
  'How many accounts a person may have, and how many players may share a connection.',
  'Each sanction, and how long players may appeal.',
  ...POLICY_CHECKS,
] as const

const PRIVACY_CHECKS = [
  'Which law and which authority protect your players’ data, and in which country your machines are.',
  'Who else handles the data: your host, your mail service, your store of backups.',
  'How long you keep backups.',
  ...POLICY_CHECKS,
] as const

const CASH_CHECKS = [
  'How players get R-Coin and Milleage, and where your codes come from.',
  'In which cases you refund, and within how many days.',
  'What happens to balances when an account is blocked or removed, or when the server closes.',
  ...POLICY_CHECKS,
] as const

/**
 * The documents of the fixed pages, each with the path of its page. Pages with `isLinkedAlways` are linked even before
 * their first publication.
 */
export const DOCUMENTS = {
  story: { title: 'Story', path: '/story', fields: STORY },
  classes: { title: 'Class guide', path: '/characters', fields: CLASSES },
  'first-steps': { title: 'First steps', path: '/characters', fields: FIRST_STEPS },
  instructions: { title: 'Instructions', path: '/instructions', fields: INSTRUCTIONS },
  'game-systems': { title: 'Game System', path: '/gamesystem', fields: GAME_SYSTEMS },
  'server-info': { title: 'Server Information', path: '/serverinfo', fields: SERVER_INFO },
  socials: { title: 'Socials', path: '/socials', fields: SOCIALS },
  operationpolicy: {
    title: 'Operation Policy',
    path: '/operationpolicy',
    isLinkedAlways: true,
    checks: OPERATION_CHECKS,
    fields: POLICY,
  },
  privacypolicy: {
    title: 'Privacy Policy',
    path: '/privacypolicy',
    isLinkedAlways: true,
    checks: PRIVACY_CHECKS,
    fields: POLICY,
  },
  gamecashagreement: {
    title: 'Game Cash Agreement',
    path: '/gamecashagreement',
    isLinkedAlways: true,
    checks: CASH_CHECKS,
    fields: POLICY,
  },
  credits: { title: 'Credits', path: '/credits', isLinkedAlways: true, fields: CREDITS },
  frame: { title: 'Side panel, footer and headings', path: null, fields: FRAME },
} as const satisfies Record<string, DocumentDeclaration>

/** The sections whose left menus can link a free page. */
const PAGE_MENUS = {
  news: 'News',
  guide: 'Game Guide',
  shop: 'Item Shop',
  forum: 'Forum',
  download: 'Download',
  support: 'Support',
} as const

/** A page that operators have added at `/page/{name}` (PAGE-6). */
export const FREE_PAGE = {
  title,
  menu: optionalChoiceField('In the menu of', 'no menu', PAGE_MENUS),
  lines: headFields.lines,
  description: headFields.description,
  picture: pictureField('Picture', 'page-wide'),
  text: htmlField('Text', { requiredText: 'Write the page.' }),
} as const

export type FreePage = FieldValues<typeof FREE_PAGE>

export type DocumentName = keyof typeof DOCUMENTS
export const DOCUMENT_NAMES = Object.keys(DOCUMENTS) as DocumentName[]

/** The content of a document. */
export type DocumentContent<Name extends DocumentName> = FieldValues<(typeof DOCUMENTS)[Name]['fields']>

/** The name of a document. Names of free pages begin with `page-`. */
export const documentNameSchema = z.string().regex(/^[a-z0-9-]{1,80}$/, 'There is no such page.')

/** The published content of a document, with sanitised HTML. */
export const getDocument = site.get('/document/{name}', {
  summary: 'A published document of the site; null until its first publication',
  cache: { freshMs: 60_000 },
  input: { params: z.object({ name: z.string() }) },
  errors: { documentNotFound: { status: 404, message: 'There is no such page.' } },
  output: z.object({
    document: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'Its fields, as in contract/documents.ts' }),
  }),
})
