import { type FormEvent, useMemo, useRef, useState } from 'react'
import { type DefaultValues, type UseFormReturn, useForm } from 'react-hook-form'
import type { CallInput, CallOutput, FormValues, ValidFormValues, WireEndpoint } from '#contract/endpoint.ts'
import { CallError, type CallOptions, call, getAlertText, isSessionExpired } from '#web/api/call.ts'
import { createExclusiveRunner } from './exclusive-runner.ts'
import { createResolver } from './rules.ts'
import { createKeyedSend } from './submission.ts'

type AnyValues = Record<string, unknown>
type Name<E> = keyof FormValues<E> & string

/** Sends a form's call: `call`, or `upload` to show the progress. */
type Transport = (
  endpoint: WireEndpoint,
  input: AnyValues,
  options: CallOptions & { onProgress?: (fraction: number) => void },
) => Promise<unknown>

export type CallFormOptions<E extends WireEndpoint> = {
  /**
   * The initial values of the fields. Leave it out on pages that are rendered on the server, to preserve text typed
   * before the scripts load.
   */
  defaultValues?: Partial<FormValues<E>>
  /** Converts the typed values to the call's input; without it they are the same. */
  input?: (values: ValidFormValues<E>) => CallInput<E>
  transport?: Transport
  /**
   * Checks the fields instead of the endpoint's rules. Returns the error of each field; `root` stands for the whole
   * form.
   */
  check?: (values: FormValues<E>) => Partial<Record<string, string>>
  onDone?: (answer: CallOutput<E>, values: ValidFormValues<E>) => unknown
  /**
   * Handles a failure. A returned text becomes `failure`. Without this function, an error that no field shows becomes
   * `failure`. The shell handles an ended session, without calling this function.
   *
   * @param isInFields whether a field of the form shows the error
   */
  onFailure?: (error: unknown, isInFields: boolean) => unknown
}

/**
 * Builds a form for an endpoint: it checks the fields by the endpoint's rules, makes one call per submit, and shows the
 * server's errors under their fields.
 *
 * Spread `form` on the form element and `field(name)` on each of its fields, in the order of the page.
 */
export function useCallForm<E extends WireEndpoint>(endpoint: E, options: CallFormOptions<E> = {}) {
  const [{ resolver, preload }, runExclusively, keyedSend] = useMemo(
    () => [createResolver(endpoint), createExclusiveRunner(), createKeyedSend()] as const,
    [endpoint],
  )
  const { check } = options
  const hookForm = useForm<AnyValues>({
    resolver: check === undefined ? resolver : (values) => toResolverResult(check(values as FormValues<E>), values),
    ...(options.defaultValues && { defaultValues: options.defaultValues as DefaultValues<AnyValues> }),
  })
  const names = useRef(new Set<string>())
  const [failure, setFailure] = useState<string | null>(null)
  const [progress, setProgress] = useState<number | null>(null)
  const { errors, isSubmitting, isSubmitted } = hookForm.formState

  const send = (values: ValidFormValues<E>): Promise<CallOutput<E>> => {
    const input = (options.input?.(values) ?? values) as AnyValues
    const transport = options.transport ?? (call as Transport)
    const sendWithKey = (idempotencyKey?: string) =>
      transport(endpoint, input, { shellFailures: 'ended-session', idempotencyKey, onProgress: setProgress })
    return (endpoint.idempotent ? keyedSend(input, sendWithKey) : sendWithKey()) as Promise<CallOutput<E>>
  }

  /** Shows a failure under its fields or for the whole form. */
  const showFailure = (error: unknown) => {
    if (isSessionExpired(error)) return
    const isInFields = showFieldErrors(hookForm, [...names.current], error)
    const text = options.onFailure ? options.onFailure(error, isInFields) : isInFields ? undefined : getAlertText(error)
    setFailure(typeof text === 'string' ? text : null)
  }

  /** Returns a submit handler that checks the fields and then runs `action` instead of the endpoint's call. */
  const createSubmitHandler =
    (action: (values: ValidFormValues<E>) => unknown) => (event?: FormEvent<HTMLFormElement>) => {
      event?.preventDefault()
      void runExclusively(async () => {
        setFailure(null)
        try {
          await hookForm.handleSubmit(async (values) => {
            await action(values as ValidFormValues<E>)
          })(event)
        } catch (error) {
          showFailure(error)
        }
        setProgress(null)
      })
    }

  return {
    form: {
      method: 'dialog' as const,
      noValidate: true,
      onFocus: check === undefined ? preload : undefined,
      onSubmit: createSubmitHandler(async (values) => options.onDone?.(await send(values), values)),
    },
    field: (name: Name<E>) => {
      names.current.add(name)
      return { ...hookForm.register(name), error: getErrorText(errors[name]) }
    },
    createSubmitHandler,
    send,
    showFailure,
    busy: isSubmitting,
    /** The error of the whole form. */
    failure: failure ?? getErrorText(errors.root) ?? null,
    /** The uploaded fraction, from 0 to 1; null while no upload runs. */
    progress,
    watch: <N extends Name<E>>(name: N) => hookForm.watch(name) as FormValues<E>[N] | undefined,
    /** Returns all values and rerenders when they change. */
    watchAll: () => hookForm.watch() as Partial<FormValues<E>>,
    /** Changes the values of controlled fields. After the first submit, they are checked immediately. */
    change: (changes: Partial<FormValues<E>>) => {
      for (const [name, value] of Object.entries(changes))
        hookForm.setValue(name, value as never, { shouldValidate: isSubmitted })
    },
    getValues: () => hookForm.getValues() as Partial<FormValues<E>>,
    setValue: <N extends Name<E>>(name: N, value: FormValues<E>[N]) => hookForm.setValue(name, value as never),
    setFocus: (name: Name<E>) => hookForm.setFocus(name),
    /** Shows an error under a field and focuses the field. */
    setError: (name: Name<E>, message: string) =>
      hookForm.setError(name, { type: 'server', message }, { shouldFocus: true }),
    reset: (values: Partial<FormValues<E>>) => hookForm.reset(values as AnyValues),
  }
}

/** Converts the errors of the fields to a resolver's result. */
function toResolverResult(errorTexts: Partial<Record<string, string>>, values: AnyValues) {
  const errors = Object.entries(errorTexts).map(([name, message]) => [name, { type: 'check', message }] as const)
  return errors.length === 0 ? { values, errors: {} } : { values: {}, errors: Object.fromEntries(errors) }
}

/** Returns the error of a field, or the first error of the entries of a list. */
function getErrorText(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  if ('message' in error && typeof error.message === 'string') return error.message
  return Object.values(error).map(getErrorText).find(Boolean)
}

/**
 * Shows the server's errors under their fields and focuses the first one.
 *
 * @param names the fields of the form, in the order of the page
 * @returns whether a field shows an error
 */
export function showFieldErrors(
  form: Pick<UseFormReturn<AnyValues>, 'setError' | 'setFocus'>,
  names: readonly string[],
  error: unknown,
): boolean {
  const texts = error instanceof CallError ? error.fields : {}
  const invalidNames = names.filter((name) => texts[name]?.[0] !== undefined)
  for (const name of invalidNames) form.setError(name, { type: 'server', message: texts[name]?.[0] })
  if (invalidNames[0] !== undefined) form.setFocus(invalidNames[0])
  return invalidNames.length > 0
}
