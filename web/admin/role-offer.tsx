import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { PASSWORD_TEXTS } from '#contract/accounts.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { PASSWORD_MAX, STAFF_PASSWORD_MIN } from '#contract/limits.ts'
import { acceptRole, declineRole, getRoleOffers } from '#contract/role-offers.ts'
import { CallError, call, getAlertText } from '#web/api/call.ts'
import { toQueryKey, useCall } from '#web/api/queries.ts'
import { getAccessToken, renewToken } from '#web/api/session.ts'
import { PaperSheet, SheetPart } from '#web/forms/sheet.tsx'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { PasswordField } from '#web/ui/password-field.tsx'
import { showToast } from '#web/ui/toast.ts'
import dialog from './identity-dialog.module.css'
import { FullPageNotice } from './notices.tsx'

type Offer = CallOutput<typeof getRoleOffers>['offers'][number]
type OfferProps = { offer: Offer; onAnswered: () => void }

/** The notice for an account that was offered its first role. */
export function RoleOfferNotice({ onAnswered }: { onAnswered: () => void }) {
  const [offer] = useCall(getRoleOffers, {}).data?.offers ?? []
  if (offer === undefined) return null
  return (
    <FullPageNotice
      title="You have been offered a role"
      below={
        <PaperSheet>
          <SheetPart title={`Accept the role ${offer.name}`}>
            <OfferForm offer={offer} onAnswered={onAnswered} />
          </SheetPart>
        </PaperSheet>
      }
    >
      <p>{describeOffer(offer)} The desk opens after you accept the role with your password.</p>
    </FullPageNotice>
  )
}

/** Prompts an operator to accept another role. “Later” closes it until the desk is loaded again. */
export function RoleOfferDialog({ onAnswered }: { onAnswered: () => void }) {
  const dialogRef = useRef<HTMLDialogElement>(null)
  const [isClosed, setClosed] = useState(false)
  const [offer] = useCall(getRoleOffers, {}).data?.offers ?? []
  useEffect(() => {
    if (offer !== undefined && !isClosed && dialogRef.current?.open === false) dialogRef.current.showModal()
  }, [offer, isClosed])
  if (offer === undefined || isClosed) return null
  return (
    <dialog className={dialog.dialog} ref={dialogRef} aria-labelledby="offer-title" onClose={() => setClosed(true)}>
      <div className={dialog.form} data-surface="paper">
        <h2 id="offer-title">Accept the role {offer.name}</h2>
        <p>{describeOffer(offer)} You get the role after you accept it with your password.</p>
        <OfferForm offer={offer} onAnswered={onAnswered} onLater={() => dialogRef.current?.close()} />
      </div>
    </dialog>
  )
}

const describeOffer = ({ name, offered_by }: Offer) =>
  `${offered_by ?? 'A command on the site’s server'} offers you the role ${name}.`

/** The form for the password. It also requires a new password if the current one breaks the rules for operators. */
function OfferForm({ offer: { role, name }, onAnswered, onLater }: OfferProps & { onLater?: () => void }) {
  const [errors, setErrors] = useState<Record<string, string[]>>({})
  const [needsNewPassword, setNeedsNewPassword] = useState(false)
  const [busy, setBusy] = useState(false)
  const queryClient = useQueryClient()
  const finish = async () => {
    await queryClient.invalidateQueries({ queryKey: toQueryKey(getRoleOffers, {}) })
    onAnswered()
  }

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const readField = (field: string) => String(fields.get(field) ?? '')
    const NewUserPass = readField('NewUserPass')
    if (readField('UserPass') === '') return setErrors({ UserPass: ['Enter your password.'] })
    if (needsNewPassword && NewUserPass !== readField('RetypeUserPass'))
      return setErrors({ RetypeUserPass: [PASSWORD_TEXTS.mismatch] })
    setBusy(true)
    const usedToken = getAccessToken()
    try {
      const input = { role, UserPass: readField('UserPass'), ...(needsNewPassword && { NewUserPass }) }
      const { token } = await call(acceptRole, input, { shellFailures: 'ended-session' })
      renewToken(usedToken, token)
      await finish()
      void showToast('note', `You have the role ${name}.`)
    } catch (failure) {
      const fieldErrors = failure instanceof CallError ? failure.fields : {}
      if (fieldErrors.NewUserPass !== undefined) setNeedsNewPassword(true)
      setErrors(Object.keys(fieldErrors).length > 0 ? fieldErrors : { UserPass: [getAlertText(failure)] })
    }
    setBusy(false)
  }

  const decline = async () => {
    setBusy(true)
    try {
      const { message } = await call(declineRole, { role }, { shellFailures: 'ended-session' })
      void showToast('note', message)
      await finish()
    } catch (failure) {
      setErrors({ UserPass: [getAlertText(failure)] })
    }
    setBusy(false)
  }

  return (
    <form className={layout.stack} noValidate onSubmit={(event) => void submit(event)}>
      <PasswordField label="Password" name="UserPass" autoComplete="current-password" error={errors.UserPass?.[0]} />
      {needsNewPassword && (
        <>
          <p>
            The password of an operator has {STAFF_PASSWORD_MIN} to {PASSWORD_MAX} characters and isn’t a common one.
            Choose a new one; your other devices are logged out.
          </p>
          <PasswordField
            label={PASSWORD_TEXTS.newLabel}
            name="NewUserPass"
            autoComplete="new-password"
            error={errors.NewUserPass?.[0]}
          />
          <PasswordField
            label={PASSWORD_TEXTS.retypeLabel}
            name="RetypeUserPass"
            autoComplete="new-password"
            error={errors.RetypeUserPass?.[0]}
          />
        </>
      )}
      <div className={layout.buttons}>
        <Button type="submit" tone="paper" busy={busy}>
          Accept
        </Button>
        <Button tone="secondary" disabled={busy} onClick={() => void decline()}>
          Decline
        </Button>
        {onLater !== undefined && (
          <Button tone="secondary" onClick={onLater}>
            Later
          </Button>
        )}
      </div>
    </form>
  )
}
