import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { errorAnswer, jsonAnswer } from './errors.ts'
import { pagingFields, wholeNumberNamed } from './paging.ts'
import { shopItemSchema } from './shop.ts'
import { SHOP } from './shop-messages.ts'

/** A line of a cart (SPEC §3). */
export const cartLineSchema = z
  .object({
    seq: z.int(),
    productnum: z.int(),
    quantity: z.int(),
    isChecked: z.union([z.literal(0), z.literal(1)]),
    shopitem: shopItemSchema,
  })
  .meta({ id: 'CartLine' })

export type CartLine = z.infer<typeof cartLineSchema>

const tags = ['cart']
const mine = {
  401: errorAnswer('No token, or a dead one'),
  403: errorAnswer('Somebody else’s account'),
  404: errorAnswer('No such item or line'),
  422: errorAnswer('A rule is broken'),
}
const body = <Schema extends z.ZodType>(schema: Schema) => ({
  body: { required: true, content: { 'application/json': { schema } } },
})
const said = z.object({ message: z.string() })
const numberNamed = (name: string) => {
  const rule = `${name} must be a whole number.`
  return z.union(
    [
      z.int(rule),
      z
        .string(rule)
        .regex(/^\d{1,15}$/, rule)
        .transform(Number),
    ],
    rule,
  )
}
const ITEM_RULE = 'The item number must be a whole number.'
const productNum = z.object({
  productnum: z
    .string(ITEM_RULE)
    .regex(/^\d{1,15}$/, ITEM_RULE)
    .transform(Number),
})
const KEY_RULE = 'Idempotency-Key takes 1 to 200 characters.'
/** The header of every call that moves money. */
export const idempotency = z.object({
  'idempotency-key': z
    .string(KEY_RULE)
    .min(1, KEY_RULE)
    .max(200, KEY_RULE)
    .optional()
    .meta({ description: 'The same key within 24 h gives the first answer and moves nothing' }),
})

/** What a call that moved money answers. */
export const movedSchema = z.object({
  message: z.string(),
  userPoints: z.int().meta({ description: 'R-Coin now' }),
  userPoints2: z.int().meta({ description: 'Milleage now' }),
})

export const getShopCart = endpoint({
  method: 'get',
  path: '/shopcart',
  summary: 'The lines of the caller’s cart',
  tags,
  request: { query: z.object({ usernum: numberNamed('User number').optional() }) },
  responses: { 200: jsonAnswer('The lines', z.array(cartLineSchema)), ...mine },
})

export const addToCart = endpoint({
  method: 'post',
  path: '/addtocart',
  summary: 'Add one of an item, or one more',
  tags,
  request: { query: productNum },
  responses: { 200: jsonAnswer('Added', said), ...mine },
})

export const updateQuantity = endpoint({
  method: 'post',
  path: '/updateQuantity',
  summary: 'One more or one less; one less of one removes the line',
  tags,
  request: body(
    z.object({
      seq: numberNamed('The line of the cart'),
      ProductNum: numberNamed('The item number').optional(),
      quantityChange: z.union([z.literal(1), z.literal(-1)], SHOP.stepOnly),
    }),
  ),
  responses: { 200: jsonAnswer('Changed', said), ...mine },
})

export const updateCheck = endpoint({
  method: 'post',
  path: '/updateCheck',
  summary: 'Check or uncheck a line',
  tags,
  request: body(
    z.object({ seq: numberNamed('The line of the cart'), ProductNum: numberNamed('The item number').optional() }),
  ),
  responses: { 200: jsonAnswer('Changed', said), ...mine },
})

export const buyItem = endpoint({
  method: 'post',
  path: '/buyitem',
  summary: 'Buy one of an item at its present price',
  tags,
  request: { query: productNum, headers: idempotency },
  responses: { 200: jsonAnswer('Bought', movedSchema), ...mine },
})

export const buyCartItem = endpoint({
  method: 'post',
  path: '/buycartitem',
  summary: 'Buy the checked lines, or those of them that `items` names; all or none',
  tags,
  request: {
    query: z.object({
      items: z
        .string(SHOP.notChecked)
        .max(20_000, SHOP.notChecked)
        .optional()
        .meta({ description: 'A JSON list of cart entries, of which only seq is read' }),
    }),
    headers: idempotency,
  },
  responses: { 200: jsonAnswer('Bought', movedSchema), ...mine },
})

export const deliveryStateSchema = z.enum(['queued', 'delivered', 'claimed', 'refunded'])

export const getShopPurchases = endpoint({
  method: 'get',
  path: '/shoppurchases',
  summary: 'What the caller bought, newest first, 10 a page',
  tags,
  request: { query: z.object({ page: wholeNumberNamed('Page').optional() }) },
  responses: {
    200: jsonAnswer(
      'The purchases',
      z.object({
        purchasehistory: z.array(
          z.object({
            id: z.int(),
            shopitem: shopItemSchema,
            quantity: z.int(),
            PurDate: z.iso.datetime({ offset: true }),
            deliveries: z.array(z.object({ state: deliveryStateSchema, units: z.int() })),
          }),
        ),
        ...pagingFields,
      }),
    ),
    401: mine[401],
    422: mine[422],
  },
})

export const getReceipts = endpoint({
  method: 'get',
  path: '/receipts',
  summary: 'Whether receipts of purchases are mailed to the caller',
  tags,
  responses: { 200: jsonAnswer('The choice', z.object({ wanted: z.boolean() })), 401: mine[401] },
})

export const setReceipts = endpoint({
  method: 'post',
  path: '/receipts',
  summary: 'Whether receipts of purchases are mailed',
  tags,
  request: body(z.object({ wanted: z.boolean('Wanted must be true or false.') })),
  responses: { 200: jsonAnswer('Set', said), ...mine },
})
