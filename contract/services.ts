import { z } from 'zod'
import { declareCalls } from './endpoint.ts'
import { findClassByCode, findSchool, formatClass, SCHOOLS } from './game.ts'
import { wholeNumberParam } from './paging.ts'
import { offsetMoment } from './scalars.ts'

const cart = declareCalls('cart', 'player')

/**
 * The services: changes of a character on sale, the player's input for each (SERVICE-1), and further search keywords
 * (SERVICE-10).
 */
export const SERVICES = {
  unstuck: { name: 'Unstuck', asks: 'nothing', isReversible: false, keywords: 'stuck free my character' },
  stats: { name: 'Reset stats', asks: 'nothing', isReversible: true, keywords: 'reset of stat points' },
  school: { name: 'Change school', asks: 'school', isReversible: true, keywords: 'change of school transfer' },
  name: { name: 'Change name', asks: 'name', isReversible: true, keywords: 'change of name rename nickname' },
  gender: { name: 'Change gender', asks: 'nothing', isReversible: true, keywords: 'change of gender sex' },
} as const

export type ServiceName = keyof typeof SERVICES
/** The only service that may cost nothing (SERVICE-9). */
export const FREE_SERVICE = 'unstuck' satisfies ServiceName

/** Returns the plain description of a built-in service; undefined for an item or a custom service. */
export const findServiceName = (service: string | null | undefined): string | undefined =>
  service != null && Object.hasOwn(SERVICES, service) ? SERVICES[service as ServiceName].name : undefined

/**
 * Formats the name of a service or item in a text: 'Unstuck (Rescue by the night guard)', or only the operators' name.
 */
export function formatItemName(itemName: string, service: string | null | undefined): string {
  const serviceName = findServiceName(service)
  return serviceName === undefined || serviceName.toLowerCase() === itemName.toLowerCase()
    ? itemName
    : `${serviceName} (${itemName})`
}

/** Returns the services whose name or keywords contain a query in lower case. */
export const findServices = (query: string): string[] =>
  Object.entries(SERVICES)
    .filter(([, { name, keywords }]) => [name.toLowerCase(), keywords].some((text) => text.includes(query)))
    .map(([service]) => service)

export const isCustomService = (service: string): boolean => !Object.hasOwn(SERVICES, service)

/** The kinds of a player's input: none, a school, a name, or one of the operator's options. */
export const SERVICE_QUESTIONS = ['nothing', 'school', 'name', 'choice'] as const
export type ServiceQuestion = (typeof SERVICE_QUESTIONS)[number]

export const findServiceQuestion = (service: string, choices: readonly string[]): ServiceQuestion =>
  Object.hasOwn(SERVICES, service) ? SERVICES[service as ServiceName].asks : choices.length > 0 ? 'choice' : 'nothing'

/** The maximum length of a choice, in characters. */
export const CHOICE_MAX = 60

/**
 * The reasons why a service cannot be bought for a character. The rule of a name is the same as `service_problem` in
 * the database.
 */
const SERVICE_PROBLEMS = {
  needsCharacter: 'Choose the character that this is for.',
  notService: 'You can buy only a service for a character. This is an item.',
  oneService: 'You can buy only one service at a time.',
  characterNotFound: 'You have no such character.',
  wrongClass: 'This is not for the class of this character.',
  wrongSchool: 'This is not for the school of this character.',
  busy: 'This character still waits for a service. Try again when it is done.',
  tooSoon: 'This character has used this service too recently.',
  clubWar: 'You cannot buy this from 10 minutes before a club war until its end.',
  badName: 'A name has 2 to 16 letters and digits, without spaces.',
  nameTaken: 'This name is taken, or was given up less than 30 days ago. Choose another one.',
  badChoice: 'Choose one of the offered values.',
  sameChoice: 'The character has this already. Choose something else.',
} as const
export type ServiceProblem = keyof typeof SERVICE_PROBLEMS

/** The refusals of a purchase of a service. */
export const serviceRefusals = Object.fromEntries(
  Object.entries(SERVICE_PROBLEMS).map(([code, message]) => [code, { status: 422, message }]),
) as { [Code in ServiceProblem]: { status: 422; message: string } }

export const SERVICE_TEXTS = {
  /** For calls that accept only items. */
  notHere: 'A service is bought for one of your characters, one at a time, so it can’t be put here.',
  /** The subject of the letter to a player whose character was online. */
  logOutSubject: 'Log out of the game for your service',
  charactersEmpty: 'You have no characters yet',
  charactersEmptyLine: 'Create one in the game first. It is listed here within a few minutes.',
  needsChoice: 'Choose what the character gets.',
  about: 'For one of your characters. We change it while it is logged out of the game.',
  notAGift: 'A service can’t be a gift.',
  waits: 'Log it out of the game. We can only change it while it is offline.',
  confirmBuy: 'Are you sure you want to buy this service?',
  bought: 'Thank you! We change your character while it is logged out of the game.',
  stateNames: {
    waiting: 'Waiting',
    done: 'Done',
    refunded: 'Refunded',
    refused: 'Not possible',
  },
} as const

