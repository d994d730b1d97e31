import { queryOptions } from '@tanstack/react-query'
import { getAccountHistory, getSessions, getUser } from '#contract/accounts.ts'
import { getUserIp } from '#contract/whitelist.ts'
import { call } from '#web/api/call.ts'
import { MINE } from '#web/api/queries.ts'

/** What belongs to one player is kept under that player, and asked anew each time it is shown. */
const mine = (userNum: number, what: string) => ({ queryKey: [MINE, userNum, what], retry: false, staleTime: 0 })

/** The account with its characters. */
export const accountQuery = (userNum: number) =>
  queryOptions({
    ...mine(userNum, 'user'),
    queryFn: async () => (await call(getUser, {})).data,
  })

/** The caller's address and whether this account has whitelisted it. */
export const connectionQuery = (userNum: number) =>
  queryOptions({
    ...mine(userNum, 'ip'),
    queryFn: async () => (await call(getUserIp, {})).useripdata,
  })

/** Where the account is logged in. */
export const sessionsQuery = (userNum: number) =>
  queryOptions({
    ...mine(userNum, 'sessions'),
    queryFn: async () => (await call(getSessions, {})).data,
  })

/** What happened to the account, newest first. */
export const historyQuery = (userNum: number) =>
  queryOptions({
    ...mine(userNum, 'history'),
    queryFn: async () => (await call(getAccountHistory, {})).data,
  })
