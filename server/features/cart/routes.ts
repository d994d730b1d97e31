import { createRoute } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import * as calls from '#contract/cart.ts'
import type { Deps } from '#server/deps.ts'
import { createRouter, reply } from '#server/http/router.ts'
import { requireOwnAccount, requireSession, type WithSession } from '#server/http/session.ts'
import type { MoneyAnswer } from '../wallet/kept-answers.ts'
import {
  addToCart,
  buyCart,
  buyItem,
  changeQuantity,
  listCart,
  listPurchases,
  setReceipts,
  toggleCheck,
  wantsReceipts,
} from './service.ts'

type Own = MiddlewareHandler<WithSession>

/** The cart, purchases and their history (SPEC §7). */
export function cartRoutes(deps: Deps) {
  const middleware: [Own, Own] = [requireSession(deps), requireOwnAccount]
  const me = (c: Context<WithSession>) => c.get('session').userNum
  return createRouter()
    .openapi(createRoute({ ...calls.getShopCart, middleware }), async (c) =>
      reply(c, calls.getShopCart, await listCart(deps, me(c))),
    )
    .openapi(createRoute({ ...calls.addToCart, middleware }), async (c) =>
      reply(c, calls.addToCart, { message: await addToCart(deps, me(c), c.req.valid('query').productnum) }),
    )
    .openapi(createRoute({ ...calls.updateQuantity, middleware }), async (c) => {
      const { seq, quantityChange } = c.req.valid('json')
      return reply(c, calls.updateQuantity, { message: await changeQuantity(deps, me(c), seq, quantityChange) })
    })
    .openapi(createRoute({ ...calls.updateCheck, middleware }), async (c) =>
      reply(c, calls.updateCheck, { message: await toggleCheck(deps, me(c), c.req.valid('json').seq) }),
    )
    .openapi(createRoute({ ...calls.buyItem, middleware }), async (c) => {
      const key = c.req.valid('header')['idempotency-key'] ?? null
      return give(c, await buyItem(deps, { userNum: me(c), key }, c.req.valid('query').productnum))
    })
    .openapi(createRoute({ ...calls.buyCartItem, middleware }), async (c) => {
      const key = c.req.valid('header')['idempotency-key'] ?? null
      return give(c, await buyCart(deps, { userNum: me(c), key }, c.req.valid('query').items))
    })
    .openapi(createRoute({ ...calls.getShopPurchases, middleware }), async (c) =>
      reply(c, calls.getShopPurchases, await listPurchases(deps, me(c), c.req.valid('query').page ?? 1)),
    )
    .openapi(createRoute({ ...calls.getReceipts, middleware }), async (c) =>
      reply(c, calls.getReceipts, { wanted: await wantsReceipts(deps, me(c)) }),
    )
    .openapi(createRoute({ ...calls.setReceipts, middleware }), async (c) =>
      reply(c, calls.setReceipts, { message: await setReceipts(deps, me(c), c.req.valid('json').wanted) }),
    )
}

/** Gives an answer that may be a kept one, refusals included. */
function give(c: Context, { status, body }: MoneyAnswer) {
  if (status !== 200) return c.json(body, status as ContentfulStatusCode) as never
  return c.json(calls.movedSchema.parse(body), 200)
}