/** The states of an order for a service (BUY-6). */
export const SERVICE_STATES = ['waiting', 'done', 'refunded'] as const
/** The states of an order, including a refused undo. */
export const SERVICE_ORDER_STATES = [...SERVICE_STATES, 'refused'] as const
export type ServiceOrderState = (typeof SERVICE_ORDER_STATES)[number]

/** Columns of the game with their values. */
export const gameValuesSchema = z.record(z.string(), z.union([z.string(), z.number(), z.null()]))
export type GameValues = z.infer<typeof gameValuesSchema>

/** The reasons for a service's refund, or a refused undo. */
export const SERVICE_REASONS = {
  desk: 'The team has refunded it.',
  timeout: 'The character was not logged out of the game in time.',
  gone: 'The game no longer has this character.',
  'not-yours': 'The character belongs to another account of the game.',
  changed: 'The character has changed since.',
  'name-taken': 'The game already has a character with this name.',
  'bad-name': 'The game does not accept this name.',
  back: 'The game restored the old values twice.',
  unknown: 'The server does not offer this service.',
  unfit: 'The server’s settings do not allow it for this character.',
  database: 'The game’s database refused it.',
  lost: 'It was lost when the game’s database was restored.',
} as const
export type ServiceReason = keyof typeof SERVICE_REASONS

type Character = { ChaName: string; ChaClass: string; ChaSchool: number }

const formatSchoolName = (code: string | number) => findSchool(Number(code))?.name ?? `School ${code}`
const formatClassName = (code: string) => {
  const name = findClassByCode(code)
  return name === undefined ? `Class ${code}` : formatClass(name)
}

/** Describes the state of a character before and after a service, for its player. */
export function describeService(
  service: string,
  { ChaName, ChaClass, ChaSchool }: Character,
  choice: string,
): { before: string; after: string } {
  switch (service) {
    case 'name':
      return { before: ChaName, after: choice }
    case 'school':
      return { before: formatSchoolName(ChaSchool), after: formatSchoolName(choice) }
    case 'gender':
      return { before: formatClassName(ChaClass), after: `${formatClassName(ChaClass)} of the other gender` }
    case 'stats':
      return { before: 'Stat points as you have spent them', after: 'All stat points free to spend again' }
    case 'unstuck':
      return { before: 'Where the character is now', after: `The start of ${formatSchoolName(ChaSchool)}` }
    default:
      return { before: ChaName, after: choice === '' ? `${ChaName}, with this service done` : choice }
  }
}

const characterSchema = z.object({
  ChaNum: z.int(),
  ChaName: z.string(),
  ChaLevel: z.int(),
  ChaClass: z.string(),
  ChaSchool: z.int(),
  problem: z
    .string()
    .nullable()
    .meta({ description: 'Why this character cannot have the service with any choice; else null' }),
})

const itemNotFound = { status: 404, message: 'There is no such service in the shop.' } as const
const productnum = wholeNumberParam('The item number')
/** The number of the character that gets a service. */
export const characterNumber = z
  .string('The character must be a whole number.')
  .regex(/^\d{1,15}$/, 'The character must be a whole number.')
  .transform(Number)
export const choiceText = z
  .string('The choice must be text.')
  .max(CHOICE_MAX, 'The choice is too long.')
  .regex(/^\P{Cc}*$/u, 'The choice must be plain text.')

export const getService = cart.get('/service/{productnum}', {
  summary: 'The choices of a service, and the caller’s characters with their obstacles',
  input: { params: z.object({ productnum }) },
  output: z.object({
    ProductNum: z.int(),
    service: z.string(),
    asks: z.enum(SERVICE_QUESTIONS),
    choices: z.array(z.object({ value: z.string(), label: z.string() })),
    price: z.int(),
    section: z.int(),
    pause_hours: z
      .int()
      .meta({ description: 'The hours until the same character can use the service again; 0 for no pause' }),
    wait_hours: z
      .int()
      .meta({ description: 'The hours after which the service is refunded if the character stays online' }),
    characters: z.array(characterSchema),
  }),
  errors: { itemNotFound },
})

export const checkService = cart.get('/service/{productnum}/check', {
  summary: 'The effect that a service would have on a character. The refusals are the same as for the purchase',
  input: {
    params: z.object({ productnum }),
    query: z.object({ character: characterNumber, choice: choiceText.default('') }),
  },
  output: z.object({ price: z.int(), section: z.int(), before: z.string(), after: z.string() }),
  errors: { itemNotFound, ...serviceRefusals },
})

/** The state of a bought service in the purchase history. */
export const serviceProgress = z.object({
  service: z.string(),
  state: z.enum(SERVICE_STATES),
  character: z.string(),
  choice: z.string(),
  before: z.string(),
  after: z.string(),
  note: z.string().meta({ description: 'What the player has to do, or why it was refunded; else empty' }),
  since: offsetMoment,
})

const SCHOOL_CHOICES = SCHOOLS.map(({ code, name }) => ({ value: String(code), label: name }))

/** Returns the choices of a service that its item allows. */
export function listServiceChoices(
  service: string,
  allowedChoices: readonly string[],
): { value: string; label: string }[] {
  if (service === 'school')
    return SCHOOL_CHOICES.filter(({ value }) => allowedChoices.length === 0 || allowedChoices.includes(value))
  return isCustomService(service) ? allowedChoices.map((value) => ({ value, label: value })) : []
}
