import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { CallInput, CallOutput, FormValues, ValidFormValues, WireEndpoint } from '#contract/endpoint.ts'
import { CallError, getAlertText } from '#web/api/call.ts'
import { PRIVATE_DATA_KEY } from '#web/api/queries.ts'
import { FormActions, PaperSheet } from '#web/forms/sheet.tsx'
import { useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/ui/button.tsx'
import { useCurrencyText } from '#web/ui/currency-names.ts'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import { showToast } from '#web/ui/toast.ts'
import { type Confirmation, ConfirmationDialog } from './action.tsx'
import { ApprovalPendingError, deskCall, getMessage, IdentityNotConfirmedError, showFailure } from './call.ts'
import styles from './desk-form.module.css'
import deskLayout from './desk-layout.module.css'
import { type FieldAdditions, Fields, type FormEntry, type FormState, type ShownFields } from './fields.tsx'
import { useLeaveGuard } from './leave-guard.tsx'

type FieldName<E> = keyof FormValues<E> & string

/** The values and errors of a form and the setter, for elements that a screen adds. */
export type DeskFormState<E> = FormState<Partial<FormValues<E>>> & {
  /** Returns the current values, for code that continues after an upload. */
  getValues: () => Partial<FormValues<E>>
}

type DeskFormProps<E extends WireEndpoint, Described extends FieldName<E>> = {
  endpoint: E
  /** The form's fields, as declared in the contract. */
  fields: ShownFields<Described>
  /** The screen's additions to the fields. */
  fieldAdditions?: FieldAdditions<NoInfer<Described>>
  /** The fields to show, in order; a function receives the form and can show more or fewer. */
  show:
    | readonly FormEntry<NoInfer<Described>>[]
    | ((form: DeskFormState<E>) => readonly FormEntry<NoInfer<Described>>[])
  /** The initial values; for a record that two people may edit, with its `version`. */
  values?: Partial<FormValues<E>>
  /** Fetches the values again after a conflict (409). */
  fetchLatest?: () => Promise<Partial<FormValues<E>>>
  /** Converts the typed values to the call's input; without it they are the same. */
  input?: (values: ValidFormValues<E>) => CallInput<E>
  /**
   * Validates the form instead of the endpoint's rules. Returns the error of each field; `root` stands for the whole
   * form.
   */
  check?: (values: FormValues<E>) => Partial<Record<string, string>>
  /** A title on the sheet. */
  title?: string
  /** The label of the submit button. */
  submitLabel?: string | ((form: DeskFormState<E>) => string)
  /** The confirmation before the form is submitted. */
  getConfirmation?: (values: ValidFormValues<E>) => Confirmation
  /** Whether the form can be saved only after a change; the changes can then be reset. */
  savesChanges?: boolean
  /** The message after saving; by default the answer's. */
  successMessage?: string | null | ((answer: CallOutput<E>) => string)
  onDone?: (answer: CallOutput<E>, values: ValidFormValues<E>) => unknown
  /** Called when the call waits for another operator's approval. Nothing is saved yet, but the form can close. */
  onWaiting?: () => void
  /** Leaves without saving. */
  onCancel?: () => void
  /** More buttons, after the first one. */
  actions?: ReactNode
  /** Shows a preview of the player's page next to the sheet while the form is filled in. */
  preview?: (values: Partial<FormValues<E>>) => ReactNode
}

/** Returns the initial value of a field. */
const createEmptyValue = ({ kind, isNullable }: ShownFields<string>[string]) =>
  kind === 'tick' ? false : isNullable || kind === 'number' ? null : ''

/**
 * A form of the desk on a sheet of paper. It shows errors below their fields, makes one call at a time, prompts before
 * unsaved changes are lost, and compares both versions after a conflict.
 */
export function DeskForm<E extends WireEndpoint, Described extends FieldName<E>>(props: DeskFormProps<E, Described>) {
  const {
    endpoint,
    fieldAdditions,
    show,
    input,
    fetchLatest,
    check,
    title,
    submitLabel = 'Save',
    successMessage,
    onDone,
    onCancel,
  } = props
  const names = Object.keys(props.fields) as Described[]
  const fields = Object.fromEntries(
    names.map((name) => [name, { ...props.fields[name], ...fieldAdditions?.[name] }]),
  ) as ShownFields<Described>
  const [initialValues] = useState(() => ({
    ...Object.fromEntries(names.map((name) => [name, createEmptyValue(fields[name])])),
    ...props.values,
  }))
  const renameCurrencies = useCurrencyText()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const formRef = useRef<HTMLFormElement>(null)
  const [isTouched, setIsTouched] = useState(false)
  const [conflict, setConflict] = useState<Partial<FormValues<E>> | null>(null)
  const isLeavingAllowed = useRef(false)
  const [submittedValues, setSubmittedValues] = useState<ValidFormValues<E> | null>(null)
  const [isConfirming, setIsConfirming] = useState(false)

  const form = useCallForm<E>(endpoint, {
    defaultValues: initialValues as Partial<FormValues<E>>,
    transport: (calledEndpoint, sentInput, { idempotencyKey }) =>
      deskCall(
        calledEndpoint,
        sentInput as CallInput<typeof calledEndpoint>,
        idempotencyKey === undefined ? {} : { idempotencyKey },
      ),
    ...(input && { input }),
    ...(check && { check }),
    onDone: async (answer, formValues) => {
      isLeavingAllowed.current = true
      setIsTouched(false)
      const text =
        typeof successMessage === 'function' ? successMessage(answer) : (successMessage ?? getMessage(answer))
      if (text !== null) void showToast('done', renameCurrencies(text))
      await onDone?.(answer, formValues)
      isLeavingAllowed.current = false
      await queryClient.invalidateQueries({ queryKey: [PRIVATE_DATA_KEY] })
    },
    onFailure: (error, isInFields): string | undefined => {
      if (error instanceof IdentityNotConfirmedError) return undefined
      if (error instanceof ApprovalPendingError) {
        showFailure(error, navigate)
        setIsTouched(false)
        if (props.savesChanges) form.reset(initialValues as Partial<FormValues<E>>)
        isLeavingAllowed.current = true
        props.onWaiting?.()
        isLeavingAllowed.current = false
        return undefined
      }
      const isConflict = error instanceof CallError && error.status === 409 && Object.keys(error.fields).length === 0
      if (isConflict && fetchLatest !== undefined) {
        fetchLatest().then(setConflict, (failure) => showFailure(failure, navigate))
        return undefined
      }
      return isInFields ? undefined : getAlertText(error)
    },
  })
  // The fields are controlled, so the form library has no reference to their elements.
  useEffect(() => {
    if (!form.busy) formRef.current?.querySelector<HTMLElement>('[aria-invalid]:not([tabindex="-1"])')?.focus()
  }, [form.busy])

  useFocusOnOpen(formRef, onCancel !== undefined)

  const state: DeskFormState<E> = {
    values: form.watchAll(),
    getValues: form.getValues,
    getError: (name) => form.field(name).error,
    change: (part) => {
      form.change(part as Partial<FormValues<E>>)
      setIsTouched(true)
    },
  }
  const isChanged = props.savesChanges
    ? names.some((name) => state.values[name] !== (initialValues as Partial<FormValues<E>>)[name])
    : isTouched
  useLeaveGuard(isChanged, isLeavingAllowed)
  const resetTo = (savedValues: Partial<FormValues<E>>) => {
    form.reset({ ...form.getValues(), ...savedValues })
    setConflict(null)
    setIsTouched(false)
  }
  const overwriteSaved = (savedValues: Partial<FormValues<E>>) => {
    form.change({ version: (savedValues as { version?: unknown }).version } as unknown as Partial<FormValues<E>>)
    setConflict(null)
    form.form.onSubmit()
  }

  const label = typeof submitLabel === 'function' ? submitLabel(state) : submitLabel
  const openConfirmation = form.createSubmitHandler((formValues) => {
    setSubmittedValues(formValues)
    setIsConfirming(true)
  })

  const sheet = (
    <PaperSheet className={styles.sheet}>
      <form
        {...form.form}
        {...(props.getConfirmation && { onSubmit: openConfirmation })}
        ref={formRef}
        className={`${deskLayout.form} ${styles.form}`}
        data-titled={title !== undefined || undefined}
        aria-label={title}
      >
        {title !== undefined && <h2>{title}</h2>}
        <Fields fields={fields} show={typeof show === 'function' ? show(state) : show} form={state} />
        {form.failure !== null && (
          <p className={deskLayout.failure} role="alert">
            {form.failure}
          </p>
        )}
        <FormActions className={styles.actions}>
          <Button type="submit" tone="paper" busy={form.busy} disabled={props.savesChanges && !isChanged}>
            {label}
          </Button>
          {props.savesChanges && isChanged && (
            <Button tone="secondary" onClick={() => resetTo(initialValues as Partial<FormValues<E>>)}>
              Reset
            </Button>
          )}
          {props.actions}
          {onCancel && (
            <Button tone="secondary" onClick={onCancel}>
              Cancel
            </Button>
          )}
        </FormActions>
      </form>
      {submittedValues !== null && props.getConfirmation && (
        <ConfirmationDialog
          open={isConfirming}
          onClose={() => setIsConfirming(false)}
          confirmation={{ action: label, ...props.getConfirmation(submittedValues) }}
          endpoint={endpoint}
          input={() => input?.(submittedValues) ?? (submittedValues as CallInput<E>)}
          {...(successMessage !== undefined && { successMessage })}
          onDone={(answer) => onDone?.(answer, submittedValues)}
        />
      )}
      <ConflictDialog
        savedValues={conflict}
        typedValues={form.getValues()}
        fields={fields}
        onOverwrite={overwriteSaved}
        onUseSaved={resetTo}
        onClose={() => setConflict(null)}
      />
    </PaperSheet>
  )
  if (props.preview === undefined) return sheet
  return (
    <div className={styles.withPreview}>
      {sheet}
      <figure className={styles.preview}>
        <figcaption>Preview</figcaption>
        {/* The preview is inert: nothing in it can be pressed or submitted. */}
        <div inert>{props.preview(state.values)}</div>
      </figure>
    </div>
  )
}

const FIELD_SELECTOR = ':is(input, select, textarea):not([hidden], [type=hidden], [readonly])'

/**
 * Moves the focus into a form that a button has opened, and back to the button when the form closes. On a touch screen
 * the focus would open the keyboard over the form.
 */
function useFocusOnOpen(formRef: RefObject<HTMLFormElement | null>, isOpenedByButton: boolean): void {
  // Reads the button before the form is rendered, because the first render often removes the button.
  const [opener] = useState(() => document.activeElement?.closest<HTMLElement>('main :is(button, a)') ?? null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the form opens
  useEffect(() => {
    if (!isOpenedByButton || matchMedia('(pointer: coarse)').matches) return undefined
    formRef.current?.querySelector<HTMLElement>(FIELD_SELECTOR)?.focus()
    return () => {
      setTimeout(() => {
        if (opener === null || document.activeElement !== document.body) return
        const buttons = [...document.querySelectorAll<HTMLElement>('main :is(button, a)')]
        const target = opener.isConnected
          ? opener
          : buttons.find(({ textContent }) => textContent === opener.textContent)
        target?.focus()
      })
    }
  }, [])
}

type ConflictDialogProps<Values> = {
  savedValues: Values | null
  typedValues: Values
  fields: ShownFields<string>
  onOverwrite: (savedValues: Values) => void
  onUseSaved: (savedValues: Values) => void
  onClose: () => void
}

const formatConflictValue = (value: unknown) =>
  value === null || value === undefined || value === ''
    ? '(empty)'
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)

/** Shows a conflict: both versions side by side where they differ. The typed values are preserved. */
function ConflictDialog<Values extends object>({
  savedValues,
  typedValues,
  fields,
  onOverwrite,
  onUseSaved,
  onClose,
}: ConflictDialogProps<Values>) {
  const formatField = (values: Values | null, name: string) =>
    formatConflictValue((values as Record<string, unknown> | null)?.[name])
  return (
    <DialogWindow
      open={savedValues !== null}
      onClose={onClose}
      title="Someone else has changed this"
      tone="note"
      actions={
        savedValues && (
          <>
            <Button tone="secondary" onClick={() => onUseSaved(savedValues)}>
              Use their version
            </Button>
            <Button onClick={() => onOverwrite(savedValues)}>Save my version</Button>
          </>
        )
      }
    >
      <p>They saved while you were writing. Your text is still in the form; choose which version to save.</p>
      <dl className={styles.versions}>
        {Object.entries(fields)
          .filter(
            ([name]) =>
              savedValues !== null &&
              name in savedValues &&
              formatField(savedValues, name) !== formatField(typedValues, name),
          )
          .map(([name, { label }]) => (
            <div key={name}>
              <dt>{label}</dt>
              <dd>
                <span>Theirs</span> {formatField(savedValues, name)}
              </dd>
              <dd>
                <span>Yours</span> {formatField(typedValues, name)}
              </dd>
            </div>
          ))}
      </dl>
    </DialogWindow>
  )
}
