import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { CallInput, CallOutput, FormValues, ValidFormValues, Wire } from '#contract/endpoint.ts'
import { alertText, CallError } from '#web/api/call.ts'
import { MINE } from '#web/api/queries.ts'
import { FormActions, PaperSheet } from '#web/forms/sheet.tsx'
import { useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import { showToast } from '#web/ui/toast.ts'
import { deskCall, NotConfirmed, showFailure, WaitsForApproval } from './call.ts'
import styles from './desk-form.module.css'
import { useLeaveGuard } from './leave-guard.tsx'
import looks from './looks.module.css'

/** What the fields of a desk's form are given. */
export type DeskFormParts<E extends Wire> = ReturnType<typeof useCallForm<E>> & {
  /** To be called where a field changes without the browser's own events, as an editor or a picture does. */
  touch: () => void
}

/** The row as it is now in the database. */
type Latest<E> = { version: number; values: Partial<FormValues<E>> }

type DeskFormProps<E extends Wire> = {
  endpoint: E
  /** What the fields begin with. */
  values?: Partial<FormValues<E>>
  /** The row's version, for what two people may edit. */
  version?: number | null
  /** Makes the call's input of what was filled in, with the version that the person has seen. */
  input?: (values: ValidFormValues<E>, version: number | null) => CallInput<E>
  /** Fetches the row again when somebody else has changed it meanwhile (409). */
  latest?: () => Promise<Latest<E>>
  /** The fields' names for people, for the comparison with somebody else's change. */
  labels?: Partial<Record<keyof FormValues<E> & string, string>>
  /** The words on the button. */
  submit?: string
  /** The message shown when it is saved. */
  done?: string
  onDone?: (answer: CallOutput<E>, values: ValidFormValues<E>) => unknown
  /** Called when the call waits for another operator: nothing is saved yet, but the person is done here. */
  onWaiting?: () => void
  /** Leaves without saving. */
  onCancel?: () => void
  /** More buttons, after the first one. */
  actions?: ReactNode
  children: (form: DeskFormParts<E>) => ReactNode
}

/**
 * A form of the desk, on paper because it holds what a person writes: rules and refusals under their fields, one call
 * however often it is sent, a question before unsaved work is left, and a comparison when somebody else was faster.
 */
export function DeskForm<E extends Wire>(props: DeskFormProps<E>) {
  const { endpoint, values, input, latest, submit = 'Save', done, onDone, onCancel, actions } = props
  const queries = useQueryClient()
  const navigate = useNavigate()
  const version = useRef(props.version ?? null)
  const [isChanged, setChanged] = useState(false)
  const [collision, setCollision] = useState<Latest<E> | null>(null)
  const isLeavingAllowed = useRef(false)

  const form: ReturnType<typeof useCallForm<E>> = useCallForm(endpoint, {
    ...(values && { defaultValues: values }),
    transport: (wire, sent, { idempotencyKey }) =>
      deskCall(wire, sent as CallInput<typeof wire>, idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(input && { input: (filled) => input(filled, version.current) }),
    onDone: async (answer, filled) => {
      isLeavingAllowed.current = true
      setChanged(false)
      if (done !== undefined) void showToast('done', done)
      await onDone?.(answer, filled)
      isLeavingAllowed.current = false
      await queries.invalidateQueries({ queryKey: [MINE] })
    },
    onFailure: (error): string | undefined => {
      if (error instanceof NotConfirmed) return undefined
      if (error instanceof WaitsForApproval) {
        showFailure(error, navigate)
        setChanged(false)
        props.onWaiting?.()
        return undefined
      }
      const wrong = error instanceof CallError ? Object.keys(error.fields) : []
      if (error instanceof CallError && error.status === 409 && wrong.length === 0 && latest !== undefined) {
        latest().then(setCollision, (failure) => showFailure(failure, navigate))
        return undefined
      }
      return wrong.some((name) => name in form.getValues()) ? undefined : alertText(error)
    },
  })
  useLeaveGuard(isChanged, isLeavingAllowed)
  const touch = () => setChanged(true)

  const takeTheirs = ({ version: newest, values: theirs }: Latest<E>) => {
    version.current = newest
    form.reset(theirs)
    setCollision(null)
    setChanged(false)
  }
  const keepMine = ({ version: newest }: Latest<E>) => {
    version.current = newest
    setCollision(null)
    form.form.onSubmit()
  }

  return (
    <PaperSheet className={styles.sheet}>
      <form {...form.form} className={styles.form} onChange={touch}>
        {props.children({ ...form, touch })}
        {form.failure !== null && (
          <p className={looks.failure} role="alert">
            {form.failure}
          </p>
        )}
        <FormActions className={styles.actions}>
          <Button type="submit" tone="paper" busy={form.busy}>
            {submit}
          </Button>
          {actions}
          {onCancel && (
            <Button tone="secondary" onClick={onCancel}>
              Cancel
            </Button>
          )}
        </FormActions>
      </form>
      <Collision
        theirs={collision}
        mine={form.getValues()}
        labels={props.labels ?? {}}
        onKeep={keepMine}
        onTake={takeTheirs}
        onClose={() => setCollision(null)}
      />
    </PaperSheet>
  )
}

type CollisionProps<E> = {
  theirs: Latest<E> | null
  mine: Partial<FormValues<E>>
  labels: Partial<Record<string, string>>
  onKeep: (theirs: Latest<E>) => void
  onTake: (theirs: Latest<E>) => void
  onClose: () => void
}

const asText = (value: unknown) =>
  value === null || value === undefined || value === ''
    ? '(empty)'
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)

/** Somebody else saved first: both versions side by side where they differ, and nothing typed is lost. */
function Collision<E>({ theirs, mine, labels, onKeep, onTake, onClose }: CollisionProps<E>) {
  const fields = Object.entries((theirs?.values ?? {}) as Record<string, unknown>).flatMap(([name, value]) => {
    const own = (mine as Record<string, unknown>)[name]
    return own === undefined || asText(own) === asText(value)
      ? []
      : [{ name, theirs: asText(value), mine: asText(own) }]
  })
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
      <p>They saved while you were writing. What you wrote is still in the form; choose which version is kept.</p>
      <dl className={styles.versions}>
        {fields.map(({ name, theirs, mine }) => (
          <div key={name}>
            <dt>{labels[name] ?? name}</dt>
            <dd>
              <span>Theirs</span> {theirs}
            </dd>
            <dd>
              <span>Yours</span> {mine}
            </dd>
          </div>
        ))}
      </dl>
    </DialogWindow>
  )
}
