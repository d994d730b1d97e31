import { queryOptions } from '@tanstack/react-query'
import { getReceipts, getShopPurchases } from '#contract/cart.ts'
import { getTopupHistory } from '#contract/vouchers.ts'
import { call } from '#web/api/call.ts'
import { MINE } from '#web/api/queries.ts'

const mine = (userNum: number, what: string, page: number) => ({
  queryKey: [MINE, userNum, what, page],
  enabled: userNum > 0,
  staleTime: 0,
  retry: false,
})

/** A page of what a player bought. */
export const purchasesQuery = (userNum: number, page: number) =>
  queryOptions({
    ...mine(userNum, 'purchases', page),
    queryFn: async () => {
      const { purchasehistory, last_page } = await call(getShopPurchases, { page })
      return { rows: purchasehistory, lastPage: last_page }
    },
  })

export type Purchase = Awaited<ReturnType<NonNullable<ReturnType<typeof purchasesQuery>['queryFn']>>>['rows'][number]

/** Whether receipts are mailed to a player. */
export const receiptsQuery = (userNum: number) =>
  queryOptions({
    queryKey: [MINE, userNum, 'receipts'],
    enabled: userNum > 0,
    staleTime: 0,
    retry: false,
    queryFn: () => call(getReceipts, {}),
  })

/** A page of the codes a player redeemed. */
export const topupsQuery = (userNum: number, page: number) =>
  queryOptions({
    ...mine(userNum, 'topups', page),
    queryFn: async () => {
      const { topuphistory, last_page } = await call(getTopupHistory, { page })
      return { rows: topuphistory, lastPage: last_page }
    },
  })
