import { DAY_MS } from '#contract/durations.ts'
import { type Endpoint, formatCallName, isStaffAccess } from '#contract/endpoint.ts'
import { CALLS } from '#server/api.ts'
import { findLedgerFault } from '#server/features/wallet/ledger.ts'
import type { Finding, Kind } from './thief-books.ts'
import { type Choices, createChoices, createInput, listFields, type WantedValues } from './thief-inputs.ts'
import { type Run, type Step, type StepResult, startRun } from './thief-run.ts'
import { HONEST_PLAYERS, type Name, RING, type ThiefRoles, type ThiefWorld } from './thief-world.ts'

const DESK_CALLS = CALLS.flatMap(({ endpoint }) => (isStaffAccess(endpoint.access) ? [endpoint] : []))
const DESK_WRITES = DESK_CALLS.filter(({ method }) => method === 'POST')
const PLAYER_CALLS = CALLS.flatMap(({ endpoint }) =>
  ['player', 'visitor', 'public'].includes(endpoint.access) && endpoint.path !== '/logout' ? [endpoint] : [],
)
const BRIDGE_CALLS = CALLS.flatMap(({ endpoint }) => (endpoint.access === 'bridge' ? [endpoint] : []))

const hasFields = (endpoint: Endpoint, ...fields: string[]) => fields.some((field) => field in listFields(endpoint))
const MONEY_FIELDS = ['amount', 'r_coin', 'milleage', 'gift', 'gift_amount', 'prizes', 'place', 'units', 'count']

/** A goal of a thief: the calls that might reach it, and values for their fields. */
type Goal = {
  weight: number
  calls: readonly Endpoint[]
  chooseValues?: (choices: Choices, run: Run) => WantedValues
  /** The possible callers; by default any member of the ring with access. */
  who?: readonly (Name | 'bridge')[]
  /** Whether the goal can be reached now; by default always. */
  isOpen?: (run: Run) => boolean
}

const lookUpNumbers = (...names: Name[]) => names.map((name) => ({ name: `number of ${name}`, nth: 0 }))
const LARGE_AMOUNTS = [99_000, 100_000, 10_000_000]

