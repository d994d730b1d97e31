import { formatManilaMinute } from '#contract/manila.ts'
import * as calls from '#contract/my-data.ts'
import { refuse } from '#server/errors.ts'
import { requestErasure } from '#server/features/accounts/erasure-requests.ts'
import { recordEvent } from '#server/features/accounts/events.ts'
import { selectAccount } from '#server/features/accounts/queries.ts'
import { exportPersonalData } from '#server/features/players/personal-data.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { readMailSite } from '#server/mail/site.ts'
import { mails } from '#server/mail/templates.ts'
import { readSettingsNow } from '#server/settings.ts'
import { lockProvenAccount, proveOwner } from './proof.ts'
import { COPY_EVENT, findNextCopy, findNextDeletion, listDeletionBlocks } from './queries.ts'

/** The player's copy of their data, and the deletion of their account (DATA-1, DATA-2, DATA-3, DATA-4). */
export const myDataCalls: MountedCall[] = [
  mount(calls.getMyData, async (_, { deps: { db, now }, session: { userNum } }) => {
    const account = await selectAccount(db, userNum)
    return {
      has_factor: account.has_factor,
      secret_question: account.secret_question,
      next_copy_at: await findNextCopy(db, userNum, now()),
      next_deletion_at: await findNextDeletion(db, userNum, now()),
      left_out: account.left_out,
      r_coin: account.r_coin,
      milleage: account.milleage,
      blocks: await listDeletionBlocks(db, account, now()),
    }
  }),

  mount(calls.leaveOutCharacters, async ({ left_out }, { deps: { db }, session: { userNum } }) => {
    await db.updateTable('accounts').set({ left_out }).where('user_num', '=', userNum).execute()
    return { left_out }
  }),

  mount(calls.copyMyData, async (input, { deps, session, caller }) => {
    const provenOwner = await proveOwner(deps, session, input)
    const now = deps.now()
    return deps.db.transaction().execute(async (tx) => {
      const { user_num: userNum, user_id: userId, user_email } = await lockProvenAccount(tx, deps, provenOwner)
      if ((await findNextCopy(tx, userNum, now)) !== null) throw refuse(calls.copyMyData, 'copiedToday')
      await recordEvent(tx, { userNum, kind: COPY_EVENT, caller, now })
      const site = await readMailSite({ ...deps, db: tx })
      await enqueueMail(tx, user_email, mails.dataCopied(site, userId), now)
      const { site_name } = await readSettingsNow({ ...deps, db: tx })
      const header = {
        about: `Everything that ${site_name} stores about the account ${userId}`,
        made_at: now.toISOString(),
      }
      const text = await exportPersonalData(tx, userNum, header)
      return new File([text], `${userId}.json`, { type: 'application/json' })
    })
  }),

  mount(calls.deleteMyAccount, async (input, { deps, session, caller }) => {
    if (input.typed_user_id.toLowerCase() !== session.userId.toLowerCase())
      throw refuse(calls.deleteMyAccount, 'otherUserId')
    const provenOwner = await proveOwner(deps, session, input)
    const now = deps.now()
    const dueAt = await deps.db.transaction().execute(async (tx) => {
      const account = await lockProvenAccount(tx, deps, provenOwner)
      const [block] = await listDeletionBlocks(tx, account, now)
      if (block !== undefined) throw refuse(calls.deleteMyAccount, block)
      if ((await findNextDeletion(tx, account.user_num, now)) !== null)
        throw refuse(calls.deleteMyAccount, 'requestedLately')
      return requestErasure({ ...deps, db: tx }, account, { by: null, renameCharacters: true, caller })
    })
    return {
      message: `Your account is locked, and will be deleted on ${formatManilaMinute(dueAt)}, Manila time. Until then you can cancel that with the link in our email.`,
      erasure_due_at: dueAt,
    }
  }),
]
