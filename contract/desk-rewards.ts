import { z } from 'zod'
import * as f from 'zod/mini'
import { describeFields } from './describe-fields.ts'
import { declareDeskCalls } from './desk.ts'
import { conflict, messageSchema } from './errors.ts'
import { lineField, recordIdField, wholeField } from './fields.ts'
import { REWARD_SOURCES } from './rewards.ts'
import { count, id } from './scalars.ts'
import { ACCOUNT_PLACEHOLDER, VOTE_LIST_NAMES, VOTE_LISTS } from './vote-lists.ts'

const desk = declareDeskCalls('rewards', { read: 'rewards.write', notPersonal: ['currency', 'gift', 'list'] })

const BUDGET_MAX = 1_000_000_000
const OFFER_RULE =
  'Enter an amount of 1 or more for each reward, without decimals. If the reward is an item, choose the item too.'

/** The content of a reward: an amount of Milleage, or pieces of an item. */
const offerShape = {
  gift: f.enum(['milleage', 'item'], 'Choose what the reward is.'),
  amount: f.nullable(f.number(OFFER_RULE)),
  item: f.nullable(f.number(OFFER_RULE)),
}
export type OfferFields = f.infer<ReturnType<typeof createOfferForm>>
const createOfferForm = () => f.object(offerShape)

const isWholeNumber = (value: number | null, max: number) =>
  value !== null && Number.isSafeInteger(value) && value >= 1 && value <= max
const isCompleteOffer = ({ gift, amount, item }: OfferFields) =>
  gift === 'item' ? isWholeNumber(amount, 99) && isWholeNumber(item, 1e12) : isWholeNumber(amount, BUDGET_MAX)

const DAY_RULE = 'Enter a day from 1 to 31, or 0 for all other days.'
const dayRewardForm = f.object({
  day: f.int(DAY_RULE).check(f.minimum(0, DAY_RULE), f.maximum(31, DAY_RULE)),
  ...offerShape,
})
export type DayReward = f.infer<typeof dayRewardForm>

/** A row of the daily rewards. */
export const dayRewardFields = describeFields(dayRewardForm, {
  day: 'Day',
  gift: { label: 'Reward', options: { milleage: 'Milleage', item: 'An item of the shop' } },
  amount: 'How much',
  item: { label: 'Item', kind: 'item' },
})

const version = f.int('Reload the page.')
const budget = wholeField(0, BUDGET_MAX)
const BUDGET_LABEL = {
  label: 'Budget for a day',
  hint: 'in Milleage',
  help: 'The maximum total value of these rewards on one day, with items at their usual price. After that, players get none until midnight.',
} as const

export const dailyRewardsForm = f
  .object({
    version,
    budget,
    days: f.array(dayRewardForm, 'Enter the rewards.').check(f.maxLength(32, 'Use at most 32 rewards.')),
  })
  .check(
    f.refine(({ days }) => days.every(isCompleteOffer), { error: OFFER_RULE, path: ['days'] }),
    f.refine(({ days }) => new Set(days.map(({ day }) => day)).size === days.length, {
      error: 'Each day can have only one reward.',
      path: ['days'],
    }),
  )

export const dailyRewardsFields = describeFields(dailyRewardsForm, { budget: BUDGET_LABEL, days: 'Rewards' })

export const budgetForm = f.object({ version, budget })
export const budgetFields = describeFields(budgetForm, { budget: BUDGET_LABEL })

export const playtimeForm = f.object({ version, budget, milleage: f.nullable(wholeField(1, BUDGET_MAX)) })
export const playtimeFields = describeFields(playtimeForm, {
  budget: BUDGET_LABEL,
  milleage: { label: 'Milleage each time', hint: 'empty for no reward' },
})

const LINK_RULE = `Enter an address that starts with https:// and has ${ACCOUNT_PLACEHOLDER} where the list expects the account.`
const createFieldNameRule = () =>
  f
    .string('Enter the name of a field.')
    .check(
      f.trim(),
      f.maxLength(60, 'Use at most 60 characters.'),
      f.regex(/^[\w, .-]*$/, 'Use only letters, digits, spaces, periods, commas, hyphens and underscores.'),
    )