const GOALS: Record<string, Goal> = {
  'give one of us a role': {
    weight: 8,
    calls: DESK_WRITES.filter((endpoint) => hasFields(endpoint, 'role') && hasFields(endpoint, 'user_id')),
    chooseValues: ({ pick }) => ({
      user_id: ['puppet', 'thief'],
      role: [pick(['owner', 'shop', 'support', 'moderator']), { name: 'role', nth: 0 }, 'helpers'],
    }),
  },
  'make a role that can do more': {
    weight: 8,
    calls: DESK_WRITES.filter((endpoint) => hasFields(endpoint, 'permissions')),
    chooseValues: ({ pick }) => ({
      permissions: [
        ['approvals.decide'],
        [pick(DESK_CALLS).access],
        [pick(['players.recover', 'players.block', 'staff.write', 'money.adjust'])],
      ],
      role: ['helpers', { name: 'role', nth: 0 }],
      version: [null],
    }),
  },
  'pay one of us': {
    weight: 16,
    calls: DESK_WRITES.filter((endpoint) => hasFields(endpoint, ...MONEY_FIELDS)),
    chooseValues: ({ pick }) => ({
      user_id: [pick(['friend', 'puppet', 'thief'] as const)],
      player: lookUpNumbers(pick(['friend', 'puppet', 'thief', 'rich'] as const)),
      user_num: lookUpNumbers(pick(['friend', 'puppet', 'thief'] as const)),
      direction: ['give'],
      to: ['player'],
      gift: ['r_coin', 'milleage', 'item'],
      ...Object.fromEntries(
        ['amount', 'r_coin', 'milleage', 'gift_amount', 'gift_budget'].map((field) => [field, [pick(LARGE_AMOUNTS)]]),
      ),
      count: [1],
      expires: [''],
      in_total: [null],
      streamer: [''],
    }),
  },
  'raise rewards': {
    weight: 10,
    calls: DESK_WRITES.filter(({ path }) => path.startsWith('/admin/rewards/')),
  },
  'show players our address': {
    weight: 4,
    calls: DESK_WRITES.filter(({ path }) => /site\/settings|documents\/publish|banners\/save/.test(path)),
    chooseValues: () => ({ href: ['https://ring.example/client'], visible: [true] }),
  },
  'make things cheap': {
    weight: 8,
    calls: DESK_WRITES.filter(
      (endpoint) =>
        hasFields(endpoint, 'price', 'chances', 'game_product_num', 'file') || /price|csv/.test(endpoint.path),
    ),
    chooseValues: ({ pick }) => ({
      price: [pick([1, 40, 50, 10_000])],
      product_num: [
        { name: 'item', nth: 0 },
        { name: 'item', nth: 1 },
      ],
      game_product_num: [{ name: 'item', nth: 0 }, null],
      file: [{ file: 'file', price: 1 }],
      sold_from: [null],
      sold_until: [null],
      account_limit: [null],
      hidden: [false],
    }),
  },
  'reach into an account of staff': {
    weight: 14,
    calls: DESK_WRITES.filter((endpoint) => hasFields(endpoint, 'user_num')),
    chooseValues: ({ pick, chance }, { ableOwners }) => ({
      user_num: lookUpNumbers(pick(chance(0.8) ? ableOwners : ['maria', 'jose', 'anna'])),
      email: [pick(['spare@ring.example', 'other@ring.example'])],
      role: ['owner'],
    }),
  },
  'reach into a rich account': {
    weight: 5,
    calls: DESK_WRITES.filter((endpoint) => hasFields(endpoint, 'user_num')),
    chooseValues: ({ pick }) => ({
      user_num: lookUpNumbers('rich'),
      email: [pick(['spare@ring.example', 'other@ring.example'])],
    }),
  },
  'destroy what players own': {
    weight: 8,
    calls: DESK_WRITES.filter(({ irreversible }) => irreversible !== undefined),
    chooseValues: ({ pick, below }) => ({
      user_num: lookUpNumbers(pick(HONEST_PLAYERS)),
      campaign: [{ name: 'campaign', nth: below(2) }],
    }),
  },
  'let one of us in again': {
    weight: 4,
    calls: DESK_WRITES.filter((endpoint) => hasFields(endpoint, 'appeal') || endpoint.path.endsWith('/unblock')),
  },
  'let one of us decide': {
    weight: 10,
    calls: DESK_WRITES.filter((endpoint) => hasFields(endpoint, 'decision') && hasFields(endpoint, 'approval')),
  },
  'get another approver': {
    weight: 0,
    calls: DESK_WRITES.filter(
      (endpoint) =>
        hasFields(endpoint, 'permissions') || (hasFields(endpoint, 'role') && hasFields(endpoint, 'user_id')),
    ),
    chooseValues: ({ pick }) => ({
      permissions: [['approvals.decide']],
      role: [pick(['deciders', 'deciders', 'shop'])],
      user_id: ['puppet'],
      version: [null],
    }),
  },
  'use a new right': {
    weight: 0,
    calls: DESK_WRITES,
    chooseValues: ({ pick }, { ableOwners }) => ({
      user_num: lookUpNumbers(pick(ableOwners)),
      user_id: [pick(['friend', 'puppet'] as const)],
      email: [pick(['spare@ring.example', 'other@ring.example'])],
      amount: [pick(LARGE_AMOUNTS)],
      role: ['owner'],
    }),
  },
  'do what was approved': { weight: 3, calls: DESK_WRITES.filter((endpoint) => /approvals\/run/.test(endpoint.path)) },
  'use a link that was mailed': {
    weight: 6,
    calls: PLAYER_CALLS.filter((endpoint) => hasFields(endpoint, 'token') && hasFields(endpoint, 'NewUserPass')),
    chooseValues: () => ({ token: [0, 0, 1].map((nth) => ({ name: 'mailed token', nth })) }),
    who: RING,
    isOpen: (run) => run.hasSeen('mailed token'),
  },
  'log in as another person': {
    weight: 4,
    calls: PLAYER_CALLS.filter(({ path }) => path === '/processlogin'),
    chooseValues: () => ({ UserID: ['maria', 'jose', 'anna', 'rich'], UserPass: ['stolen-password'] }),
    who: RING,
    isOpen: (run) => run.hasReset,
  },
  'redeem a code': {
    weight: 5,
    calls: PLAYER_CALLS.filter((endpoint) => hasFields(endpoint, 'CouponCode')),
    chooseValues: ({ below }) => ({ CouponCode: [{ name: 'seen codes', nth: below(3) }], ReferralCode: [null] }),
    who: RING,
    isOpen: (run) => run.hasSeen('seen codes'),
  },
  'claim a gift': {
    weight: 5,
    calls: PLAYER_CALLS.filter((endpoint) => endpoint.idempotent && hasFields(endpoint, 'letter')),
    who: RING,
    isOpen: (run) => run.mayClaim,
  },
  'go shopping': {
    weight: 4,
    calls: PLAYER_CALLS.filter(
      (endpoint) => endpoint.method === 'POST' && hasFields(endpoint, 'productnum', 'capsule', 'items'),
    ),
    who: ['friend', 'friend', 'puppet', 'thief'],
  },
  'pair a bridge': {
    weight: 6,
    calls: PLAYER_CALLS.filter(({ path }) => path === '/bridge/pair'),
    who: RING,
    isOpen: (run) => run.hasSeen('seen code'),
  },
  'be a bridge': {
    weight: 6,
    calls: [
      ...BRIDGE_CALLS,
      ...BRIDGE_CALLS.filter(({ path }) => path === '/bridge/start').flatMap((one) => [one, one, one, one]),
    ],
    who: ['bridge'],
    isOpen: (run) => run.hasBridge,
  },
  'try any call of the desk': { weight: 12, calls: DESK_CALLS },
  'change anything at the desk': { weight: 16, calls: DESK_WRITES },
  'try any call of players': { weight: 3, calls: PLAYER_CALLS, who: RING },
}

