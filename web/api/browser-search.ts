import { readWholeNumber } from './page.ts'

/**
 * Search parameters that only the browser reads: of /register, /login, /offline, and the pages behind mailed links.
 * They take effect after hydration, so one document serves every address.
 */

/**
 * `next` is the address after the login, `add` an item to put into the cart, `buy` an item whose purchase the next page
 * offers. `verified` is the result of a mailed verification link, `kept` the result of a link that cancels an erasure.
 */
export const loginSearch = {
  names: ['next', 'add', 'buy', 'verified', 'kept'],
  read: (query: URLSearchParams) => ({
    next: query.get('next'),
    add: readWholeNumber(query.get('add')) ?? null,
    buy: readWholeNumber(query.get('buy')) ?? null,
    verified: query.get('verified'),
    kept: query.get('kept'),
  }),
}

/** The token of a mailed link; empty if there is none. */
export const mailedLinkSearch = {
  names: ['token'],
  read: (query: URLSearchParams) => ({ token: query.get('token') ?? '' }),
}

/** The parameters of Discord's redirect: the code if the player agreed, and the state of the request. */
export const discordSearch = {
  names: ['code', 'state'],
  read: (query: URLSearchParams) => ({ code: query.get('code') ?? '', state: query.get('state') ?? '' }),
}

/** `invite` is the invitation code in a friend's link. */
export const invitationSearch = {
  names: ['invite'],
  read: (query: URLSearchParams) => ({ invite: (query.get('invite') ?? '').slice(0, 100) }),
}

/** `to` is the page that could not be loaded. */
export const offlineSearch = {
  names: ['to'],
  read: (query: URLSearchParams) => ({ to: query.get('to') }),
}
