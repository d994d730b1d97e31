import { queryOptions } from '@tanstack/react-query'
import { getUser } from '#contract/accounts.ts'
import { call } from '#web/api/call.ts'
import { MINE } from '#web/api/queries.ts'

/** The account with its characters. */
export const accountQuery = (userNum: number) =>
  queryOptions({
    queryKey: [MINE, userNum, 'user'],
    retry: false,
    staleTime: 0,
    queryFn: async () => (await call(getUser, {})).data,
  })
