import { DAY_MS } from '#contract/durations.ts'
import type { Db } from '#server/db/open.ts'
import { putGift, sendGiftLetter } from '#server/features/mailbox/gifts.ts'
import { markLetter, sendLetter } from '#server/features/mailbox/letters.ts'

/** Fills the mail boxes: letters of the team to everyone and to juan, some with gifts that wait to be claimed. */
export async function insertLetters(tx: Db, now: Date, { juan, gm }: { juan: number; gm: number }): Promise<void> {
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const welcome = await sendLetter(tx, {
    kind: 'staff',
    to: {},
    subject: 'The roof is open again',
    body: 'Kumusta!\n\nThe rooftop of Mystic Peak has new lights, and the campus coop has moved next to the stairs. Come up, bring a friend, and watch the city.\n\nSee you there, the GMs',
    link: '/news',
    sentBy: gm,
    now: ago(12),
  })
  await markLetter(tx, { userNum: juan, letter: welcome, as: 'read_at', now: ago(11) })
  await sendLetter(tx, {
    kind: 'ticket',
    to: juan,
    subject: 'Support has answered your ticket',
    body: 'We looked into it and wrote back. You can read our answer and reply on the site.',
    link: '/checkticket',
    now: ago(4),
  })
  const lanterns = await sendLetter(tx, {
    kind: 'staff',
    to: {},
    subject: 'Lantern week: a little something for everyone',
    body: 'The simbang gabi lanterns are up in all three schools.\n\nThank you for a warm year on this server. Take this for hot salabat on the way home.',
    sentBy: gm,
    now: ago(2),
  })
  await putGift(tx, {
    letter: lanterns,
    recipient: null,
    gift: { currency: 'Milleage', amount: 150 },
    value: 150,
    budget: 172_500,
    givenBy: gm,
    now: ago(2),
  })
  await sendGiftLetter(tx, {
    account: juan,
    kind: 'prize',
    values: {
      subject: 'Second place in the screenshot contest',
      body: 'Your picture of the jeepney race made the whole team laugh. Second place is yours.\n\nMabuhay!',
      sentBy: gm,
      now: ago(0.3),
    },
    gift: { item: 3, quantity: 2 },
    reference: 'demo screenshot contest place 2',
  })
}
