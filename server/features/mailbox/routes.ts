import * as calls from '#contract/mailbox.ts'
import { MAILBOX_TEXTS } from '#contract/mailbox.ts'
import { refuse } from '#server/errors.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { saveCopies, selectCopies, unsubscribe } from './copies.ts'
import { claimGift, refuseGift } from './gifts.ts'
import { countUnread, markAllRead, markLetter, selectLetter, selectLetters } from './letters.ts'

/** The calls of a player's mail box. */
export const mailboxCalls: MountedCall[] = [
  mount(calls.getUnreadLetters, async (_, { deps: { db, now }, session }) => ({
    unread: await countUnread(db, session.userNum, now()),
  })),

  mount(calls.getLetters, async ({ after }, { deps: { db, now }, session: { userNum } }) => {
    const { letters, next } = await selectLetters(db, userNum, { after, now: now() })
    return {
      letters,
      next,
      unread: await countUnread(db, userNum, now()),
    }
  }),

  mount(calls.openLetter, async ({ letter }, { deps: { db, now }, session: { userNum } }) => {
    const letterRow = await selectLetter(db, userNum, letter, now())
    if (letterRow === undefined) throw refuse(calls.openLetter, 'letterNotFound')
    if (!letterRow.read) await markLetter(db, { userNum, letter, column: 'read_at', now: now() })
    return {
      letter: {
        ...letterRow,
        read: true,
      },
      unread: await countUnread(db, userNum, now()),
    }
  }),

  mount(calls.deleteLetter, async ({ letter }, { deps: { db, now }, session: { userNum } }) => {
    const letterRow = await selectLetter(db, userNum, letter, now())
    if (letterRow === undefined) throw refuse(calls.deleteLetter, 'letterNotFound')
    if (letterRow.gift?.own && letterRow.gift.state === 'open')
      throw refuse(calls.deleteLetter, letterRow.gift.bought ? 'claimOrRefuseFirst' : 'claimFirst')
    await markLetter(db, { userNum, letter, column: 'deleted_at', now: now() })
    return { message: MAILBOX_TEXTS.deleted, unread: await countUnread(db, userNum, now()) }
  }),

  mount(calls.claimLetterGift, ({ letter }, { deps, session: { userNum } }) => claimGift(deps, userNum, letter)),

  mount(calls.refuseLetterGift, ({ letter }, { deps, session: { userNum } }) => refuseGift(deps, userNum, letter)),

  mount(calls.readAllLetters, async (_, { deps: { db, now }, session: { userNum } }) => {
    await db.transaction().execute((tx) => markAllRead(tx, userNum, now()))
    return { message: MAILBOX_TEXTS.allRead, unread: await countUnread(db, userNum, now()) }
  }),

  mount(calls.getMailboxSettings, async (_, { deps: { db }, session: { userNum } }) => {
    const { email_verified_at } = await db
      .selectFrom('accounts')
      .where('user_num', '=', userNum)
      .select('email_verified_at')
      .executeTakeFirstOrThrow()
    return { copies: await selectCopies(db, userNum), verified: email_verified_at !== null }
  }),

  mount(calls.saveMailboxSettings, async ({ copies }, { deps: { db }, session: { userNum } }) => {
    await saveCopies(db, userNum, copies)
    return { message: MAILBOX_TEXTS.saved }
  }),

  mount(calls.stopCopies, async ({ token }, { deps: { db } }) => {
    if ((await unsubscribe(db, token)) === undefined) throw refuse(calls.stopCopies, 'linkNotFound')
    return { message: MAILBOX_TEXTS.stopped }
  }),
]
