import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { CallInput, WireEndpoint } from '#contract/endpoint.ts'
import { reasonFields } from '#contract/fields.ts'
import { CallError, getAlertText } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import layout from '#web/ui/layout.module.css'
import styles from './action.module.css'
import { type ActionOptions, ApprovalPendingError, IdentityNotConfirmedError, showFailure, useAction } from './call.ts'
import { Fields, type FormState, type ShownField, type ShownFields, toOptionPairs } from './fields.tsx'

/** The confirmation before an action that concerns other people or cannot be undone. */
export type Confirmation<Values = object> = {
  /** The title, a question: 'Refund 3 units?' */
  title: string
  /** Describes the effect exactly; a function receives the state of the dialog's fields. */
  text?: ReactNode | ((form: FormState<Values>) => ReactNode)
  /** The fields of the dialog before the reason. Their options update while the dialog is open. */
  fields?: ShownFields<keyof Values & string>
  /** The values that the fields start with. An empty choice without `none` starts with its first option. */
  values?: Values
  /**
   * The button's label, a verb and its object: 'Refund 3 units'. Defaults to the label of the button that opened it.
   */
  action?: string
  tone?: 'primary' | 'danger'
  /** Whether the dialog has a field for a reason, sent as `reason`. */
  reason?: 'required' | 'optional'
  /** The hint below the reason, if people can read it outside the audit log. */
  reasonHint?: string
  /** Explains a refusal below its message. */
  explain?: (refusal: CallError) => ReactNode
}

/** The call's input: an object, to which the reason is added, or a function that receives the values and the reason. */
type Input<E, Values> =
  | CallInput<E>
  | Omit<CallInput<E>, 'reason'>
  | ((dialogValues: Values & { reason: string }) => CallInput<E>)

const buildInput = <E, Values>(
  input: Input<E, Values>,
  dialogValues: Values & { reason: string },
  confirmation?: Confirmation<Values>,
) =>
  (typeof input === 'function'
    ? input(dialogValues)
    : confirmation?.reason === undefined
      ? input
      : { ...input, reason: dialogValues.reason }) as CallInput<E>

type DialogFields<Values> = ShownFields<(keyof Values & string) | 'reason'>

/** Returns the fields of a dialog in order, the reason last. */
function buildDialogFields<Values>({ fields, reason, reasonHint }: Confirmation<Values>) {
  const { label } = reasonFields.reason
  const reasonField: ShownField = {
    ...reasonFields.reason,
    ...(reason === 'optional' && { label: `${label} (optional)` }),
    ...(reasonHint !== undefined && { hint: reasonHint }),
  }
  return { ...fields, ...(reason !== undefined && { reason: reasonField }) } as DialogFields<Values>
}

const needsOption = ({ kind, none }: ShownField, value: unknown) =>
  kind === 'choice' && none === undefined && value === ''

/** Returns the values, with the first option for each choice without a value. */
function chooseFirstOptions<Values extends object>(values: Values, fields: Partial<Record<string, ShownField>>) {
  const entries = Object.entries(values).map(([name, value]) => {
    const field = fields[name]
    return [name, field && needsOption(field, value) ? (toOptionPairs(field.options ?? {})[0]?.[0] ?? '') : value]
  })
  return Object.fromEntries(entries) as Values
}

/** Returns whether a choice has no options, for example because they are loading. */
const isChoiceMissing = (values: object, fields: Partial<Record<string, ShownField>>) =>
  Object.entries(values).some(([name, value]) => fields[name] !== undefined && needsOption(fields[name], value))

type ConfirmationDialogProps<E extends WireEndpoint, Values extends object> = Pick<
  ActionOptions<E>,
  'successMessage' | 'onDone' | 'undo'
> & {
  open: boolean
  onClose: () => void
  confirmation: Confirmation<Values>
  endpoint: E
  input: Input<E, Values>
}

