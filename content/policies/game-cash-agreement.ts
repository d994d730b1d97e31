import { GIFTS_A_DAY } from '#contract/gift-messages.ts'
import { CART_LINES_MAX, IDEMPOTENCY_KEY_MS, LINE_QUANTITY_MAX } from '#contract/limits.ts'
import { LIMITS } from '#contract/request-limits.ts'
import { TICKET_CATEGORY_LABELS } from '#contract/ticket-messages.ts'
import { capitalise, type Policy } from './policy.ts'

/** What R-Coin, Milleage and vouchers are, how buying works, and when something is refunded. */
export const gameCashAgreement: Policy = {
  title: 'Game Cash Agreement',
  path: '/gamecashagreement',
  search: {
    summary: 'What R-Coin and Milleage are, and what they are not.',
    words: 'refund money r-coin milleage terms purchase',
  },
  write: ({ app, operator, contact }) => ({
    about: `The rules of R-Coin, Milleage and vouchers on ${app}: redeeming, buying, delivery, refunds, mistakes.`,
    inShort: [
      'R-Coin and Milleage are points in a game. They are not money and can never be turned back into it.',
      'A voucher works once, typed exactly as it is printed.',
      'You pay the price you see. Either everything you ticked is bought, or nothing is.',
      'Every coin that moves leaves a line in a ledger, so mistakes can be put right.',
    ],
    sections: [
      {
        id: 'parties',
        title: 'The parties',
        blocks: [
          `This agreement is between you and ${operator} (“we”). It applies from the first voucher you redeem or the first thing you buy in the [item shop](/itemshop), together with the [Operation Policy](/operationpolicy).`,
        ],
      },
      {
        id: 'balances',
        title: 'The two balances',
        blocks: [
          {
            table: {
              columns: ['', 'R-Coin', 'Milleage'],
              rows: [
                ['Comes from', 'Vouchers, prizes', 'Playing, events, some vouchers'],
                ['Pays for', 'Items with the coin beside the price', 'All other items'],
                ['Can be turned into the other', 'No', 'No'],
                ['Can go to another account', 'No', 'No'],
                ['Lapses', 'Not while the account exists', 'Not while the account exists'],
              ],
            },
          },
          'Both are whole numbers on your account, never below zero. The screen shows two decimals because people like to see them.',
        ],
      },
      {
        id: 'no-money',
        title: 'They are not money',
        blocks: [
          'A balance is permission to use things in this game. It is not property, not a deposit, not electronic money and not a security; it bears no interest and is worth nothing outside. It cannot be paid out, exchanged for money, left to somebody or pledged as security.',
          'Selling or buying R-Coin, Milleage, vouchers, items or accounts for real money is forbidden, for you and for everybody else. Whatever changes hands that way is taken back, and nobody is owed anything for it.',
        ],
      },
      {
        id: 'vouchers',
        title: 'Vouchers',
        blocks: [
          {
            list: [
              'Codes are case-sensitive and issued in capitals; the field shows capitals as you type. Dashes belong to the code.',
              'Each code can be used only once, by one account, whatever happens at the same moment. A used code cannot be given back, moved or divided.',
              'Some expire on a certain day and are worth nothing after it. Of some kinds each account may use only one code or a few, or only so many can be used at all. This is stated where the code is given out.',
              'Codes come from us and from those named in our [news](/news). A code that was sold or found elsewhere may be void, and its value is taken back if it was stolen.',
              `After ${LIMITS.voucherFailures.max} wrong codes within 15 minutes the form stays closed until the 15 minutes are over.`,
              'Anyone who sees an unused code can use it, so do not post it. If yours does not work, send us a ticket with the whole code: we keep no list of codes and cannot look it up by a part.',
            ],
          },
          'Redeemed codes are listed in your [Redeem History](/topuphistory) with their date and value.',
        ],
      },
      {
        id: 'referral',
        title: 'Streamers’ referral codes',
        blocks: [
          'Along with a voucher you may enter a streamer’s referral code. It tells us who sent you; it does not change what the voucher is worth. If we do not know the code, nothing is redeemed and you can correct it.',
          'Streamers learn how many vouchers came with their code and what those were worth in total, not who you are. What they may receive from us for it is between them and us, and is never a share of money, since no money changes hands here.',
        ],
      },
      {
        id: 'buying',
        title: 'Buying',
        blocks: [
          {
            list: [
              'The price that counts is the one in our database at the moment you confirm. If it changed after your page was loaded, the price in your history is the one you paid; if it had gone up, we refund the purchase on request.',
              'From a cart, the ticked lines are bought: all of them or none. If a balance is too small, nothing changes.',
              `A cart holds up to ${CART_LINES_MAX} different items and up to ${LINE_QUANTITY_MAX} of each.`,
              `If your connection breaks while you buy, press again: for ${IDEMPOTENCY_KEY_MS / 3_600_000} hours the same purchase gets the same answer and nothing is charged twice.`,
              'Descriptions say what an item does and for how long.',
            ],
          },
          'What you bought is in your [Purchase History](/shoppurchases). Receipts by e-mail can be switched on there.',
        ],
      },
      {
        id: 'gifts',
        title: 'Gifts',
        blocks: [
          {
            list: [
              `You can buy an item for another player’s user ID, up to ${GIFTS_A_DAY} in 24 hours, with a confirmed e-mail address and an account of at least 7 days. You pay at once; the item is delivered when they claim it in their [mail box](/mailbox).`,
              'If they refuse it, do not claim it within 30 days or are blocked, the price goes back to your balance by itself.',
              'Once they have claimed it, only you can get the price back, through us, and only while it is not claimed in the game.',
              'A gift of ours in a letter can be claimed once. It has no price, so it is not refunded, and we can withdraw it until you claim it.',
            ],
          },
        ],
      },
      {
        id: 'capsules',
        title: 'Capsules',
        blocks: [
          {
            list: [
              'A capsule in the [Capsule Shop](/capsuleshop) gives you one of several items. Every chance is shown before you pay, and those shown are the chances of your next draw.',
              'What you have drawn from a capsule is not drawn again until you have had everything in it.',
              'A draw is final. It is refunded only when what you drew cannot be delivered; the 7 days below do not apply to it, or a draw could be repeated until it pleases.',
              'Your history lists every draw with its price, the number that was drawn and the version of the chances it was drawn from.',
            ],
          },
        ],
      },
      {
        id: 'delivery',
        title: 'Delivery',
        blocks: [
          'Each piece is delivered to your item bank in the game and has one of four states, which your history shows:',
          {
            table: {
              columns: ['In your history', 'What it means'],
              rows: [
                [
                  'On its way to your item bank',
                  'Paid, and in the queue. Usually minutes; longer while the game is closed',
                ],
                ['Delivered to your item bank', 'It waits for you in the game'],
                ['Claimed in the game', 'You took it out. From here on it counts as used'],
                ['Refunded', 'It was taken back and its price is on your balance again'],
              ],
            },
          },
          'While a refund waits until the game no longer has the piece, your history says that it was requested, and since when.',
          'If a piece is still on its way when the game has been open for 24 hours, write to us: you choose whether it is delivered or refunded.',
        ],
      },
      {
        id: 'refunds',
        title: 'Refunds',
        blocks: [
          {
            list: [
              'Not yet claimed: within 7 days of the purchase, for any reason or none. [Capsules](/gamecashagreement#capsules) are the exception.',
              'Claimed: when it does not do what its description said, or was weakened a great deal by a patch within 30 days of the purchase.',
              'Bought by somebody who had no right to use your account: we look at the login history and decide on that basis.',
            ],
          },
          `A refund puts the same amount of the same currency back on the same account. It is never paid in money. Ask with a [ticket](/ticket), category “${TICKET_CATEGORY_LABELS.payment}”, naming the item and the date.`,
        ],
      },
      {
        id: 'errors',
        title: 'Mistakes',
        blocks: [
          'Every change of a balance is written in one step with a line in the ledger: how much, why, and the balance after it. The sum of the lines is the balance, always, and we check it.',
          'If a balance is too low because of us, we add what is missing. If it is too high because of us, we take back the excess and tell you; if it was already spent in good faith, we do not take your items for it. Anyone who notices such a mistake and uses it on purpose breaks the [rules of fair play](/operationpolicy#cheating).',
          'A price that was plainly a slip, such as 1 instead of 1,000, may be undone within 3 days: the item goes back, and so does what you paid.',
        ],
      },
      {
        id: 'blocked',
        title: 'Blocked and closed accounts',
        blocks: [
          'While an account is suspended or an appeal runs, its balances are frozen and nothing lapses. When a block is final, balances and unclaimed items lapse with it; the same happens when you have your account removed. Before you ask for that, spend what you like.',
          'When the server closes, the shop stays open until the last evening, as the [Operation Policy](/operationpolicy#leaving) says. Balances left after it lapse.',
        ],
      },
      {
        id: 'minors',
        title: 'Under eighteen',
        blocks: [
          'Minors redeem and buy with the consent of a parent or guardian. If there was none, a parent may ask us within 30 days to undo unclaimed purchases and to close the shop for the account. Please keep an eye on where your children get codes: nobody should ask them for anything in return.',
        ],
      },
      {
        id: 'changes',
        title: 'Changes, law and contact',
        blocks: [
          'A change to this agreement is announced in the news at least seven days ahead and applies to what you redeem or buy afterwards. Prices may change at any time; what you have bought stays bought.',
          'The law of the Republic of the Philippines applies. Rights that the law gives you as a consumer stay yours, whatever is written here.',
          `${capitalise(operator)} can be reached through ${contact}.`,
        ],
      },
    ],
  }),
}
