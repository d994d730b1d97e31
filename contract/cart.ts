import { z } from 'zod'
import { declareCalls } from './endpoint.ts'
import { messageSchema } from './errors.ts'
import { pagingFields, wholeNumberParam } from './paging.ts'
import { offsetMoment } from './scalars.ts'
import { characterNumber, choiceText, serviceProgress, serviceRefusals } from './services.ts'
import { pauseErrors, SHOP_TEXTS, shopItemSchema } from './shop.ts'

const cart = declareCalls('cart', 'player')

/** A line of a cart (CART-2). */
const cartLineSchema = z
  .object({
    seq: z.int(),
    productnum: z.int(),
    quantity: z.int(),
    isChecked: z.union([z.literal(0), z.literal(1)]),
    shopitem: shopItemSchema,
  })
  .meta({ id: 'CartLine' })

export type CartLine = z.infer<typeof cartLineSchema>

const numberOrDigitsField = (name: string) => {
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
const productNumQuery = z.object({ productnum: wholeNumberParam('The item number') })
/** The quantity of an item in a purchase (BUY-9). */
const purchaseQuantity = z
  .string(SHOP_TEXTS.quantity)
  .regex(/^0*[1-9]\d?$/, SHOP_TEXTS.quantity)
  .transform(Number)
  .meta({ description: 'The quantity, 1 to 99' })

/** The response of a call that changed balances. */
export const balancesSchema = z.object({
  message: z.string(),
  userPoints: z.int().meta({ description: 'The new balance of R-Coin' }),
  userPoints2: z.int().meta({ description: 'The new balance of Milleage' }),
})

const itemNotFound = { status: 404, message: SHOP_TEXTS.itemNotFound } as const
const lineNotFound = { status: 404, message: SHOP_TEXTS.lineNotFound } as const
const lineFull = { status: 422, message: SHOP_TEXTS.lineFull } as const
/** The refusal for an account that staff recovered less than 24 hours ago. */
export const frozenAccountError = { status: 409, message: SHOP_TEXTS.frozen } as const
const overLimit = { status: 422, message: SHOP_TEXTS.overLimit } as const
/** The refusals of a purchase without enough money (CALL-10). */
const balanceErrors = {
  shortRCoin: { status: 422, message: SHOP_TEXTS.shortRCoin },
  shortMilleage: { status: 422, message: SHOP_TEXTS.shortMilleage },
} as const

export const getShopCart = cart.get('/shopcart', {
  summary: 'The lines of the caller’s cart',
  input: { query: z.object({ usernum: numberOrDigitsField('User number').optional() }) },
  // The list is the whole answer (CALL-4).
  output: z.array(cartLineSchema),
})

export const addToCart = cart.post('/addtocart', {
  summary: 'Add one unit of an item to the cart',
  input: { query: productNumQuery },
  output: messageSchema,
  // A full cart is 422 (CALL-10).
  errors: { itemNotFound, lineFull, cartFull: { status: 422, message: SHOP_TEXTS.cartFull } },
})

export const updateQuantity = cart.post('/updateQuantity', {
  summary: 'Add one unit to a line or remove one; removing the last unit removes the line',
  input: {
    body: z.object({
      seq: numberOrDigitsField('The line of the cart'),
      ProductNum: numberOrDigitsField('The item number').optional(),
      quantityChange: z.union([z.literal(1), z.literal(-1)], SHOP_TEXTS.stepOnly),
    }),
  },
  output: messageSchema,
  errors: { lineNotFound, lineFull },
})

export const updateCheck = cart.post('/updateCheck', {
  summary: 'Check or uncheck a line',
  input: {
    body: z.object({
      seq: numberOrDigitsField('The line of the cart'),
      ProductNum: numberOrDigitsField('The item number').optional(),
    }),
  },
  output: messageSchema,
  errors: { lineNotFound },
})

/** Buys units of an item, or a service with its character and choice (BUY-6). */
export const buyItem = cart.post('/buyitem', {
  summary: 'Buy an item at its current price, or a service for one of the caller’s characters',
  idempotent: true,
  input: {
    query: productNumQuery.extend({
      quantity: purchaseQuantity.default(1),
      character: characterNumber.optional().meta({ description: 'The number of the character; only for a service' }),
      choice: choiceText.default('').meta({ description: 'The choice, such as the new name; only for a service' }),
    }),
  },
  output: balancesSchema,
  errors: { itemNotFound, overLimit, frozen: frozenAccountError, ...serviceRefusals, ...pauseErrors, ...balanceErrors },
})

const entriesSchema = z.array(z.object({ seq: numberOrDigitsField('The line') }))

/** Parses a JSON list of cart lines. Returns distinct line numbers in ascending order; undefined for an empty list. */
function parseLineNumbers(text: string, { addIssue }: z.core.$RefinementCtx<string>): number[] | undefined {
  if (text.trim() === '') return undefined
  try {
    const seqs = entriesSchema.parse(JSON.parse(text)).map(({ seq }) => seq)
    return seqs.length === 0 ? undefined : [...new Set(seqs)].sort((a, b) => a - b)
  } catch {
    addIssue(SHOP_TEXTS.notChecked)
    return undefined
  }
}

export const buyCartItem = cart.post('/buycartitem', {
  summary:
    'Buy all checked lines, or only the checked lines in `items`. If one line cannot be bought, nothing is bought',
  idempotent: true,
  input: {
    query: z.object({
      items: z
        .string(SHOP_TEXTS.notChecked)
        .max(20_000, SHOP_TEXTS.notChecked)
        .transform(parseLineNumbers)
        .optional()
        .meta({
          description: 'A JSON list of cart lines, each with its `seq`; an empty list means every checked line',
        }),
    }),
  },
  output: balancesSchema,
  errors: {
    nothingChecked: { status: 422, message: SHOP_TEXTS.nothingChecked },
    notChecked: { status: 422, message: SHOP_TEXTS.notChecked },
    itemGone: { status: 422, message: SHOP_TEXTS.itemGone },
    overLimit,
    frozen: frozenAccountError,
    shortBoth: { status: 422, message: SHOP_TEXTS.shortBoth },
    ...pauseErrors,
    ...balanceErrors,
  },
})

const deliveryStateSchema = z.enum(['queued', 'delivered', 'claimed', 'refunded'])

export const getShopPurchases = cart.get('/shoppurchases', {
  summary: 'The purchases of the caller, newest first, 10 per page',
  input: { query: z.object({ page: wholeNumberParam('Page').optional() }) },
  output: z.object({
    purchasehistory: z.array(
      z.object({
        id: z.int(),
        shopitem: shopItemSchema,
        quantity: z.int(),
        PurDate: offsetMoment,
        gift: z
          .object({
            to: z
              .string()
              .nullable()
              .meta({ description: 'The recipient of the caller’s gift; null for a gift to the caller' }),
            state: z.enum(['open', 'claimed', 'returned']),
          })
          .optional()
          .meta({ description: 'Only for a gift to another player or from another player' }),
        deliveries: z.array(z.object({ state: deliveryStateSchema, units: z.int() })),
        units: z.array(
          z.object({
            unit: z.int(),
            state: deliveryStateSchema,
            since: offsetMoment,
            refundRequested: offsetMoment.nullable(),
            refunded: offsetMoment
              .nullable()
              .meta({ description: 'When its price was refunded; a unit that was already claimed stays claimed' }),
          }),
        ),
        service: serviceProgress.optional().meta({ description: 'Only for a service' }),
      }),
    ),
    ...pagingFields,
  }),
})

export const getReceipts = cart.get('/receipts', {
  summary: 'Whether the caller gets receipts of purchases by email',
  output: z.object({ wanted: z.boolean() }),
})

export const setReceipts = cart.post('/receipts', {
  summary: 'Turn receipts of purchases by email on or off',
  input: { body: z.object({ wanted: z.boolean('Wanted must be true or false.') }) },
  output: messageSchema,
})
