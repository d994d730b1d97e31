import { HOUR_MS } from '#contract/durations.ts'
import {
  PARTY_SEARCH_MESSAGE_GOLD,
  REGIONAL_MESSAGE_GOLD,
  SESSION_IDLE_MS,
  SESSION_MAX_MS,
  WHITELIST_MAX,
} from '#contract/limits.ts'
import { formatCount } from '#contract/numbers.ts'
import { LIMITS } from '#contract/request-limits.ts'
import { TICKET_CATEGORY_LABELS } from '#contract/ticket-messages.ts'
import { capitalise, type Policy } from './policy.ts'

/** How the server is run: accounts, conduct, sanctions, events, downtime. */
export const operationPolicy: Policy = {
  title: 'Operation Policy',
  path: '/operationpolicy',
  search: {
    summary: 'What is allowed, what is not, and what happens then.',
    words: 'rules terms ban block cheating hack bot scam account sharing penalty',
  },
  write: ({ app, operator, contact }) => ({
    about: `How ${app} is run: accounts, conduct, sanctions and how to appeal, events, downtime.`,
    inShort: [
      'One person, one account. It is yours alone.',
      'Play fair and be kind. Cheating ends accounts, rudeness ends conversations.',
      'You are told the reason for every sanction, and somebody reads your appeal.',
      'When we break something, we say so and make up for it.',
    ],
    sections: [
      {
        id: 'who',
        title: 'Who we are, and what this is',
        blocks: [
          `${app} is a game server with this website, made by fans for players in the Philippines and wherever else they live. It is run by ${operator}, called “we” below.`,
          'It is a hobby with a timetable, not a company’s product. Playing costs nothing. Nobody has to top up to play.',
          'By opening an account you agree to this policy, to the [Privacy Policy](/privacypolicy) and to the [Game Cash Agreement](/gamecashagreement). If you do not agree, please do not play here; you can have your account removed at any time (see [Leaving](#leaving)).',
        ],
      },
      {
        id: 'account',
        title: 'Your account',
        blocks: [
          {
            list: [
              'One person, one account. As many characters as the game allows.',
              'The e-mail address must be yours, and one whose mail you can read. Everything that protects the account is sent there.',
              'Do not sell, buy, lend, share or give away an account. What happens on it counts as done by you.',
              'We never ask for your password, your second password or your secret answer. Anyone who asks is not us.',
            ],
          },
          `A login lasts until you log out or have not used it for ${SESSION_IDLE_MS / HOUR_MS} hours, and at most ${SESSION_MAX_MS / HOUR_MS / 24} days. A new password ends every login, on all devices at once. After ${LIMITS.loginFailures.max} wrong passwords within 15 minutes the ID is locked until the 15 minutes are over.`,
          `The game lets an account in only from addresses that are whitelisted for it, at most ${WHITELIST_MAX}; when another is added, the oldest drops out. You add them yourself under [My Account](/user), where you also see which devices are logged in and what happened to the account lately.`,
          'Lost your password or your ID? [Find Account](/findaccount) is faster than we are.',
        ],
      },
      {
        id: 'conduct',
        title: 'Conduct',
        blocks: [
          'In chat, in names, in clubs, in tickets and on the pages where our players meet, these are not welcome:',
          {
            list: [
              'insults, threats, slurs and hatred, in any of our languages; going on after somebody has asked you to stop;',
              'anything sexual directed at anyone, and anything sexual at all where minors are concerned, which we also report;',
              'another person’s name, address, number, face or school, without their consent;',
              'posing as staff, or as another player;',
              'advertising, begging, chain messages, the same line again and again;',
              'selling or buying gold, items, accounts, vouchers or services for real money;',
              'calls to break the law, and links that harm a computer.',
            ],
          },
          `The regional channel costs ${formatCount(REGIONAL_MESSAGE_GOLD)} gold a message and party search ${formatCount(PARTY_SEARCH_MESSAGE_GOLD)}. Having paid for a message is no excuse for what it says.`,
          'Rivalry between schools and clubs is what the place is for. Beat them, tease them, and lend them your umbrella afterwards.',
        ],
      },
      {
        id: 'names',
        title: 'Names',
        blocks: [
          'Characters and clubs may not be called something that insults or exposes a person, looks like staff, or is a number, a link or a price. Food, streets and jeepney routes are fine.',
          'If a name has to go, you are told why and have three days to choose another, free of charge. After that we choose one.',
        ],
      },
      {
        id: 'cheating',
        title: 'Fair play',
        blocks: [
          'Not allowed, whether or not it works:',
          {
            list: [
              'programs that play for you, see for you or press keys for you; modified client files; several keys on one press, where that replaces playing;',
              'reading, changing or replaying what the client and the server, or the browser and this site, say to each other;',
              'using a bug for gain. Tell us instead: if you report one before using it, you are thanked and not punished;',
              'kills, rescues or wins that were arranged to climb a [ranking](/rankings);',
              'getting around a sanction with another account;',
              'slowing down or attacking the server, the site or another player’s connection.',
            ],
          },
          'Looking for security holes in our software is welcome if you stop at the first proof, touch nobody else’s data and tell us before anyone else.',
        ],
      },
      {
        id: 'shared',
        title: 'Shared machines and several clients',
        blocks: [
          'Brothers, sisters and whole computer shops may play from one connection: one connection may have as many players as it has chairs. We do not punish a shop for one customer.',
          'On a shared machine, log out. Everything that happens in a session you left open counts as done by you until you end it.',
        ],
      },
      {
        id: 'rankings',
        title: 'Rankings',
        blocks: [
          'A month is the calendar month in Manila. Kills, deaths and resurrections start again from zero on its first day; level, gold and MMR are what they are at the moment. In a tie the higher level comes first, then the older character.',
          'The hundred best of a closed month stay on record for every board. Blocked accounts and staff are not ranked in the open month.',
        ],
      },
      {
        id: 'sanctions',
        title: 'Sanctions',
        blocks: [
          'We use the mildest one that will do. What counts is what was done, to whom, whether it happened before, and whether you told us yourself.',
          {
            table: {
              columns: ['For example', 'First time', 'Again'],
              rows: [
                ['Spam, shouting, a rude word', 'Warning', 'Muted for up to a day'],
                ['A name that has to go', 'New name', 'Suspended for 3 days'],
                ['Insults, posing as staff', 'Muted, or suspended for up to 7 days', 'Suspended for 30 days'],
                ['Arranged kills, gain from a bug', 'Gains are taken back, suspended for 7 days', 'Blocked'],
                ['Selling or buying for real money', 'The goods are taken back, suspended for 30 days', 'Blocked'],
                ['Bots, modified client, attacks', 'Blocked', 'Blocked'],
                ['Threats, hatred, harm to minors', 'Blocked', 'Blocked'],
              ],
            },
          },
          'A blocked account cannot log in to the game or to this site, its open logins end at their next click, and it leaves the rankings. What that means for its balances is in the [Game Cash Agreement](/gamecashagreement#blocked).',
          'You are told what we saw, when, which section of this page it falls under and how long the sanction lasts. We do not announce names.',
        ],
      },
      {
        id: 'appeals',
        title: 'Appeals',
        blocks: [
          `Everyone can be wrong, and every sanction can be appealed once within 30 days: [submit a ticket](/ticket) with the category “${TICKET_CATEGORY_LABELS.account}” and say what we should look at again. You need not be logged in for that.`,
          'Somebody who did not decide the first time reads it, as long as there are enough of us. You get an answer with reasons within 14 days. If we were wrong, the sanction ends, its record is removed, and timed items get the lost days back.',
        ],
      },
      {
        id: 'events',
        title: 'Events and prizes',
        blocks: [
          'Each event’s own rules are in its [news](/news) item: times (Manila), who may take part, prizes. They apply as they were when the event began.',
          'Prizes go to the character or the account that won them and cannot be exchanged for money. A prize in a letter waits in the [mail box](/mailbox) until it is claimed; any other lapses if it is not collected within 30 days. Staff do not win prizes. In a draw, nothing but chance decides.',
          'If you send us a picture, a verse or a drawing for a contest, it stays yours. You allow us to show it on this site and in the game with your character’s name beside it, until you ask us to take it down.',
        ],
      },
      {
        id: 'downtime',
        title: 'Maintenance and downtime',
        blocks: [
          'Maintenance is announced in the [news](/news). Storms, power cuts and excavators are not. During either, the site may stay up while the game is down, or tell you that it cannot reach its database; nothing you own changes in the meantime.',
          'We promise care, not permanence: there is no guaranteed uptime. If a longer outage was our fault, we make up for it in the game, for everyone alike, and say in the news what happened. Timed items get the lost time back.',
          'If data had to be restored from a backup, we say from which hour, and give back purchases that got lost; every change of a balance is written in a ledger, so that this can be done exactly.',
        ],
      },
      {
        id: 'balance',
        title: 'The game may change',
        blocks: [
          'Classes, items, prices, areas and rewards change when the game needs it. Changes are in the patch notes before or with the patch. An item you bought for R-Coin is not taken from you; if its effect is weakened a great deal within 30 days of your purchase, ask for it [to be refunded](/gamecashagreement#refunds).',
        ],
      },
      {
        id: 'leaving',
        title: 'Leaving, and closing time',
        blocks: [
          `You can stop at any time and have your account removed: write to ${contact} from the account’s e-mail address. What is removed and what has to stay is explained in the [Privacy Policy](/privacypolicy#rights).`,
          'Should the server close one day, we say so at least 30 days ahead on the home page, stop issuing vouchers on that day, and leave the shop open until the last evening.',
        ],
      },
      {
        id: 'law',
        title: 'What we answer for',
        blocks: [
          'You use the game and this site as they are. We answer for what we break on purpose or by gross carelessness, and for whatever the law does not let us exclude; not for lost levels, evenings or arguments.',
          'The law of the Republic of the Philippines applies. If you live elsewhere and your law protects you better as a consumer, that protection stays. If a sentence here is not valid, the others still are.',
        ],
      },
      {
        id: 'changes',
        title: 'Changes and contact',
        blocks: [
          'If this page changes, the news says what and why at least seven days before the change applies, and the date at the top changes with it. If you play on after that day, you agree. A change never makes something punishable that happened before it.',
          `${capitalise(operator)} can be reached through ${contact}. For anything to do with your account, a [ticket](/ticket) is the quickest way.`,
        ],
      },
    ],
  }),
}
