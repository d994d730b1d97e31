import { type FormEvent, useEffect, useState } from 'react'
import type { CallOutput } from '#contract/endpoint.ts'
import { addPasskey, confirmIdentity, confirmTotp, type getFactors, type startTotp } from '#contract/factors.ts'
import { confirmSession } from '#web/api/confirmation.ts'
import type { SessionUser } from '#web/api/session.ts'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { usePasskeyConfirmation } from '#web/forms/passkey-confirmation.ts'
import { AppSetUp, RecoveryCodes } from '#web/forms/second-factor.tsx'
import { useCallForm } from '#web/forms/use-call-form.ts'
import { describeDevice } from '#web/ui/account-text.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import { TextField } from '#web/ui/field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'

export type Factor = CallOutput<typeof getFactors>['factors'][number]

type IdentityProps = { user: SessionUser; open: boolean; onConfirmed: () => Promise<void>; onClose: () => void }

/** Confirms the player's identity before a change, with the password or a passkey. */
export function IdentityDialog({ user: { UserID }, open, onConfirmed, onClose }: IdentityProps) {
  const [passkeyError, setPasskeyError] = useState<string | null>(null)
  const { form, field, reset, busy, failure } = useCallForm(confirmIdentity, {
    transport: (_, { UserPass }) => confirmSession({ UserPass: String(UserPass) }),
    onDone: onConfirmed,
  })
  const confirmByPasskey = usePasskeyConfirmation({ open, onConfirmed, onFailure: setPasskeyError })
  // biome-ignore lint/correctness/useExhaustiveDependencies: an opened dialog begins without an earlier error.
  useEffect(() => setPasskeyError(null), [open])

  return (
    <FormDialog
      open={open}
      title="Confirm it’s you"
      onClose={onClose}
      onClosed={() => reset({ UserPass: '' })}
      form={form}
      submitLabel="Confirm"
      busy={busy}
      failure={passkeyError ?? failure}
      onPasskey={confirmByPasskey}
    >
      <p>Changing your second factors requires your password. You won’t be asked again for 15 minutes.</p>
      <input type="text" name="username" autoComplete="username" value={UserID} readOnly hidden />
      <PasswordField label="Current Password" autoComplete="current-password" {...field('UserPass')} />
    </FormDialog>
  )
}

type AppProps = {
  setUp: CallOutput<typeof startTotp> | null
  /** Whether the new app replaces another one. */
  hasApp: boolean
  onDone: (answer: CallOutput<typeof confirmTotp>) => Promise<void>
  onClose: () => void
}

/** Sets up an authenticator app: a QR code or a key, and a code that proves that the app works. */
export function AppDialog({ setUp, hasApp, onDone, onClose }: AppProps) {
  const [content, setContent] = useState(setUp)
  if (setUp !== null && setUp !== content) setContent(setUp)
  const { form, field, reset, busy, failure } = useCallForm(confirmTotp, { onDone })
  if (content === null) return null
  return (
    <FormDialog
      open={setUp !== null}
      title={hasApp ? 'Move to another app' : 'Set up an app'}
      onClose={onClose}
      onClosed={() => {
        reset({ code: '' })
        setContent(null)
      }}
      form={form}
      submitLabel="Turn it on"
      busy={busy}
      failure={failure}
    >
      <p>
        Scan this with an authenticator app, such as Aegis, 2FAS or the one in your password manager. It is shown only
        now.
      </p>
      <AppSetUp secret={content.secret} uri={content.uri} {...field('code')} />
      {hasApp && <p>The app that you use now stops working here as soon as this one is on.</p>}
    </FormDialog>
  )
}

type PasskeyProps = {
  open: boolean
  busy: boolean
  onName: (name: string) => Promise<void>
  onClose: () => void
}

/** Prompts for the name of a new passkey, then lets the browser create it. */
export function PasskeyDialog({ open, busy, onName, onClose }: PasskeyProps) {
  const { form, field, createSubmitHandler, reset } = useCallForm(addPasskey)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a name is proposed each time the dialog opens.
  useEffect(() => {
    if (open) reset({ name: describeDevice(navigator.userAgent).replace(/^.* on /, 'My ') })
  }, [open])
  return (
    <FormDialog
      open={open}
      title="Add a passkey"
      onClose={onClose}
      form={{ ...form, onSubmit: createSubmitHandler(({ name }) => onName(name)) }}
      submitLabel="Continue"
      busy={busy}
    >
      <p>
        A passkey is stored on your phone, computer, password manager or security key. You use it with a fingerprint,
        your face or a PIN, and a fake site can’t steal it.
      </p>
      <TextField label="Name" hint="so you can recognize it" {...field('name')} />
    </FormDialog>
  )
}

type CodesProps = { codes: string[] | null; userId: string; onClose: () => void }

/** Shows new recovery codes, with ways to save them. */
export function CodesDialog({ codes, userId, onClose }: CodesProps) {
  const [content, setContent] = useState(codes)
  if (codes !== null && codes !== content) setContent(codes)
  if (content === null) return null
  return (
    <DialogWindow
      open={codes !== null}
      title="Your recovery codes"
      tone="done"
      onClosed={() => setContent(null)}
      actions={<Button onClick={onClose}>I have saved them</Button>}
    >
      <RecoveryCodes codes={content} userId={userId} />
    </DialogWindow>
  )
}

type RemoveProps = {
  removal: { factor: Factor; isLast: boolean } | null
  busy: boolean
  onRemove: (factor: Factor) => Promise<void>
  onClose: () => void
}

/** Confirms the removal of a second factor. */
export function RemoveDialog({ removal, busy, onRemove, onClose }: RemoveProps) {
  const [content, setContent] = useState(removal)
  if (removal !== null && removal !== content) setContent(removal)
  if (content === null) return null
  const { factor, isLast } = content
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    void onRemove(factor)
  }
  return (
    <FormDialog
      open={removal !== null}
      title={`Remove ${factor.name}?`}
      onClose={onClose}
      onClosed={() => setContent(null)}
      form={{ method: 'dialog', onSubmit }}
      submitLabel="Remove"
      submitTone="danger"
      busy={busy}
    >
      {isLast
        ? 'This is your only second factor. Without it you log in with just your password, and your recovery codes stop working.'
        : 'You can no longer log in with it. Your other second factors stay.'}
    </FormDialog>
  )
}
