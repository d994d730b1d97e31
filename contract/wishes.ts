import { z } from 'zod'
import { declareCalls } from './endpoint.ts'
import { messageSchema } from './errors.ts'
import { SHOP_TEXTS, shopItemSchema } from './shop.ts'

const shop = declareCalls('shop', 'player')

/** The texts of wish lists. */
export const WISH_LIST_TEXTS = {
  title: 'Wish List',
  line: 'What you would love to have. Friends see it with your link and can send you something.',
  add: 'Add to wish list',
  added: 'It is on your wish list.',
  removed: 'It is no longer on your wish list.',
  shared: 'Your new link is ready. Earlier links no longer work.',
  hidden: 'Your wish list is private now.',
  listNotFound: 'There is no wish list behind this link. It may have been renewed.',
  empty: 'Your wish list is empty',
  emptyLine: 'Open an item in the shop and put it on your list.',
  failed: 'We couldn’t load this wish list.',
} as const

export const WISHES_MAX = 100

const productnum = z.int('The item number must be a whole number.')
const items = z.array(shopItemSchema)

export const getWishList = shop.get('/wishlist', {
  summary: 'The caller’s wish list, newest first, and its link for friends',
  output: z.object({
    items,
    token: z
      .string()
      .nullable()
      .meta({ description: 'The token at the end of the link; null while the list is not shared' }),
  }),
})

export const addWish = shop.post('/wishlist/add', {
  summary: 'Put an item on the wish list; repeating it changes nothing',
  input: { body: z.object({ productnum }) },
  output: messageSchema,
  errors: {
    itemNotFound: { status: 404, message: SHOP_TEXTS.itemNotFound },
    full: { status: 422, message: `A wish list has at most ${WISHES_MAX} items.` },
  },
})

export const removeWish = shop.post('/wishlist/remove', {
  summary: 'Take an item off the wish list; an item that is not on it changes nothing',
  input: { body: z.object({ productnum }) },
  output: messageSchema,
})

export const shareWishList = shop.post('/wishlist/share', {
  summary: 'Make a link for friends; an earlier link stops working',
  output: z.object({ message: z.string(), token: z.string() }),
})

export const hideWishList = shop.post('/wishlist/hide', {
  summary: 'Stop sharing the wish list',
  output: messageSchema,
})

export const getSharedWishList = shop.post('/wishlist/of-friend', {
  summary: 'The wish list behind a link',
  access: 'public',
  input: { body: z.object({ token: z.string('The link is not complete.').max(100, 'The link is not complete.') }) },
  output: z.object({ user_id: z.string(), items }),
  errors: { listNotFound: { status: 404, message: WISH_LIST_TEXTS.listNotFound } },
})
