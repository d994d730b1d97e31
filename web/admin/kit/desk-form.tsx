import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { CallInput, CallOutput, FormValues, ValidFormValues, Wire } from '#contract/endpoint.ts'
import { CallError, getAlertText } from '#web/api/call.ts'
import { PRIVATE_DATA_KEY } from '#web/api/queries.ts'
import { FormActions, PaperSheet } from '#web/forms/sheet.tsx'
import { useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/ui/button.tsx'
import { useCurrencyText } from '#web/ui/currency-names.ts'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import { showToast } from '#web/ui/toast.ts'
import { type Ask, AskDialog } from './action.tsx'
import { deskCall, getMessage, NotConfirmed, showFailure, WaitsForApproval } from './call.ts'
import styles from './desk-form.module.css'
import deskLayout from './desk-layout.module.css'
import { Fields, type FormState, type MoreAbout, type Shown, type ShownFields } from './fields.tsx'
import { useLeaveGuard } from './leave-guard.tsx'

type Name<E> = keyof FormValues<E> & string

/** The values and errors of a form and the setter, for elements that a screen adds. */
export type DeskFormState<E> = FormState<Partial<FormValues<E>>> & {
  /** Returns the current values, for code that continues after an upload. */
  getValues: () => Partial<FormValues<E>>
}

type DeskFormProps<E extends Wire, Described extends Name<E>> = {
  endpoint: E
  /** The form's fields, as declared in the contract. */
  fields: ShownFields<Described>
  /** The screen's additions to the fields. */
  more?: MoreAbout<NoInfer<Described>>
  /** The fields to show, in order; a function receives the form and can show more or fewer. */
  show: readonly Shown<NoInfer<Described>>[] | ((form: DeskFormState<E>) => readonly Shown<NoInfer<Described>>[])
  /** The initial values; for a record that two people may edit, with its `version`. */
  values?: Partial<FormValues<E>>
  /** Fetches the values again after a conflict (409). */
  latest?: () => Promise<Partial<FormValues<E>>>
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
  submit?: string | ((form: DeskFormState<E>) => string)
  /** The confirmation before the form is submitted. */
  ask?: (values: ValidFormValues<E>) => Ask
  /** Whether the form can be saved only after a change; the changes can then be reset. */
  savesChanges?: boolean
  /** The message after saving; by default the answer's. */
  done?: string | null | ((answer: CallOutput<E>) => string)
  onDone?: (answer: CallOutput<E>, values: ValidFormValues<E>) => unknown
  /** Called when the call waits for another operator. Nothing is saved yet, but the form can close. */
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
export function DeskForm<E extends Wire, Described extends Name<E>>(props: DeskFormProps<E, Described>) {
  const { endpoint, more, show, input, latest, check, title, submit = 'Save', done, onDone, onCancel } = props
  const names = Object.keys(props.fields) as Described[]
  const fields = Object.fromEntries(
    names.map((name) => [name, { ...props.fields[name], ...more?.[name] }]),
  ) as ShownFields<Described>
  const [first] = useState(() => ({
    ...Object.fromEntries(names.map((name) => [name, createEmptyValue(fields[name])])),
    ...props.values,
  }))
  const rename = useCurrencyText()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const box = useRef<HTMLFormElement>(null)
  const [isTouched, setIsTouched] = useState(false)
  const [collision, setCollision] = useState<Partial<FormValues<E>> | null>(null)
  const isLeavingAllowed = useRef(false)
  const [pending, setPending] = useState<ValidFormValues<E> | null>(null)
  const [isAsking, setIsAsking] = useState(false)

  const form = useCallForm<E>(endpoint, {
    defaultValues: first as Partial<FormValues<E>>,
    transport: (wire, sent, { idempotencyKey }) =>
      deskCall(wire, sent as CallInput<typeof wire>, idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(input && { input }),
    ...(check && { check }),
    onDone: async (answer, filled) => {
      isLeavingAllowed.current = true
      setIsTouched(false)
      const text = typeof done === 'function' ? done(answer) : (done ?? getMessage(answer))
      if (text !== null) void showToast('done', rename(text))
      await onDone?.(answer, filled)
      isLeavingAllowed.current = false
      await queries.invalidateQueries({ queryKey: [PRIVATE_DATA_KEY] })
    },
    onFailure: (error, isInFields): string | undefined => {
      if (error instanceof NotConfirmed) return undefined
      if (error instanceof WaitsForApproval) {
        showFailure(error, navigate)
        setIsTouched(false)
        if (props.savesChanges) form.reset(first as Partial<FormValues<E>>)
        isLeavingAllowed.current = true
        props.onWaiting?.()
        isLeavingAllowed.current = false
        return undefined
      }
      const isCollision = error instanceof CallError && error.status === 409 && Object.keys(error.fields).length === 0
      if (isCollision && latest !== undefined) {
        latest().then(setCollision, (failure) => showFailure(failure, navigate))
        return undefined
      }
      return isInFields ? undefined : getAlertText(error)
    },
  })
  // The fields are controlled, so the form library has no reference to their elements.
  useEffect(() => {
    if (!form.busy) box.current?.querySelector<HTMLElement>('[aria-invalid]:not([tabindex="-1"])')?.focus()
  }, [form.busy])

  useOpenedFocus(box, onCancel !== undefined)

  const state: DeskFormState<E> = {
    values: form.watchAll(),
    getValues: form.getValues,
    error: (name) => form.field(name).error,
    change: (part) => {
      form.change(part as Partial<FormValues<E>>)
      setIsTouched(true)
    },
  }
  const isChanged = props.savesChanges
    ? names.some((name) => state.values[name] !== (first as Partial<FormValues<E>>)[name])
    : isTouched
  useLeaveGuard(isChanged, isLeavingAllowed)
  const takeTheirs = (theirs: Partial<FormValues<E>>) => {
    form.reset({ ...form.getValues(), ...theirs })
    setCollision(null)
    setIsTouched(false)
  }
  const keepMine = (theirs: Partial<FormValues<E>>) => {
    form.change({ version: (theirs as { version?: unknown }).version } as unknown as Partial<FormValues<E>>)
    setCollision(null)
    form.form.onSubmit()
  }

  const label = typeof submit === 'function' ? submit(state) : submit
  const askFirst = form.createSubmitHandler((filled) => {
    setPending(filled)
    setIsAsking(true)
  })

  const sheet = (
    <PaperSheet className={styles.sheet}>
      <form
        {...form.form}
        {...(props.ask && { onSubmit: askFirst })}
        ref={box}
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
            <Button tone="secondary" onClick={() => takeTheirs(first as Partial<FormValues<E>>)}>
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
      {pending !== null && props.ask && (
        <AskDialog
          open={isAsking}
          onClose={() => setIsAsking(false)}
          ask={{ action: label, ...props.ask(pending) }}
          endpoint={endpoint}
          input={() => input?.(pending) ?? (pending as CallInput<E>)}
          {...(done !== undefined && { done })}
          onDone={(answer) => onDone?.(answer, pending)}
        />
      )}
      <Collision
        theirs={collision}
        mine={form.getValues()}
        fields={fields}
        onKeep={keepMine}
        onTake={takeTheirs}
        onClose={() => setCollision(null)}
      />
    </PaperSheet>
  )
  if (props.preview === undefined) return sheet
  return (
    <div className={styles.previewed}>
      {sheet}
      <figure className={styles.preview}>
        <figcaption>Preview</figcaption>
        {/* The preview is inert: nothing in it can be pressed or submitted. */}
        <div inert>{props.preview(state.values)}</div>
      </figure>
    </div>
  )
}

const FIELD = ':is(input, select, textarea):not([hidden], [type=hidden], [readonly])'

/**
 * Moves the focus into a form that a button has opened, and back to the button when the form closes. On a touch screen
 * the focus would open the keyboard over the form.
 */
function useOpenedFocus(box: RefObject<HTMLFormElement | null>, isOpened: boolean): void {
  // Reads the button before the form is rendered, because the first render often removes the button.
  const [opener] = useState(() => document.activeElement?.closest<HTMLElement>('main :is(button, a)') ?? null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the form opens
  useEffect(() => {
    if (!isOpened || matchMedia('(pointer: coarse)').matches) return undefined
    box.current?.querySelector<HTMLElement>(FIELD)?.focus()
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

type CollisionProps<Values> = {
  theirs: Values | null
  mine: Values
  fields: ShownFields<string>
  onKeep: (theirs: Values) => void
  onTake: (theirs: Values) => void
  onClose: () => void
}

const asText = (value: unknown) =>
  value === null || value === undefined || value === ''
    ? '(empty)'
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)

/** Shows a conflict: both versions side by side where they differ. The typed values are preserved. */
function Collision<Values extends object>({ theirs, mine, fields, onKeep, onTake, onClose }: CollisionProps<Values>) {
  const getText = (values: Values | null, name: string) => asText((values as Record<string, unknown> | null)?.[name])
  return (
    <DialogWindow
      open={theirs !== null}
      onClose={onClose}
      title="Someone else has changed this"
      tone="note"
      actions={
        theirs && (
          <>
            <Button tone="secondary" onClick={() => onTake(theirs)}>
              Use theirs
            </Button>
            <Button onClick={() => onKeep(theirs)}>Save mine</Button>
          </>
        )
      }
    >
      <p>They saved while you were writing. Your text is still in the form; choose which version to save.</p>
      <dl className={styles.versions}>
        {Object.entries(fields)
          .filter(([name]) => theirs !== null && name in theirs && getText(theirs, name) !== getText(mine, name))
          .map(([name, { label }]) => (
            <div key={name}>
              <dt>{label}</dt>
              <dd>
                <span>Theirs</span> {getText(theirs, name)}
              </dd>
              <dd>
                <span>Yours</span> {getText(mine, name)}
              </dd>
            </div>
          ))}
      </dl>
    </DialogWindow>
  )
}
