import { z } from 'zod'
import { declareCalls } from './endpoint.ts'
import { maintenance } from './errors.ts'
import { count, id, nullableMoment } from './scalars.ts'

const rewards = declareCalls('rewards', 'public')

/** The sources of rewards. */
export const REWARD_SOURCES = ['daily', 'vote', 'friend', 'starter', 'playtime'] as const
export type RewardSource = (typeof REWARD_SOURCES)[number]

/** The minimum age of an account for rewards except starter items, in days. */
export const REWARD_ACCOUNT_DAYS = 7

/** The maximum number of friends rewarded per account and month in Manila. */
export const FRIENDS_A_MONTH = 10

/** The texts that players see. */
export const REWARD_TEXTS = {
  dailyLine: 'Play on a day and claim its reward on the same day, until midnight in Manila.',
  claimed: 'Claimed! Milleage is on your account. Items wait in your item bank in the game.',
  notPlayed:
    'None of your characters has been in the game today. Play first, then come back; it takes a minute or two.',
  claimedBefore: 'You have claimed today’s reward. Come back tomorrow.',
  nothing: 'There is no reward today.',
  usedUp: 'Today’s rewards are used up. Come back tomorrow.',
  tooYoung: `Your account has to be ${REWARD_ACCOUNT_DAYS} days old before it gets rewards.`,
  tooLow: 'Your strongest character’s level is not high enough for rewards yet.',
  sharedPlace: 'Too many accounts on your device or connection have had this reward today.',
  notForYou: 'This account gets no rewards.',
  starterLine: (items: string) => `A new account gets ${items} after you confirm its email address and log in.`,
  friendLine: 'Bring a friend who plays, and you both get a reward.',
  playedTooLittle: 'You have not played long enough for another reward yet.',
  playtimeBefore: 'You have claimed all rewards for today’s playing time. Come back tomorrow.',
  failed: 'We couldn’t load the rewards.',
  voteLine:
    'Vote for the server on these lists. The reward comes when the list confirms your vote, usually within a minute.',
} as const

/** The reasons why an account gets no reward now. */
export const rewardRefusals = {
  nothing: { status: 409, message: REWARD_TEXTS.nothing },
  usedUp: { status: 409, message: REWARD_TEXTS.usedUp },
  tooYoung: { status: 409, message: REWARD_TEXTS.tooYoung },
  tooLow: { status: 409, message: REWARD_TEXTS.tooLow },
  sharedPlace: { status: 409, message: REWARD_TEXTS.sharedPlace },
  notForYou: { status: 409, message: REWARD_TEXTS.notForYou },
  before: { status: 409, message: REWARD_TEXTS.claimedBefore },
} as const

export const getDailyRewards = rewards.get('/daily', {
  summary: 'The daily rewards of this month in Manila',
  cache: { freshMs: 30_000 },
  output: z.object({
    month: z.string().meta({ description: 'Such as 2026-12' }),
    today: count.meta({ description: 'The day of the month' }),
    above_level: count.meta({ description: 'A character must be above this level' }),
    days: z
      .array(
        z.object({
          day: count,
          reward: z.string().nullable().meta({ description: 'As text; null for a day without a reward' }),
          milleage: count.meta({ description: '0 where the reward is an item' }),
          item: z
            .object({ quantity: count, icon: z.string().nullable(), image_url: z.string().nullable() })
            .nullable()
            .meta({ description: 'The quantity of the item and its pictures in the shop; null for Milleage' }),
        }),
      )
      .meta({ description: 'Each day of the month with its reward' }),
  }),
})

export const getStarterItems = rewards.get('/starter', {
  summary: 'The items that a new account gets',
  cache: { freshMs: 30_000 },
  output: z.object({ items: z.string().nullable().meta({ description: 'As text; null if there are none' }) }),
})

export const getOwnDaily = rewards.get('/daily/own', {
  summary: 'Which days of this month the caller has claimed, and whether today can be claimed',
  access: 'player',
  output: z.object({
    claimed: z.array(count),
    why_not: z.string().nullable().meta({
      description:
        'Why today cannot be claimed, else null. Only the claim checks the budget and the limits by device and address',
    }),
  }),
})

