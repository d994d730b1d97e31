import { createRoute, z } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import { PASSWORD, REGISTER } from '#contract/account-messages.ts'
import * as calls from '#contract/accounts.ts'
import type { Deps } from '#server/deps.ts'
import { callerOf } from '#server/http/caller.ts'
import { createRouter, reply } from '#server/http/router.ts'
import { requireOwnAccount, requireSession, type WithSession } from '#server/http/session.ts'
import { listEvents, listSessions, logOut, logOutOthers } from './activity.ts'
import { changeDetails, changePassword, checkPassword, confirmSecretAnswer } from './changes.ts'
import { logIn } from './login.ts'
import { selectUser } from './queries.ts'
import { mailResetLink, mailUserId, resetPassword } from './recovery.ts'
import { formRefusal, registerAccount } from './registration.ts'

/** Calls of guests: log in, register, find an account again (SPEC §7). */
export function guestAccountRoutes(deps: Deps) {
  const caller = (c: Context) => callerOf(c, deps.config.trustedProxies)
  return createRouter()
    .openapi(createRoute(calls.processLogin), async (c) => {
      const { UserID, UserPass } = c.req.valid('json')
      c.header('Cache-Control', 'no-store')
      return reply(c, calls.processLogin, {
        data: await logIn(deps, { userId: UserID, password: UserPass }, caller(c)),
      })
    })
    .openapi(
      createRoute(calls.register),
      async (c) => {
        await registerAccount(deps, c.req.valid('json'), caller(c))
        return reply(c, calls.register, { status: 1, message: REGISTER.success })
      },
      (result) => {
        if (result.success) return
        throw formRefusal(z.flattenError(result.error as z.ZodError<Record<string, unknown>>).fieldErrors)
      },
    )
    .openapi(createRoute(calls.findUserId), async (c) =>
      reply(c, calls.findUserId, { message: await mailUserId(deps, c.req.valid('json').findIDEmail, caller(c)) }),
    )
    .openapi(createRoute(calls.findPassword), async (c) => {
      const { findPWID: userId, findPWEmail: email } = c.req.valid('json')
      return reply(c, calls.findPassword, { message: await mailResetLink(deps, { userId, email }, caller(c)) })
    })
    .openapi(createRoute(calls.resetPassword), async (c) => {
      const { token, NewUserPass: password } = c.req.valid('json')
      return reply(c, calls.resetPassword, { message: await resetPassword(deps, { token, password }, caller(c)) })
    })
}

type OwnAccount = MiddlewareHandler<WithSession>

/** Calls of players about their own account (SPEC §7). */
export function ownAccountRoutes(deps: Deps) {
  const caller = (c: Context) => callerOf(c, deps.config.trustedProxies)
  const middleware: [OwnAccount, OwnAccount] = [requireSession(deps), requireOwnAccount]
  const check = (password: string, c: Context<WithSession>) => checkPassword(deps, c.get('session'), password)
  return createRouter()
    .openapi(createRoute({ ...calls.logout, middleware }), async (c) =>
      reply(c, calls.logout, { message: await logOut(deps, c.get('session')) }),
    )
    .openapi(createRoute({ ...calls.getUser, middleware }), async (c) => {
      const { userNum, userType } = c.get('session')
      return reply(c, calls.getUser, { data: await selectUser(deps.db, userNum), user_type: userType })
    })
    .openapi(createRoute({ ...calls.validateSecretAnswer, middleware }), async (c) =>
      reply(c, calls.validateSecretAnswer, {
        message: await confirmSecretAnswer(deps, c.get('session'), c.req.valid('json').secretAnswer),
      }),
    )
    .openapi(createRoute({ ...calls.validatePassword, middleware }), async (c) =>
      reply(c, calls.validatePassword, {
        message: (await check(c.req.valid('json').UserPass, c)) ? PASSWORD.right : null,
      }),
    )
    .openapi(createRoute({ ...calls.validatePasswordAsWritten, middleware }), async (c) =>
      reply(c, calls.validatePassword, {
        message: (await check(c.req.valid('json').UserPass, c)) ? PASSWORD.right : null,
      }),
    )
    .openapi(createRoute({ ...calls.updatePassword, middleware }), async (c) => {
      const { UserPass: current, NewUserPass: next } = c.req.valid('json')
      const message = await changePassword(deps, c.get('session'), { current, next }, caller(c))
      return reply(c, calls.updatePassword, { message })
    })
    .openapi(createRoute({ ...calls.updateUserDetails, middleware }), async (c) => {
      const body = c.req.valid('json')
      const details = {
        password: body.UserPass,
        secondPassword: body.UserPass2,
        email: body.UserEmail,
        first: body.NameFirst,
        last: body.NameLast,
        phone: body.PhoneNumber,
      }
      return reply(c, calls.updateUserDetails, {
        message: await changeDetails(deps, c.get('session'), details, caller(c)),
      })
    })
    .openapi(createRoute({ ...calls.getSessions, middleware }), async (c) =>
      reply(c, calls.getSessions, { data: await listSessions(deps, c.get('session')) }),
    )
    .openapi(createRoute({ ...calls.endOtherSessions, middleware }), async (c) =>
      reply(c, calls.endOtherSessions, { message: await logOutOthers(deps, c.get('session'), caller(c)) }),
    )
    .openapi(createRoute({ ...calls.getAccountHistory, middleware }), async (c) =>
      reply(c, calls.getAccountHistory, { data: await listEvents(deps, c.get('session')) }),
    )
}