/** A dialog that describes the effect of an action and makes its call. */
export function ConfirmationDialog<E extends WireEndpoint, Values extends object>(
  props: ConfirmationDialogProps<E, Values>,
) {
  const { open, onClose, confirmation, endpoint, input, onDone, ...options } = props
  const { title, text, action, tone = 'primary', reason } = confirmation
  const navigate = useNavigate()
  const initialValues = { ...(confirmation.values as Values), reason: '' }
  const [dialogValues, setDialogValues] = useState(initialValues)
  const [fieldErrors, setFieldErrors] = useState<Partial<Record<string, string>>>({})
  const [failure, setFailure] = useState<{ text: string; more: ReactNode } | null>(null)
  const formRef = useRef<HTMLFormElement>(null)
  const { attempt, busy } = useAction(endpoint, options)
  // biome-ignore lint/correctness/useExhaustiveDependencies: resets the form whenever it opens
  useEffect(() => {
    if (open) setDialogValues(initialValues)
    setFieldErrors({})
    setFailure(null)
  }, [open])
  const fields = buildDialogFields(confirmation)
  const values = chooseFirstOptions(dialogValues, fields)
  const form: FormState<Values & { reason: string }> = {
    values,
    getError: (name) => fieldErrors[name],
    change: (part) => setDialogValues((current) => ({ ...current, ...part })),
  }

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // A button inside a form can open this dialog, and must not submit that form.
    event.stopPropagation()
    const sentValues = { ...values, reason: values.reason.trim() }
    if (reason === 'required' && sentValues.reason === '') {
      formRef.current?.querySelector<HTMLElement>('textarea')?.focus()
      return setFieldErrors({ reason: 'Please give a reason.' })
    }
    setFieldErrors({})
    setFailure(null)
    try {
      const answer = await attempt(buildInput(input, sentValues, confirmation))
      if (answer === undefined) return
      onClose()
      await onDone?.(answer)
    } catch (error) {
      if (error instanceof IdentityNotConfirmedError) return
      if (error instanceof ApprovalPendingError) {
        onClose()
        return showFailure(error, navigate)
      }
      const fields = error instanceof CallError ? error.fields : {}
      const shownErrors = Object.entries(fields).flatMap(([name, [label]]) =>
        name in dialogValues ? [[name, label]] : [],
      )
      if (shownErrors.length > 0) return setFieldErrors(Object.fromEntries(shownErrors))
      setFailure({
        text: getAlertText(error),
        more: error instanceof CallError ? confirmation.explain?.(error) : undefined,
      })
    }
  }

  return (
    <DialogWindow
      open={open}
      onClose={busy ? undefined : onClose}
      title={title}
      tone={tone === 'danger' ? 'error' : 'ask'}
    >
      <form noValidate ref={formRef} onSubmit={(event) => void submit(event)}>
        <div className={styles.text}>
          {typeof text === 'function' ? (
            text(form as unknown as FormState<Values>)
          ) : typeof text === 'string' ? (
            <p>{text}</p>
          ) : (
            text
          )}
        </div>
        <div className={layout.stack}>
          <Fields fields={fields} show={Object.keys(fields) as (keyof typeof fields)[]} form={form} />
        </div>
        {failure !== null && (
          <p className={styles.failure} role="alert">
            {failure.text}
          </p>
        )}
        {failure?.more}
        <div className={styles.actions}>
          <Button tone="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" tone={tone} busy={busy || isChoiceMissing(values, fields)}>
            {action}
          </Button>
        </div>
      </form>
    </DialogWindow>
  )
}

type DeskActionProps<E extends WireEndpoint, Values extends object> = ActionOptions<E> & {
  endpoint: E
  input: Input<E, Values>
  label: string
  /** Names the target for screen readers when several buttons have the same label. */
  about?: string
  tone?: 'primary' | 'secondary' | 'paper' | 'danger' | 'quiet'
  /** The style of a plain button, instead of `tone`. */
  className?: string | undefined
  confirmation?: Confirmation<Values>
  /** Runs before the confirmation opens, and prevents it by returning false. */
  prepare?: () => Promise<boolean>
}

/** A button that makes a call, after a confirmation if there is one. */
export function DeskAction<E extends WireEndpoint, Values extends object = object>(props: DeskActionProps<E, Values>) {
  const { endpoint, input, label, about, tone = 'primary', className, confirmation, prepare, ...options } = props
  const { run, busy } = useAction(endpoint, options)
  const [isOpen, setOpen] = useState(false)
  // An open dialog keeps the texts and the input that it opened with; only its fields update.
  const [dialogProps, setDialogProps] = useState<Pick<
    ConfirmationDialogProps<E, Values>,
    'confirmation' | 'input'
  > | null>(null)
  const handlePress = async () => {
    if (prepare !== undefined && !(await prepare())) return
    if (confirmation === undefined) return void run(buildInput(input, {} as Values & { reason: string }))
    const confirmationTone = tone === 'danger' ? 'danger' : 'primary'
    setDialogProps({ confirmation: { action: label.replace('…', ''), tone: confirmationTone, ...confirmation }, input })
    setOpen(true)
  }
  const content = (
    <>
      {label}
      {about !== undefined && <span className="visually-hidden"> {about}</span>}
    </>
  )
  return (
    <>
      {className === undefined ? (
        <Button tone={tone} busy={busy} onClick={() => void handlePress()}>
          {content}
        </Button>
      ) : (
        <button type="button" className={className} disabled={busy} onClick={() => void handlePress()}>
          {content}
        </button>
      )}
      {dialogProps !== null && (
        <ConfirmationDialog
          open={isOpen}
          onClose={() => setOpen(false)}
          endpoint={endpoint}
          confirmation={{ ...dialogProps.confirmation, ...(confirmation?.fields && { fields: confirmation.fields }) }}
          input={dialogProps.input}
          {...options}
        />
      )}
    </>
  )
}
