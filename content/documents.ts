/**
 * The default texts of the site's documents: those of the demo world, and neutral drafts for other sites. The site
 * writes them into an empty database; operators then change them at the desk.
 */
import { z } from 'zod'
import { checkValues, createEmptyValues, type DocumentValues } from '#contract/document-fields.ts'
import {
  CHAT_LINES,
  DOCUMENT_NAMES,
  DOCUMENTS,
  type DocumentContent,
  type DocumentName,
  GUIDE_CLASSES,
  INTERFACE_PARTS,
  type InterfacePartKey,
} from '#contract/documents.ts'
import { content, headedSections, html, lines, links, list, openFolder, tableRows, wholeNumber } from './files.ts'
import { fillValues } from './values.ts'

type Documents = { [Name in DocumentName]: DocumentContent<Name> }

const listKeys = <Key extends string>(record: Readonly<Record<Key, string>>) => Object.keys(record) as Key[]
const school = z
  .literal(['0', '1', '2'])
  .optional()
  .transform((code) => code ?? '')
const optional = z
  .string()
  .optional()
  .transform((text) => text ?? '')
/** Lines separated by ` | `. */
const headLines = z.string().transform((text) => text.split(' | ').map((line) => ({ line })))

const pageHeads = new Map(
  content
    .readTable('heads.csv', z.strictObject({ name: z.string(), lines: headLines, description: z.string() }))
    .map(({ name, ...head }) => [name, head]),
)

function readHead(name: DocumentName) {
  const head = pageHeads.get(name)
  if (head === undefined) throw new Error(`heads.csv has no line for ${name}.`)
  return head
}

const storyChapter = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    school,
    scene: z.string(),
    quote: optional,
    quoted: optional,
    body: html,
  })
  .transform(({ scene, body, ...chapter }) => ({ ...chapter, picture: `/art/story-${scene}.svg`, text: body }))

const storyPlace = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    label: optional,
    school,
    at_x: wholeNumber,
    at_y: wholeNumber,
    name_x: wholeNumber,
    name_y: wholeNumber,
    line: z.string(),
  })
  .transform(({ at_x, at_y, name_x, name_y, ...place }) => ({
    ...place,
    at: { x: at_x, y: at_y },
    name_at: { x: name_x, y: name_y },
  }))

const readStory = (): Documents['story'] => ({
  ...readHead('story'),
  share: '/art/news-07-share.jpg',
  chapters: content.readTexts('story/*.md', storyChapter),
  map_line: 'The hill, the river and the road around them.',
  map_picture: '/art/world-map.svg',
  map_name: 'World map of the campus',
  map_description:
    'Three schools on a hill around one rooftop: Mystic Peak in the back, Sacred Gate at the left, Phoenix at the right. The Sky Bridge joins two of them, the river Tahimik runs below, and route 26 circles it all.',
  places: content.readTable('story/places.csv', storyPlace),
})

const trait = z.string().transform((text) => Number(text.slice(-1)))
const traits = list
  .pipe(z.tuple([trait, trait, trait, trait, trait, trait]))
  .transform(([damage, toughness, speed, reach, support, easy]) => ({ damage, toughness, speed, reach, support, easy }))
const skillRow = z.tuple([z.enum(['F1', 'F2', 'F3', 'F4', 'Always']), z.string(), z.string()])