/** The longest run, in the world's time. */
const RUN_MAX_MS = 21 * DAY_MS
/** The possible durations of a wait. */
const WAIT_MINUTES = [20, 20, 8 * 60, 30 * 60]
/** Makes an account or a request a day old, which some rules of the desk require. */
const WAIT_A_DAY: Step = { do: 'wait', minutes: 25 * 60 }

/** Lists the likely next steps: a waiting request of the ring, a new right, new mail. */
function listUrgentGoals(run: Run): (string | Step)[] {
  const { hasRequestedApproval, mayApprove, wasRefusedAsTooNew, isVisitDue } = run.getFlags()
  return [
    ...(wasRefusedAsTooNew && !run.hasWaited ? [WAIT_A_DAY] : []),
    ...(hasRequestedApproval ? [mayApprove ? 'let one of us decide' : 'get another approver'] : []),
    ...(run.hasNewValue('mailed token') ? ['use a link that was mailed'] : []),
    ...(run.hasReset ? ['log in as another person'] : []),
    ...(run.hasNewValue('seen codes') ? ['redeem a code'] : []),
    ...(run.hasNewValue('seen code') ? ['pair a bridge'] : []),
    ...(run.hasBridge ? ['be a bridge'] : []),
    ...(run.hasChangedRewards ? [{ do: 'wait', minutes: 30 * 60 } as const] : []),
    ...(isVisitDue ? [{ do: 'visit', who: 'jose' } as const] : []),
    ...(run.newRights.size > 0 ? ['use a new right', 'use a new right'] : []),
  ]
}

/** Chooses the next step: a goal, a call that may lead there, and its caller. */
function chooseStep(run: Run, choices: Choices): Step {
  const randomPercent = choices.below(100)
  if (randomPercent < 2) return { do: 'wait', minutes: choices.pick(WAIT_MINUTES) }
  if (randomPercent < 4) return { do: 'visit', who: choices.pick(['maria', 'jose', 'rich', 'anna']) }
  const urgentGoals = listUrgentGoals(run)
  for (let tries = 0; ; tries++) {
    const urgentGoal =
      tries < 5 && urgentGoals.length > 0 && choices.chance(0.5) ? choices.pick(urgentGoals) : undefined
    if (typeof urgentGoal === 'object') return urgentGoal
    const chosenGoal = urgentGoal === undefined ? choices.byWeight(Object.values(GOALS)) : GOALS[urgentGoal]
    if (chosenGoal === undefined || chosenGoal.isOpen?.(run) === false) continue
    const calls = chosenGoal.calls.filter(
      (endpoint) =>
        (urgentGoal !== 'use a new right' || run.newRights.has(endpoint.access)) &&
        (!isStaffAccess(endpoint.access) || run.listCallers(endpoint).length > 0),
    )
    if (calls.length === 0) continue
    const endpoint = choices.pick(calls)
    const who = choices.pick(chosenGoal.who ?? run.listCallers(endpoint))
    const wantedValues = chosenGoal.chooseValues?.(choices, run)
    return { do: 'call', who, call: formatCallName(endpoint), input: createInput(choices, endpoint, wantedValues) }
  }
}

/** A finding, and the steps that lead to it. */
export type ThiefFinding = Finding & { guise: ThiefRoles; seed: number; steps: Step[] }

type PlayOptions = {
  /** The maximum number of steps. */
  steps: number
  /** Kinds of findings that do not end the run. */
  ignore?: ReadonlySet<Kind>
  trace?: (step: Step, status: number, text: string, findings: Finding[]) => void
}

