import * as calls from '#contract/accounts.ts'
import { ACCOUNT_TEXTS, PASSWORD_TEXTS, REGISTRATION_TEXTS } from '#contract/accounts.ts'
import { appealBlock } from '#contract/appeals.ts'
import * as factorCalls from '#contract/factors.ts'
import * as firstOwnerCalls from '#contract/first-owner.ts'
import { SESSION_IDLE_MAX_MS } from '#contract/limits.ts'
import { getUser, logout, processLogin } from '#contract/session.ts'
import * as takeOverCalls from '#contract/take-over.ts'
import type { Deps } from '#server/deps.ts'
import { type Caller, createDeviceCookie } from '#server/http/client-address.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import type { Session } from '#server/http/session.ts'
import { createToken } from '#server/http/tokens.ts'
import { linkGame, readGameAccount, readTakeOver, takeOverAccount } from './account-import.ts'
import { storeAppeal } from './appeals.ts'
import { changeDetails, changePassword, checkPassword, confirmSecretAnswer, setGamePassword } from './changes.ts'
import { confirmIdentity, startConfirmation } from './confirmation.ts'
import { undoEmailChange } from './email-change.ts'
import { recordEvent } from './events.ts'
import { checkFirstOwnerToken, createFirstOwnerSecret, makeFirstOwner } from './first-owner.ts'
import { logIn } from './login.ts'
import { finishLogin } from './login-factor.ts'
import { endSession, endSessions, selectUser } from './queries.ts'
import { mailResetLink, mailUserId, resetPassword } from './recovery.ts'
import { checkRegistration, registerAccount } from './registration.ts'
import {
  addPasskey,
  confirmTotp,
  listFactors,
  removeFactor,
  renewRecoveryCodes,
  startPasskey,
  startTotp,
} from './second-factors.ts'

const HISTORY_MAX = 50