export const voteSiteForm = f
  .object({
    site: f.nullable(f.int('Reload the page.')),
    version,
    name: lineField(60, 'Enter a name.'),
    list: f.enum(VOTE_LIST_NAMES, 'Choose a list.'),
    link: f
      .string(LINK_RULE)
      .check(
        f.trim(),
        f.maxLength(300, LINK_RULE),
        f.regex(/^https:\/\/[^\s\p{Cc}]*\{account\}[^\s\p{Cc}]*$/u, LINK_RULE),
      ),
    pause_hours: wholeField(1, 168),
    gift: f.nullable(offerShape.gift),
    amount: offerShape.amount,
    item: offerShape.item,
    account_field: createFieldNameRule(),
    voted_field: createFieldNameRule(),
    voted_value: createFieldNameRule(),
    secret_field: createFieldNameRule(),
    sender: createFieldNameRule(),
    visible: f.boolean('Choose whether players see it.'),
  })
  .check(
    f.refine(({ gift, amount, item }) => gift === null || isCompleteOffer({ gift, amount, item }), {
      error: OFFER_RULE,
      path: ['amount'],
    }),
    f.refine(({ account_field }) => account_field !== '', {
      error: 'Enter the name of a field.',
      path: ['account_field'],
    }),
    f.refine(({ list, secret_field }) => VOTE_LISTS[list].check !== 'secret' || secret_field !== '', {
      error: 'Enter the name of the field that has the secret.',
      path: ['secret_field'],
    }),
    f.refine(({ list, sender }) => VOTE_LISTS[list].check !== 'sender' || sender !== '', {
      error: 'Enter the host that the calls come from.',
      path: ['sender'],
    }),
  )

export const voteSiteFields = describeFields(voteSiteForm, {
  name: 'Name',
  list: {
    label: 'List',
    options: Object.fromEntries(VOTE_LIST_NAMES.map((list) => [list, VOTE_LISTS[list].name])),
  },
  link: {
    label: 'Where players vote',
    kind: 'address',
    hint: `with ${ACCOUNT_PLACEHOLDER}`,
    help: `${ACCOUNT_PLACEHOLDER} becomes a random token that identifies the player; the list sends it back to us.`,
  },
  pause_hours: { label: 'Hours until the next vote', hint: 'the same as on the list' },
  gift: { label: 'Reward', none: 'Nothing', options: { milleage: 'Milleage', item: 'An item of the shop' } },
  amount: 'How much',
  item: { label: 'Item', kind: 'item' },
  account_field: { label: 'Field with the account', hint: 'separate several with commas' },
  voted_field: { label: 'Field with the vote’s validity', hint: 'empty: every vote is valid' },
  voted_value: 'Value of a valid vote',
  secret_field: 'Field with the secret',
  sender: { label: 'Host that the calls come from', hint: 'such as monitor.topg.org' },
  visible: 'Show it to players and accept its calls',
})

export const connectForm = f.object({
  site: recordIdField,
  secret: f
    .string('Enter the secret, or leave the field empty.')
    .check(f.trim(), f.maxLength(200, 'Use at most 200 characters.'), f.regex(/^[\x21-\x7e]*$/, 'Use no spaces.')),
})

export const connectFields = describeFields(connectForm, {
  secret: {
    label: 'The secret that the list gave you',
    hint: 'empty: we make one',
    help: 'A new address and this secret replace the earlier ones at once. They are shown only once.',
  },
})

export const friendRewardForm = f
  .object({ version, budget, gift: f.nullable(offerShape.gift), amount: offerShape.amount, item: offerShape.item })
  .check(
    f.refine(({ gift, amount, item }) => gift === null || isCompleteOffer({ gift, amount, item }), {
      error: OFFER_RULE,
      path: ['amount'],
    }),
  )

export const friendRewardFields = describeFields(friendRewardForm, {
  budget: BUDGET_LABEL,
  gift: {
    label: 'Reward for each of the two players',
    none: 'Nothing',
    options: { milleage: 'Milleage', item: 'An item of the shop' },
  },
  amount: 'How much',
  item: { label: 'Item', kind: 'item' },
})

