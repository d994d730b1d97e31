import { createRoute } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import type { z } from 'zod'
import * as calls from '#contract/cart.ts'
import { SHOP } from '#contract/shop-messages.ts'
import type { Deps } from '#server/deps.ts'
import { notFound, type Refusal, ruleBroken } from '#server/errors.ts'
import { type OnceRequest, type Outcome, runOnce } from '#server/http/idempotency.ts'
import { createRouter, reply } from '#server/http/router.ts'
import { requireOwnAccount, requireSession, type WithSession } from '#server/http/session.ts'
import { buyCart, buyItem, type PurchaseRefusal, readSeqs } from './buy.ts'
import {
  addToCart,
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
      const product = c.req.valid('query').productnum
      const request = once(c, `buyitem ${product}`)
      return respond(c, await runOnce(deps, request, () => buyItem(deps, { userNum: me(c), request }, product)))
    })
    .openapi(createRoute({ ...calls.buyCartItem, middleware }), async (c) => {
      const seqs = readSeqs(c.req.valid('query').items)
      const request = once(c, `buycartitem ${seqs?.join(',') ?? 'all'}`)
      return respond(c, await runOnce(deps, request, () => buyCart(deps, { userNum: me(c), request }, seqs)))
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

/** The request under the call's idempotency key, which the contract has checked. */
function once(c: Context<WithSession>, content: string): OnceRequest {
  return { owner: String(c.get('session').userNum), key: c.req.header('Idempotency-Key') ?? null, content }
}

const REFUSALS: Record<PurchaseRefusal, Refusal> = {
  noItem: notFound(SHOP.noItem),
  nothingChecked: ruleBroken(SHOP.nothingChecked),
  notChecked: ruleBroken(SHOP.notChecked),
  itemGone: ruleBroken(SHOP.itemGone),
  shortRCoin: ruleBroken(SHOP.shortRCoin),
  shortMilleage: ruleBroken(SHOP.shortMilleage),
  shortBoth: ruleBroken(SHOP.shortBoth),
}

/** @throws Refusal for a refused purchase */
function respond(c: Context, outcome: Outcome<z.input<typeof calls.movedSchema>>) {
  if ('refused' in outcome) throw REFUSALS[outcome.refused as PurchaseRefusal]
  return reply(c, calls.buyItem, outcome.answer)
}