/** The body of a class: its story, strengths, weaknesses, skills, and a tip. */
const classBody = z.string().transform((text) => {
  const [introduction = '', ...sectionTexts] = text.split(/\n\n(?=## )/)
  const sections = new Map(
    headedSections.parse(sectionTexts.join('\n\n')).map(({ title, text: content }) => [title, content]),
  )
  return {
    text: html.parse(introduction),
    strengths: lines.parse(sections.get('Strengths')),
    weaknesses: lines.parse(sections.get('Weaknesses')),
    skills: tableRows.parse(sections.get('Skills')).map((row) => {
      const [key, name, line] = skillRow.parse(row)
      return { key, name, line }
    }),
    tip: html.parse(sections.get('Tip')),
  }
})

const classText = z
  .strictObject({
    key: z.enum(listKeys(GUIDE_CLASSES)),
    role: z.string(),
    weapon: z.string(),
    stats: list.pipe(z.tuple([z.string(), z.string()])),
    traits,
    tint: z.string(),
    picture: z.string(),
    body: classBody,
  })
  .transform(({ key, stats: [first_stat, second_stat], traits: scores, picture, body, ...text }) => ({
    key,
    text: {
      ...text,
      ...scores,
      ...body,
      first_stat,
      second_stat,
      picture: `/art/class-${key}.svg`,
      picture_text: picture,
    },
  }))

const readClasses = (): Documents['classes'] => ({
  ...readHead('classes'),
  eighth_name: 'Conductor',
  classes: Object.fromEntries(
    content.readTexts('classes/*.md', classText).map(({ key, text }) => [key, text]),
  ) as Documents['classes']['classes'],
})

const guideClass = z.enum(listKeys(GUIDE_CLASSES))
const wish = z
  .strictObject({ wish: z.string(), keys: list.pipe(z.tuple([guideClass, guideClass])) })
  .transform(({ keys: [firstKey, secondKey], ...row }) => ({ ...row, first: firstKey, second: secondKey }))

/** A step: a paragraph and a list of links. */
const step = z.strictObject({ title: z.string(), id: z.literal(''), text: z.string() }).transform(({ title, text }) => {
  const [content = '', listText = ''] = text.split(/\n\n(?=- )/)
  return { title, text: html.parse(content), links: links.parse(listText) }
})

const readFirstSteps = (): Documents['first-steps'] => ({
  steps: content
    .readTexts('first-steps/steps.md', z.strictObject({ body: headedSections.pipe(z.array(step)) }))
    .flatMap(({ body }) => body),
  wishes: content.readTable('first-steps/wishes.csv', wish),
})

/** The text of a region. A table at its start names the letters on the enlarged drawing, by their coordinates in it. */
const partText = z
  .strictObject({ key: z.enum(listKeys(INTERFACE_PARTS)), line: z.string(), body: z.string() })
  .transform(({ key, line, body }) => {
    const [, table = '', text = body] = /^(\| At .*?\n)\n(.*)$/s.exec(`${body}\n\n`) ?? []
    const legend = tableRows.parse(table).map(([at = '', name = '', content = '']) => {
      const [x = 0, y = 0] = at.split(', ').map(Number)
      return { at: { x, y }, name, text: content }
    })
    return [key, { line, legend, text: html.parse(text.trim()) }] as const
  })

const chapter = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    facts: z.string().transform((facts) =>
      facts.split(' | ').map((fact) => {
        const [, name = fact, value = ''] = /^(.*?): (.*)$/.exec(fact) ?? []
        return { name, value }
      }),
    ),
    links: links.optional().transform((linkList) => linkList ?? []),
    body: html,
  })
  .transform(({ body, ...text }) => ({ ...text, text: body }))

const controlGroup = z
  .strictObject({ title: z.string(), id: z.literal(''), text: tableRows })
  .transform(({ title, text }) => ({
    title,
    controls: text.map(([actionName = '', a = '', b = '']) => ({ action: actionName, a, b })),
  }))

const readControls = (file: string) =>
  content
    .readTexts(file, z.strictObject({ body: headedSections.pipe(z.array(controlGroup)) }))
    .flatMap(({ body }) => body)

const readInstructions = (): Documents['instructions'] => ({
  ...readHead('instructions'),
  picture_text:
    'The game’s screen: a school yard at night, an archer and her healer before two hallway ghosts, all windows of the interface around them, keyboard and mouse on the desk below.',
  hero: 'JuanTamad',
  healer: 'AlbularyoJuan',
  enemy: 'Hallway ghost',
  chat: Object.fromEntries(
    content
      .readTable('instructions/chat.csv', z.strictObject({ channel: z.enum(listKeys(CHAT_LINES)), text: z.string() }))
      .map(({ channel, text }) => [channel, { text }]),
  ) as Documents['instructions']['chat'],
  parts: Object.fromEntries(content.readTexts('instructions/parts/*.md', partText)) as Record<
    InterfacePartKey,
    z.output<typeof partText>[1]
  >,
  chapters: content.readTexts('instructions/chapters/*.md', chapter),
  keys: readControls('instructions/keys.md'),
  mouse: readControls('instructions/mouse.md'),
})

/** The drawings of the game's systems. */
const figureRow = z.strictObject({
  figure: z.string(),
  name: z.string(),
  value: optional,
  second: optional,
  text: optional,
})
const figureRows = content.readTable('game-systems.csv', figureRow)

const section = z
  .strictObject({ id: z.string(), title: z.string(), text: z.string() })
  .transform(({ text, ...named }) => {
    const [leadText = '', ...paragraphs] = text.split('\n\n')
    const [, before = '', figureName = '', after = ''] =
      /^(.*?)!\[([\w-]+)\]\(\)(.*)$/s.exec(paragraphs.join('\n\n')) ?? []
    const rows = figureRows.flatMap(({ figure: rowFigure, ...row }) => (rowFigure === figureName ? row : []))
    return { ...named, lead: leadText, text: html.parse(before), figure: figureName, rows, more: html.parse(after) }
  })