const STARTER_RULE = 'Choose a different item in each row, with a quantity from 1 to 99.'
const starterItemForm = f.object({
  item: f.nullable(f.int(STARTER_RULE)),
  quantity: f.nullable(f.int(STARTER_RULE)),
})
export type StarterItem = f.infer<typeof starterItemForm>

/** A row of the starter items. */
export const starterItemFields = describeFields(starterItemForm, {
  item: { label: 'Item', kind: 'item' },
  quantity: 'How many',
})

export const starterForm = f
  .object({
    version,
    budget,
    gives: f.array(starterItemForm, 'Enter the items.').check(f.maxLength(10, 'Use at most 10 items.')),
  })
  .check(
    f.refine(
      ({ gives }) => gives.every(({ item, quantity }) => isWholeNumber(item, 1e12) && isWholeNumber(quantity, 99)),
      {
        error: STARTER_RULE,
        path: ['gives'],
      },
    ),
    f.refine(({ gives }) => new Set(gives.map(({ item }) => item)).size === gives.length, {
      error: STARTER_RULE,
      path: ['gives'],
    }),
  )

export const starterFields = describeFields(starterForm, { budget: BUDGET_LABEL, gives: 'Items' })

const itemNotFound = (field: string) => ({ status: 422, message: 'There is no item with this number.', field }) as const

const sourceFields = {
  version: count,
  budget: count,
  spent: count.meta({ description: 'The value of the rewards given today' }),
  approval: z.object({
    pays: count.meta({ description: 'The maximum that it can pay in 24 hours' }),
    raised_by: z
      .array(z.string())
      .meta({ description: 'The operators who have raised it since an owner last approved it' }),
    charged_to: z.string().nullable().meta({ description: 'The operator against whose daily limit it counts' }),
    approved_by: z.string().nullable().meta({ description: 'The owner who approved its current state' }),
    content_hash: z.string().meta({ description: 'The hash of the state that an owner approves' }),
    why_not: z.string().nullable().meta({ description: 'Why the caller cannot approve it' }),
  }),
}

const changedSince = {
  status: 409,
  message: 'This source of rewards has changed. Reload it, then approve what you see.',
} as const

export const approveRewards = desk.write('/admin/rewards/approve', {
  title: 'Approve reward source',
  summary:
    'Approve the current state of a source of rewards. If one owner raised it alone, another owner has to approve it',
  access: 'approvals.decide',
  sudo: true,
  input: {
    body: z.object({
      source: z.enum(REWARD_SOURCES, 'Choose a source.'),
      content_hash: z.string('Reload the source.').regex(/^[0-9a-f]{64}$/, 'Reload the source.'),
    }),
  },
  errors: { changedSince },
})

export const getDeskDaily = desk.read('/admin/rewards/daily', {
  summary: 'The daily rewards and their budget',
  output: z.object({
    ...sourceFields,
    days: z.array(
      z.object({ day: count, gift: z.enum(['milleage', 'item']), amount: count.nullable(), item: count.nullable() }),
    ),
  }),
})

export const saveDaily = desk.write('/admin/rewards/daily/save', {
  title: 'Save daily rewards',
  summary: 'Set the daily rewards and their budget',
  approvable: true,
  sudo: true,
  fields: dailyRewardsForm,
  output: messageSchema.extend({ version: count }),
  errors: { conflict, itemNotFound: itemNotFound('days') },
})

const siteNotFound = { status: 404, message: 'There is no such site to vote on.' } as const

export const getDeskVotes = desk.read('/admin/rewards/votes', {
  summary: 'The sites to vote on, with their votes of the last 30 days, and the budget of votes',
  output: z.object({
    ...sourceFields,
    sites: z.array(
      z.object({
        site: id,
        version: count,
        name: z.string(),
        list: z.enum(VOTE_LIST_NAMES),
        link: z.string(),
        pause_hours: count,
        gift: z.enum(['milleage', 'item']).nullable(),
        amount: count.nullable(),
        item: count.nullable(),
        account_field: z.string(),
        voted_field: z.string(),
        voted_value: z.string(),
        secret_field: z.string(),
        sender: z.string(),
        visible: z.boolean(),
        connected: z.boolean().meta({ description: 'Whether it has an address, and the secret that it needs' }),
        connected_by: z.string().nullable(),
        rewarded_by: z.string().nullable().meta({ description: 'Who raised its reward last' }),
        votes: count,
      }),
    ),
  }),
})