/** Plays a thief in one guise from a seed. @returns the first finding, and the number of steps */
export async function playThief(
  world: ThiefWorld,
  { guise, seed }: { guise: ThiefRoles; seed: number },
  { steps: maxSteps, ignore, trace }: PlayOptions,
) {
  const run = await startRun(world, guise)
  const choices = createChoices(seed)
  const end = run.site.clock.now().getTime() + RUN_MAX_MS
  const steps: Step[] = []
  const thiefFindings: ThiefFinding[] = []
  while (steps.length < maxSteps && run.site.clock.now().getTime() < end) {
    const step = chooseStep(run, choices)
    const findings = await run.take(step)
    trace?.(step, run.lastResult.status, run.lastResult.text, findings)
    steps.push(step)
    for (const finding of findings)
      if (!ignore?.has(finding.kind)) thiefFindings.push({ ...finding, guise, seed, steps: [...steps] })
    if (thiefFindings.length > 0) break
  }
  const fault = await findLedgerFault(run.site.db)
  if (fault !== null)
    thiefFindings.push({
      kind: 'ledger',
      description: JSON.stringify(fault),
      guise,
      seed,
      steps: [...steps],
    })
  return { findings: thiefFindings, steps: steps.length }
}

/** Returns how many steps, from the first, lead to a finding of a kind; undefined if they do not. */
async function countStepsTo(
  world: ThiefWorld,
  guise: ThiefRoles,
  steps: readonly Step[],
  kind: Kind,
): Promise<number | undefined> {
  const run = await startRun(world, guise)
  for (const [index, step] of steps.entries()) {
    const findings = await run.take(step)
    if (findings.some((one) => one.kind === kind)) return index + 1
  }
  return undefined
}

/**
 * Removes steps as long as the rest still leads to the finding: first halves of the steps, then quarters, and at last
 * single steps, each time from the end. @returns the remaining steps
 */
export async function shortenSteps(
  world: ThiefWorld,
  { guise, steps, kind }: Pick<ThiefFinding, 'guise' | 'steps' | 'kind'>,
): Promise<Step[]> {
  let remainingSteps = steps
  for (let size = Math.ceil(remainingSteps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (
      let from = Math.max(0, remainingSteps.length - 1 - size);
      from >= 0 && remainingSteps.length > 1;
      from -= size
    ) {
      const shorterSteps = remainingSteps.filter((_, index) => index < from || index >= from + size)
      const neededSteps = await countStepsTo(world, guise, shorterSteps, kind)
      if (neededSteps !== undefined) remainingSteps = shorterSteps.slice(0, neededSteps)
      from = Math.min(from, remainingSteps.length)
      if (from === 0) break
    }
  }
  return remainingSteps
}

/** Formats a finding for people, with the values that replay it. */
export function describeFinding({ kind, description, guise, seed }: ThiefFinding, steps: readonly Step[]): string {
  const lines = steps.map((step, index) => {
    const line =
      step.do === 'call'
        ? `${step.who}: ${step.call} ${JSON.stringify(step.input)}`
        : step.do === 'wait'
          ? `wait ${step.minutes} minutes`
          : `${step.who} logs in and reads mail`
    return `  ${index + 1}. ${line}`
  })
  return [`${kind}: ${description}`, `as ${guise.join(' + ')}, seed ${seed}:`, ...lines].join('\n')
}

/** Returns whether a call failed before its own rules: without an input, with one that its schema refuses, or with a crash. */
const isUnanswered = ({ errors = {} }: Endpoint, { status, text }: StepResult) =>
  status === 0 || status >= 500 || (status === 422 && !Object.values(errors).some((one) => text.includes(one.message)))

/**
 * Makes every call of the desk as an owner until it accepts an input. @returns the calls that never did, with the last
 * refusal
 */
export async function findUnansweredCalls(
  world: ThiefWorld,
  { seed, tries }: { seed: number; tries: number },
): Promise<string[]> {
  const run = await startRun(world, ['owner'])
  const choices = createChoices(seed)
  const unansweredCalls = new Map<Endpoint, string>(DESK_CALLS.map((endpoint) => [endpoint, 'never tried']))
  for (let round = 0; round < tries; round++)
    for (const endpoint of [...unansweredCalls.keys()]) {
      const step: Step = {
        do: 'call',
        who: 'thief',
        call: formatCallName(endpoint),
        input: createInput(choices, endpoint),
      }
      const result = await run.takeStep(step)
      if (isUnanswered(endpoint, result))
        unansweredCalls.set(endpoint, `${result.status} ${result.text} ${JSON.stringify(step.input)}`)
      else unansweredCalls.delete(endpoint)
    }
  return [...unansweredCalls].map(([endpoint, reason]) => `${formatCallName(endpoint)}: ${reason}`)
}
