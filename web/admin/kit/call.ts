import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import type { CallInput, CallOutput, WireEndpoint } from '#contract/endpoint.ts'
import { CallError, type CallOptions, call, getAlertText, isSessionExpired } from '#web/api/call.ts'
import { PRIVATE_DATA_KEY } from '#web/api/queries.ts'
import { createExclusiveRunner } from '#web/forms/exclusive-runner.ts'
import { createKeyedSend } from '#web/forms/submission.ts'
import { useCurrencyText } from '#web/ui/currency-names.ts'
import { showToast } from '#web/ui/toast.ts'
import { noteServerTime } from './clock.ts'
import { promptIdentity } from './identity.ts'

/**
 * Thrown when a call waits until another operator approves it (HTTP 202). Nothing has changed yet, and nothing failed.
 */
export class ApprovalPendingError extends Error {
  /** The number of the request on the Approvals screen. */
  readonly approval: number

  constructor({ message, approval }: { message: string; approval: number }) {
    super(message)
    this.name = 'ApprovalPendingError'
    this.approval = approval
  }
}

/** Thrown when the operator closes the identity dialog. The call was not retried, and there is nothing to report. */
export class IdentityNotConfirmedError extends Error {}

type DeskCallOptions = Pick<CallOptions, 'idempotencyKey' | 'signal'>

/**
 * Makes a call of the desk. If the call needs a fresh confirmation of identity, prompts for it and retries the call.
 *
 * @throws CallError with the server's message; its status is 0 without a response
 * @throws ApprovalPendingError, IdentityNotConfirmedError
 */
export async function deskCall<E extends WireEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: DeskCallOptions = {},
): Promise<CallOutput<E>> {
  try {
    return await send(endpoint, input, options)
  } catch (error) {
    if (!(error instanceof CallError) || error.reason !== 'sudo') throw error
    if (!(await promptIdentity())) throw new IdentityNotConfirmedError(error.message)
    return send(endpoint, input, options)
  }
}

function send<E extends WireEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: DeskCallOptions,
): Promise<CallOutput<E>> {
  const onAnswer = async (answer: Response) => {
    noteServerTime(answer)
    if (answer.status === 202) throw new ApprovalPendingError(await answer.json())
  }
  // The desk shows all other failures itself.
  return call(endpoint, input, { ...options, shellFailures: 'ended-session', onAnswer })
}

export type ActionOptions<E extends WireEndpoint> = {
  /**
   * The message after success, or a function that builds it from the answer. The default is the answer's `message`;
   * null shows none.
   */
  successMessage?: string | null | ((answer: CallOutput<E>) => string)
  /** Adds an Undo button to the message. The function must reverse the action. */
  undo?: (answer: CallOutput<E>) => unknown
  onDone?: (answer: CallOutput<E>) => unknown
}

/**
 * Returns an action for a button. It makes one call at a time with an idempotency key, so a retry has no second effect,
 * and reloads the screen's data after success.
 *
 * `run` returns the answer, or undefined after it has shown a failure as a message; `attempt` throws the failure.
 */
export function useAction<E extends WireEndpoint>(endpoint: E, options: ActionOptions<E> = {}) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const renameCurrencies = useCurrencyText()
  const [runOneAtATime, sendWithKey] = useMemo(() => [createExclusiveRunner(), createKeyedSend()] as const, [])
  const [busy, setBusy] = useState(false)

  /** @throws the errors of `deskCall` */
  const attempt = (input: CallInput<E>): Promise<CallOutput<E> | undefined> =>
    runOneAtATime(async () => {
      setBusy(true)
      try {
        const answer = await sendWithKey(input as object, (idempotencyKey) =>
          deskCall(endpoint, input, endpoint.idempotent ? { idempotencyKey } : {}),
        )
        const { successMessage = getMessage(answer), undo } = options
        const text = typeof successMessage === 'function' ? successMessage(answer) : successMessage
        const action = undo && { label: 'Undo', onPress: () => void undo(answer) }
        if (text !== null) void showToast('done', renameCurrencies(text), action ? { action } : {})
        await options.onDone?.(answer)
        await queryClient.invalidateQueries({ queryKey: [PRIVATE_DATA_KEY] })
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

/** Returns the `message` of an answer, or null. */
export function getMessage(answer: unknown): string | null {
  const { message } = (answer ?? {}) as { message?: unknown }
  return typeof message === 'string' ? message : null
}

/** Shows a failed call as a message. An approval request gets a neutral message, a closed identity dialog none. */
export function showFailure(error: unknown, navigate: (to: string) => unknown): void {
  if (error instanceof IdentityNotConfirmedError || isSessionExpired(error)) return
  if (!(error instanceof ApprovalPendingError)) return void showToast('error', getAlertText(error))
  void showToast('note', error.message, {
    action: { label: 'Approvals', to: '/admin/approvals', onPress: () => void navigate('/admin/approvals') },
  })
}
