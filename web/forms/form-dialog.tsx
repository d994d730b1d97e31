import { type ComponentProps, useId } from 'react'
import { DIALOG_TEXTS } from '#contract/messages.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogWindow, type DialogWindowProps } from '#web/ui/dialog-window.tsx'
import { FieldError } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'

type FormDialogProps = Omit<DialogWindowProps, 'actions' | 'onClose'> & {
  onClose: () => void
  form: ComponentProps<'form'>
  /** The label of the button that submits the form. */
  submitLabel: string
  submitTone?: 'danger'
  busy: boolean
  /** The error of the whole form. */
  failure?: string | null
  /** Prompts for a passkey instead of the fields; null if the account or the browser has no passkey. */
  onPasskey?: (() => unknown) | null
}

/** A dialog with a form. */
export function FormDialog({
  form,
  submitLabel,
  submitTone,
  busy,
  failure = null,
  onPasskey = null,
  ...dialogProps
}: FormDialogProps) {
  const formId = useId()
  return (
    <DialogWindow
      {...dialogProps}
      actions={
        <>
          <Button tone="secondary" onClick={dialogProps.onClose}>
            {DIALOG_TEXTS.cancel}
          </Button>
          {onPasskey !== null && (
            <Button tone="secondary" onClick={() => void onPasskey()}>
              Use a passkey
            </Button>
          )}
          <Button type="submit" tone={submitTone} form={formId} busy={busy}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form {...form} id={formId} className={layout.stack}>
        {dialogProps.children}
        {failure !== null && <FieldError id={`${formId}-failure`}>{failure}</FieldError>}
      </form>
    </DialogWindow>
  )
}