export const claimDaily = rewards.post('/daily/claim', {
  summary: 'Claim the reward of today',
  access: 'player',
  limit: 'dailyClaims',
  idempotent: true,
  output: z.object({ message: z.string(), reward: z.string(), userPoints2: count }),
  errors: { ...rewardRefusals, notPlayed: { status: 409, message: REWARD_TEXTS.notPlayed }, maintenance },
})

export const getPlaytime = rewards.get('/playtime', {
  summary: 'The reward for time played; null without one',
  cache: { freshMs: 30_000 },
  output: z.object({
    playtime: z
      .object({
        reward: z.string().meta({ description: 'As text, for one claim' }),
        minutes: count.meta({ description: 'The minutes of play for each reward' }),
        times: count.meta({ description: 'The maximum number of rewards on a day' }),
        above_level: count.meta({ description: 'A character must be above this level' }),
      })
      .nullable(),
  }),
})

export const getOwnPlaytime = rewards.get('/playtime/own', {
  summary: 'The minutes that the caller was in the game today, and the number of claimed and open rewards',
  access: 'player',
  output: z.object({
    minutes: count,
    claimed: count.meta({ description: 'Rewards claimed today' }),
    open: count.meta({ description: 'Rewards that can be claimed now' }),
    why_not: z.string().nullable().meta({
      description:
        'Why the caller cannot claim a reward now, else null. Only the claim checks the budget and the limits by device and address',
    }),
  }),
})

export const claimPlaytime = rewards.post('/playtime/claim', {
  summary: 'Claim every reward that the caller has earned by playing today',
  access: 'player',
  limit: 'dailyClaims',
  idempotent: true,
  output: z.object({ message: z.string(), rewards: count, userPoints2: count }),
  errors: {
    ...rewardRefusals,
    playedTooLittle: { status: 409, message: REWARD_TEXTS.playedTooLittle },
    claimedAll: { status: 409, message: REWARD_TEXTS.playtimeBefore },
    maintenance,
  },
})

export const getVotes = rewards.get('/votes', {
  summary: 'The lists to vote on, and the players with the most votes this month',
  cache: { freshMs: 30_000 },
  output: z.object({
    month: z.string().meta({ description: 'Such as 2026-12' }),
    above_level: count.meta({ description: 'A character must be above this level for rewards' }),
    sites: z.array(
      z.object({
        site: id,
        name: z.string(),
        pause_hours: count,
        reward: z.string().nullable().meta({ description: 'As text; null for none' }),
      }),
    ),
    best: z.array(z.object({ name: z.string(), votes: count })).meta({
      description: 'The players with the most votes, each by the name of their strongest character',
    }),
  }),
})

export const getOwnVotes = rewards.get('/votes/own', {
  summary: 'The caller’s links to the lists, and when the caller can vote on each again',
  access: 'player',
  output: z.object({
    votes: count.meta({ description: 'The number of counted votes this month' }),
    why_not: z.string().nullable().meta({ description: 'Why votes bring no reward, else null' }),
    sites: z.array(
      z.object({
        site: id,
        link: z.string(),
        next_at: nullableMoment.meta({ description: 'When the caller can vote again; null if they can now' }),
      }),
    ),
  }),
})

export const getFriendReward = rewards.get('/friends', {
  summary: 'The reward of a player and an invited friend, and the level that the friend has to reach',
  cache: { freshMs: 30_000 },
  output: z.object({
    reward: z.string().nullable().meta({ description: 'As text; null for none' }),
    level: count,
    above_level: count.meta({ description: 'Both need a character above this level' }),
  }),
})

export const getOwnFriends = rewards.get('/friends/own', {
  summary: 'The caller’s link for friends, and the number of friends who used it',
  access: 'player',
  output: z.object({
    link: z.string(),
    waiting: count.meta({ description: 'Friends who have not reached the level' }),
    rewarded: count.meta({ description: 'Friends for whom the caller got a reward this month' }),
    why_not: z.string().nullable().meta({ description: 'Why the caller gets no rewards now, else null' }),
  }),
})