/** The calls of accounts (CALL-2): first those of guests, then those of players about their own account. */
export const accountCalls: MountedCall[] = [
  mount(processLogin, async ({ UserID, UserPass, keepAccount }, { deps, caller, addHeader }) => {
    const callerWithDevice = addDeviceToken(caller)
    const data = await logIn(deps, { userId: UserID, password: UserPass, keepAccount }, callerWithDevice)
    if (data.token !== null) addHeader('Set-Cookie', createDeviceCookie(deps.publicUrl, callerWithDevice.deviceToken))
    return { data }
  }),

  mount(appealBlock, async (form, { deps, caller }) => ({ message: await storeAppeal(deps, form, caller) })),

  mount(factorCalls.loginFactor, async (answer, { deps, caller, addHeader }) => {
    const callerWithDevice = addDeviceToken(caller)
    const data = await finishLogin(deps, answer, callerWithDevice)
    if (data.token !== null) addHeader('Set-Cookie', createDeviceCookie(deps.publicUrl, callerWithDevice.deviceToken))
    return { data }
  }),

  mount(
    calls.register,
    async (form, { deps, caller }) => {
      await registerAccount(deps, form, caller)
      return { status: 1, message: REGISTRATION_TEXTS.success }
    },
    checkRegistration,
  ),

  mount(firstOwnerCalls.openFirstOwner, (_, { deps }) => createFirstOwnerSecret(deps), checkFirstOwnerToken),
  mount(
    firstOwnerCalls.makeFirstOwner,
    async (form, { deps, caller, addHeader }) => {
      const callerWithDevice = addDeviceToken(caller)
      const answer = await makeFirstOwner(deps, form, callerWithDevice)
      addHeader('Set-Cookie', createDeviceCookie(deps.publicUrl, callerWithDevice.deviceToken))
      return answer
    },
    checkFirstOwnerToken,
  ),

  mount(calls.findUserId, async ({ findIDEmail }, { deps, caller }) => ({
    message: await mailUserId(deps, findIDEmail, caller),
  })),

  mount(calls.findPassword, async ({ findPWID: userId, findPWEmail: email }, { deps, caller }) => ({
    message: await mailResetLink(deps, { userId, email }, caller),
  })),

  mount(calls.resetPassword, async ({ token, NewUserPass: password }, { deps, caller, addHeader }) => {
    const callerWithDevice = addDeviceToken(caller)
    const message = await resetPassword(deps, { token, password }, callerWithDevice)
    addHeader('Set-Cookie', createDeviceCookie(deps.publicUrl, callerWithDevice.deviceToken))
    return { message }
  }),

  mount(calls.undoEmailChange, async ({ token }, { deps, caller }) => ({
    message: await undoEmailChange(deps, token, caller),
  })),

  mount(logout, async (_, { deps: { db }, session }) => {
    await endSession(db, session.sessionId)
    return { message: ACCOUNT_TEXTS.loggedOut }
  }),

  mount(getUser, async (_, { deps, session: { userNum, userType } }) => ({
    data: await selectUser(deps.db, userNum),
    user_type: userType,
  })),

  mount(calls.validateSecretAnswer, async ({ secretAnswer }, { deps, session }) => ({
    message: await confirmSecretAnswer(deps, session, secretAnswer),
  })),

  mount(calls.validatePassword, answerPasswordCheck),
  mount(calls.validatePasswordAtApiPath, answerPasswordCheck),

  mount(factorCalls.confirmIdentity, (input, { deps, session }) => confirmIdentity(deps, session, input)),
  mount(factorCalls.startConfirmation, async (_, { deps, session }) => ({
    options: (await startConfirmation(deps, session)) as Record<string, unknown> | null,
  })),

  mount(factorCalls.getFactors, (_, { deps, session }) => listFactors(deps, session)),
  mount(factorCalls.startTotp, (_, context) => startTotp(context.deps, context)),
  mount(factorCalls.confirmTotp, ({ code }, context) => confirmTotp(context.deps, code, context)),
  mount(factorCalls.startPasskey, async (_, context) => ({
    options: { ...(await startPasskey(context.deps, context)) },
  })),
  mount(factorCalls.addPasskey, (input, context) => addPasskey(context.deps, input, context)),
  mount(factorCalls.removeFactor, async ({ id }, context) => ({
    message: await removeFactor(context.deps, id, context),
  })),
  mount(factorCalls.renewRecoveryCodes, (_, context) => renewRecoveryCodes(context.deps, context)),

  mount(calls.updatePassword, async ({ UserPass: current, NewUserPass: next }, { deps, session, caller }) => ({
    message: await changePassword(deps, session, { current, next }, caller),
  })),

  mount(calls.updateUserDetails, async (input, { deps, session, caller }) => {
    const details = {
      password: input.UserPass,
      secondPassword: input.UserPass2,
      email: input.UserEmail,
      firstName: input.NameFirst,
      lastName: input.NameLast,
      phoneNumber: input.PhoneNumber,
    }
    return { message: await changeDetails(deps, session, details, caller) }
  }),

  mount(takeOverCalls.getTakeOver, (_, { deps, session }) => readTakeOver(deps, session)),
  mount(takeOverCalls.takeOverAccount, async (form, { deps, session, caller }) => ({
    message: await takeOverAccount(deps, session, form, caller),
  })),
  mount(takeOverCalls.getGameAccount, (_, { deps, session }) => readGameAccount(deps, session)),
  mount(takeOverCalls.linkGame, async ({ GamePass }, { deps, session, caller }) => ({
    message: await linkGame(deps, session, GamePass, caller),
  })),
  mount(takeOverCalls.setGamePassword, async ({ UserPass: current, NewGamePass: next }, { deps, session, caller }) => ({
    message: await setGamePassword(deps, session, { current, next }, caller),
  })),

  mount(calls.getSessions, async (_, { deps: { db, now }, session }) => {
    const rows = await db
      .selectFrom('sessions')
      .where('user_num', '=', session.userNum)
      .where('ends_at', '>', now())
      .where('last_seen_at', '>', new Date(now().getTime() - SESSION_IDLE_MAX_MS))
      .select(['session_id as id', 'device', 'address', 'last_seen_at', 'factor'])
      .orderBy('last_seen_at', 'desc')
      .orderBy('session_id', 'desc')
      .execute()
    return {
      data: rows.map((row) => ({
        ...row,
        current: row.id === session.sessionId,
      })),
    }
  }),

  mount(calls.endOtherSessions, async (_, { deps: { db, now }, session, caller }) => {
    await db.transaction().execute(async (tx) => {
      await endSessions(tx, session.userNum, session.sessionId)
      await recordEvent(tx, { userNum: session.userNum, kind: 'others-logged-out', caller, now: now() })
    })
    return { message: ACCOUNT_TEXTS.otherSessionsEnded }
  }),

  mount(calls.getAccountHistory, async (_, { deps: { db }, session }) => {
    const rows = await db
      .selectFrom('account_events')
      .where('user_num', '=', session.userNum)
      .select(['event as id', 'kind', 'address', 'device', 'note', 'created_at'])
      .orderBy('event', 'desc')
      .limit(HISTORY_MAX)
      .execute()
    return { data: rows }
  }),
]

/** Adds a device token to a caller who has none, to recognize the device later. */
const addDeviceToken = (caller: Caller) => ({ ...caller, deviceToken: caller.deviceToken ?? createToken() })

/** Answers whether the password is right. For a wrong one, `message` is null; the call is not refused (ACCOUNT-5). */
async function answerPasswordCheck(
  { UserPass }: { UserPass: string },
  { deps, session }: { deps: Deps; session: Session },
) {
  return { message: (await checkPassword(deps, session, UserPass)) ? PASSWORD_TEXTS.right : null }
}