export const saveVoteBudget = desk.write('/admin/rewards/votes/budget', {
  title: 'Change vote budget',
  summary: 'Set the budget of votes',
  approvable: true,
  sudo: true,
  fields: budgetForm,
  output: messageSchema.extend({ version: count }),
  errors: { conflict },
})

export const saveVoteSite = desk.write('/admin/rewards/votes/save', {
  title: 'Save vote site',
  summary: 'Add or change a site to vote on',
  approvable: true,
  sudo: true,
  fields: voteSiteForm,
  output: messageSchema.extend({ site: id, version: count }),
  errors: { siteNotFound, conflict, itemNotFound: itemNotFound('item') },
})

export const connectVoteSite = desk.write('/admin/rewards/votes/connect', {
  title: 'Connect vote site',
  summary:
    'Create a new address, and store or create a secret, for the calls of a site to vote on. The address and a created secret are shown only once',
  access: 'votes.connect',
  approvable: true,
  sudo: true,
  idempotent: { shownOnce: 'site' },
  fields: connectForm,
  output: messageSchema.extend({
    site: id,
    address: z.string(),
    secret: z.string().nullable().meta({ description: 'Null if the list sends no secret, or if you entered it' }),
  }),
  errors: { siteNotFound },
})

export const getDeskFriend = desk.read('/admin/rewards/friends', {
  summary: 'The rewards for invited friends, their budget, and the number of friends',
  output: z.object({
    ...sourceFields,
    gift: z.enum(['milleage', 'item']).nullable(),
    amount: count.nullable(),
    item: count.nullable(),
    waiting: count.meta({ description: 'Invited accounts without a reward so far' }),
    rewarded: count.meta({ description: 'Pairs that got their rewards this month' }),
  }),
})

export const saveFriend = desk.write('/admin/rewards/friends/save', {
  title: 'Save friend rewards',
  summary: 'Set the rewards for invited friends and their budget',
  approvable: true,
  sudo: true,
  fields: friendRewardForm,
  output: messageSchema.extend({ version: count }),
  errors: { conflict, itemNotFound: itemNotFound('item') },
})

export const getDeskStarter = desk.read('/admin/rewards/starter', {
  summary: 'The starter items of new accounts, their budget, and the number of waiting accounts',
  output: z.object({
    ...sourceFields,
    gives: z.array(z.object({ item: count, quantity: count })),
    words: z.string().meta({ description: 'What each account gets; empty for nothing' }),
    worth: count.meta({ description: 'The value of these items in Milleage' }),
    waiting: count.meta({ description: 'New accounts that meet the conditions and wait for their items' }),
    unconfirmed: count.meta({
      description:
        'New accounts that cannot get them yet: without a confirmed email address, without a login, blocked, or of staff',
    }),
  }),
})

export const saveStarter = desk.write('/admin/rewards/starter/save', {
  title: 'Save starter items',
  summary: 'Set the starter items of new accounts and their budget',
  approvable: true,
  sudo: true,
  fields: starterForm,
  output: messageSchema.extend({ version: count }),
  errors: { conflict, itemNotFound: itemNotFound('gives') },
})

export const getDeskPlaytime = desk.read('/admin/rewards/playtime', {
  summary: 'The rewards for time played and their budget',
  output: z.object({
    ...sourceFields,
    milleage: count.nullable(),
    minutes: count.meta({ description: 'The minutes of play for each reward, from the settings' }),
    times: count.meta({ description: 'The maximum number of rewards on a day, from the settings' }),
    counting: z.boolean().nullable().meta({
      description: 'Whether minutes count now, because the game is active; null without a bridge that reports it',
    }),
    players: count.meta({ description: 'Accounts with a counted minute today' }),
  }),
})

export const savePlaytime = desk.write('/admin/rewards/playtime/save', {
  title: 'Save playtime rewards',
  summary: 'Set the rewards for time played and their budget',
  approvable: true,
  sudo: true,
  fields: playtimeForm,
  output: messageSchema.extend({ version: count }),
  errors: { conflict },
})