const readGameSystems = () => ({
  ...readHead('game-systems'),
  sections: content
    .readTexts('game-systems.md', z.strictObject({ body: headedSections.pipe(z.array(section)) }))
    .flatMap(({ body }) => body),
})

const readServerInfo = (): Documents['server-info'] => ({
  ...readHead('server-info'),
  ...JSON.parse(content.readText('server-info.json')),
})

const readSocials = (): Documents['socials'] => ({
  ...readHead('socials'),
  picture: '/art/story-shed.svg',
  page_title: 'Join the barkada',
  page_line: 'Our page: server talk, events, patch nights',
  agent_line: 'Our messenger: a person, during waking hours',
  feed_line: 'Every notice in your feed reader, without an account anywhere. The address is /feed.xml on this site.',
  ticket_line: 'For anything that should not be said in public: your account, a payment, someone who will not stop.',
  rules: content.readTable('socials/house-rules.csv', z.strictObject({ rule: z.string(), why: z.string() })),
  spots: content.readTable(
    'socials/places.csv',
    z.strictObject({ name: z.string(), to: z.string(), line: z.string() }),
  ),
})

const policyText = z
  .strictObject({ path: z.string(), about: z.string(), since: optional, body: headedSections })
  .transform(({ path, body: [summary, ...sections], ...policy }) => ({
    name: path.slice(1),
    policy: {
      ...policy,
      in_short: lines.parse(summary?.text),
      sections: sections.map(({ title, id, text }) => ({ title, id, text: html.parse(text) })),
    },
  }))

/** A blank in a policy's draft and the demo world's value for it, such as `[… number of | 15] days`. */
const BLANK_WITH_ANSWER = /\[… ([^|\]]+) \| ([^\]]+)\]/g

/**
 * Reads the three policies. A draft describes what the software does and has blanks for the operators' decisions; the
 * privacy policy is the same for all sites.
 */
const readPolicies = ({ demo }: { demo: boolean }) => {
  const folder = openFolder(import.meta.dirname, (text) =>
    fillValues(text).replace(BLANK_WITH_ANSWER, (_, blankText: string, answer: string) =>
      demo ? answer : `[… ${blankText}]`,
    ),
  )
  const texts = demo
    ? folder.readTexts('policies/*.md', policyText)
    : [
        ...folder.readTexts('policies/2-privacy-policy.md', policyText),
        ...folder.readTexts('policy-drafts/*.md', policyText),
      ]
  // A draft gets its date when it is published.
  const policies = texts.map(({ name, policy }) => [name, demo ? policy : { ...policy, since: '' }])
  return Object.fromEntries(policies) as Pick<Documents, 'operationpolicy' | 'privacypolicy' | 'gamecashagreement'>
}

/** Reads a JSON file of short texts. Missing values become blank. */
const readJson = (file: string) =>
  z.record(z.string(), z.record(z.string(), z.unknown())).parse(JSON.parse(content.readText(file)))

const readDemoDefaults = () => {
  const { credits, frame } = readJson('demo.json')
  return {
    story: readStory(),
    classes: readClasses(),
    'first-steps': readFirstSteps(),
    instructions: readInstructions(),
    'game-systems': readGameSystems(),
    'server-info': readServerInfo(),
    socials: readSocials(),
    ...readPolicies({ demo: true }),
    credits: { ...readHead('credits'), ...credits },
    frame,
  }
}

/**
 * Returns the default of every document: the demo world's, or a neutral draft.
 *
 * @throws when a text does not fit its document
 */
export function readDefaults({ demo }: { demo: boolean }): Record<DocumentName, DocumentValues> {
  const operatorDocuments: Record<string, unknown> = demo
    ? readDemoDefaults()
    : { ...readJson('neutral.json'), ...readPolicies({ demo: false }) }
  const entries = DOCUMENT_NAMES.map((name) => {
    const { fields } = DOCUMENTS[name]
    const values = { ...createEmptyValues(fields), ...(operatorDocuments[name] as DocumentValues | undefined) }
    const [firstProblem] = checkValues(fields, values, '', demo)
    if (firstProblem !== undefined) throw new Error(`${name}: ${firstProblem.join(': ')}`)
    return [name, values]
  })
  return Object.fromEntries(entries)
}
