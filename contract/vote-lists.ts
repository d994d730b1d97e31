/**
 * The vote lists that call the site after a vote, with the parameters and checks of their calls (EVENT-3). The
 * parameter names are defaults that the desk can change, because the versions of a list differ.
 */
export const VOTE_LISTS = {
  gtop100: {
    name: 'GTop100',
    check: 'secret',
    account_field: 'pingUsername',
    voted_field: 'Successful',
    voted_value: '0',
    secret_field: 'pingbackkey',
    sender: '',
  },
  topg: {
    name: 'TopG',
    check: 'sender',
    account_field: 'p_resp',
    voted_field: '',
    voted_value: '',
    secret_field: '',
    sender: 'monitor.topg.org',
  },
  xtremetop100: {
    name: 'XtremeTop100',
    check: 'address',
    account_field: 'custom, nick',
    voted_field: '',
    voted_value: '',
    secret_field: '',
    sender: '',
  },
  'arena-top100': {
    name: 'Arena Top 100',
    check: 'secret',
    account_field: 'userid',
    voted_field: 'voted',
    voted_value: '1',
    secret_field: 'secret',
    sender: '',
  },
  generic: {
    name: 'Another list',
    check: 'secret',
    account_field: 'account',
    voted_field: '',
    voted_value: '',
    secret_field: 'secret',
    sender: '',
  },
} as const

export type VoteList = keyof typeof VOTE_LISTS
export const VOTE_LIST_NAMES = Object.keys(VOTE_LISTS) as [VoteList, ...VoteList[]]

/** The placeholder for the account's token in a link. */
export const ACCOUNT_PLACEHOLDER = '{account}'
