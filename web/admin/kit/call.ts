import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import type { CallInput, CallOutput, Wire } from '#contract/endpoint.ts'
import { CALLS } from '#contract/messages.ts'
import {
  alertText,
  CallError,
  type CallOptions,
  endDeadSession,
  headersOf,
  isExpired,
  refusalOf,
  requestOf,
} from '#web/api/call.ts'
import { MINE } from '#web/api/queries.ts'
import { accessToken } from '#web/api/session.ts'
import { createOneAtATime } from '#web/forms/one-at-a-time.ts'
import { createKeyedSend } from '#web/forms/submission.ts'
import { showToast } from '#web/ui/toast.ts'
import { noteServerTime } from './clock.ts'
import { confirmIdentity } from './identity.ts'

/** A refusal of the desk: `reason` tells a missing permission from a missing confirmation or second factor. */
export class DeskRefusal extends CallError {
  readonly reason: string | undefined
  /** The whole answer, for a refusal that says more than its sentence. */
  readonly body: unknown

  constructor(status: number, message: string, body?: unknown) {
    super(status, message, body)
    this.body = body
    this.reason = (body as { reason?: string } | null)?.reason
  }
}

/** The call waits until another operator approves it (HTTP 202): nothing has happened yet, and nothing is wrong. */
export class WaitsForApproval extends Error {
  /** The number of the request on the Approvals screen. */
  readonly approval: number

  constructor({ message, approval }: { message: string; approval: number }) {
    super(message)
    this.name = 'WaitsForApproval'
    this.approval = approval
  }
}

/** The person closed the identity dialog: the call was not retried, and there is nothing to report. */
export class NotConfirmed extends Error {}

type DeskCallOptions = Pick<CallOptions, 'idempotencyKey' | 'signal'>

/**
 * Makes a call of the desk. If it needs a fresh confirmation, asks for one and retries the call.
 *
 * @throws DeskRefusal with the server's words; without an answer its status is 0
 * @throws WaitsForApproval, NotConfirmed
 */
export async function deskCall<E extends Wire>(
  endpoint: E,
  input: CallInput<E>,
  options: DeskCallOptions = {},
): Promise<CallOutput<E>> {
  try {
    return await send(endpoint, input, options)
  } catch (error) {
    if (!(error instanceof DeskRefusal) || error.reason !== 'sudo') throw error
    if (!(await confirmIdentity())) throw new NotConfirmed(error.message)
    return send(endpoint, input, options)
  }
}

async function send<E extends Wire>(
  endpoint: E,
  input: CallInput<E>,
  { idempotencyKey, signal }: DeskCallOptions,
): Promise<CallOutput<E>> {
  const token = accessToken()
  const { url, init } = requestOf(endpoint, input as Record<string, unknown>)
  const headers = headersOf(token, init.headers)
  if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey)
  const answer = await fetch(url, { ...init, headers, cache: 'no-cache', ...(signal && { signal }) }).catch(
    (error: unknown) => {
      throw signal?.aborted ? error : new DeskRefusal(0, CALLS.network)
    },
  )
  noteServerTime(answer)
  if (answer.status === 401 && token !== null) await endDeadSession(token, answer.clone())
  if (answer.status === 202) throw new WaitsForApproval(await answer.json())
  if (answer.ok && endpoint.isFile) return (await answer.blob()) as CallOutput<E>
  const body: unknown = await answer.json().catch(() => null)
  if (!answer.ok) throw new DeskRefusal(answer.status, refusalOf(answer.status, body).message, body)
  return body as CallOutput<E>
}

export type ActionOptions<E extends Wire> = {
  /** The message shown when it is done, or a function that makes it from the answer. */
  done?: string | ((answer: CallOutput<E>) => string)
  /** Adds an Undo button to that message; it should do the opposite. */
  undo?: (answer: CallOutput<E>) => unknown
  onDone?: (answer: CallOutput<E>) => unknown
}

/**
 * An action that a button starts: one call at a time, with an idempotency key, so retries count once. When it succeeds,
 * the screen's data is fetched again.
 *
 * `run` returns the answer, or undefined after it has shown a failure as a message; `attempt` throws the failure.
 */
export function useAction<E extends Wire>(endpoint: E, options: ActionOptions<E> = {}) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [oneAtATime, keyedSend] = useMemo(() => [createOneAtATime(), createKeyedSend()] as const, [])
  const [busy, setBusy] = useState(false)

  /** @throws what `deskCall` throws */
  const attempt = (input: CallInput<E>): Promise<CallOutput<E> | undefined> =>
    oneAtATime(async () => {
      setBusy(true)
      try {
        const answer = await keyedSend(input as object, (idempotencyKey) =>
          deskCall(endpoint, input, endpoint.idempotent ? { idempotencyKey } : {}),
        )
        const { done, undo } = options
        const text = typeof done === 'function' ? done(answer) : done
        const action = undo && { label: 'Undo', onPress: () => void undo(answer) }
        if (text !== undefined) void showToast('done', text, action ? { action } : {})
        await options.onDone?.(answer)
        await queries.invalidateQueries({ queryKey: [MINE] })
        return answer
      } finally {
        setBusy(false)
      }
    })

  const run = async (input: CallInput<E>): Promise<CallOutput<E> | undefined> => {
    try {
      return await attempt(input)
    } catch (error) {
      showFailure(error, navigate)
      return undefined
    }
  }

  return { run, attempt, busy }
}

/** Shows a failed call as a message: a neutral one if it only waits for another operator, none if nothing is wrong. */
export function showFailure(error: unknown, navigate: (to: string) => unknown): void {
  if (error instanceof NotConfirmed || isExpired(error)) return
  if (!(error instanceof WaitsForApproval)) return void showToast('error', alertText(error))
  void showToast('note', error.message, {
    action: { label: 'Approvals', to: '/admin/approvals', onPress: () => void navigate('/admin/approvals') },
  })
}
