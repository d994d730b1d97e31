import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import { toTotpAddress } from '#contract/factors.ts'
import { makeFirstOwner, openFirstOwner } from '#contract/first-owner.ts'
import { PASSWORD_MAX, STAFF_PASSWORD_MIN } from '#contract/limits.ts'
import { call, getAlertText } from '#web/api/call.ts'
import { readLoginAnswer, saveSession } from '#web/api/session.ts'
import { SecretFields, UserIdField } from '#web/forms/account-fields.tsx'
import { AppSetUp, RecoveryCodes } from '#web/forms/second-factor.tsx'
import { FormActions, FormGrid, PaperSheet, SheetPart } from '#web/forms/sheet.tsx'
import { useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import { FieldError, TextField } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { PasswordField } from '#web/ui/password-field.tsx'
import { FullPageNotice } from './notices.tsx'

/**
 * The page behind the first owner's link (DESK-12), before the site has an operator. The link's token is in the
 * fragment, so the browser does not send it with the page.
 */
export function FirstOwner() {
  const token = useLocation().hash.slice(1)
  const {
    data: setUp,
    error,
    refetch,
  } = useQuery({
    queryKey: ['first owner', token],
    queryFn: () => call(openFirstOwner, { word: token }, { shellFailures: 'none' }),
    // Each response has a new key for the authenticator app, and the person may already have scanned this one.
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error !== null)
    return (
      <FullPageNotice title="This link does not work">
        <p>{getAlertText(error)}</p>
        <div className={layout.buttons}>
          <Button onClick={() => void refetch()}>Try again</Button>
        </div>
      </FullPageNotice>
    )
  if (setUp === undefined) return null
  return (
    <FullPageNotice title="Make the first owner" below={<OwnerForm key={token} token={token} setUp={setUp} />}>
      <p>
        The owner runs the site from the desk and invites the other operators. This page works once: when you are done,
        you are logged in, and the link no longer works.
      </p>
    </FullPageNotice>
  )
}

function OwnerForm({ token, setUp }: { token: string; setUp: CallOutput<typeof openFirstOwner> }) {
  const failureId = useId()
  const navigate = useNavigate()
  const [createdOwner, setCreatedOwner] = useState<{ userId: string; codes: string[] } | null>(null)
  const { form, field, watch, busy, failure } = useCallForm(makeFirstOwner, {
    input: (values) => ({ ...values, word: token, secret: setUp.secret }),
    onDone: ({ data, recovery_codes: codes }) => {
      const login = readLoginAnswer(data)
      if (login === null) return
      saveSession(login.token, login.type, login.user)
      setCreatedOwner({ userId: login.user.UserID, codes })
    },
  })
  const userId = watch('userId') || 'owner'
  return (
    <PaperSheet>
      <form {...form} aria-label="The first owner">
        <SheetPart numeral={1} title="Who you are">
          <FormGrid>
            <UserIdField hint="A–Z, a–z, 0–9, _" {...field('userId')} />
            <TextField label="Email" type="email" autoComplete="email" {...field('userEmail')} />
          </FormGrid>
        </SheetPart>
        <SheetPart
          numeral={2}
          title="How you get in"
          line="The secret answer confirms it is you when you change your password."
        >
          <FormGrid>
            <PasswordField
              label="Password"
              hint={`${STAFF_PASSWORD_MIN} to ${PASSWORD_MAX} characters`}
              autoComplete="new-password"
              {...field('userPassword')}
            />
            <PasswordField label="Confirm Password" autoComplete="new-password" {...field('userPasswordConfirm')} />
            <SecretFields field={field} />
          </FormGrid>
        </SheetPart>
        <SheetPart numeral={3} title="Your second factor">
          <div className={layout.stack}>
            <p>
              Scan this with an authenticator app, such as Aegis, 2FAS or the one in your password manager, and type the
              code that it shows. You can add passkeys later.
            </p>
            <AppSetUp
              secret={setUp.secret}
              uri={toTotpAddress(setUp.secret, { issuer: setUp.site_name, userId })}
              {...field('code')}
            />
            {failure !== null && <FieldError id={failureId}>{failure}</FieldError>}
          </div>
          <FormActions>
            <Button type="submit" tone="paper" size="lg" busy={busy}>
              Make the first owner
            </Button>
          </FormActions>
        </SheetPart>
      </form>
      {createdOwner !== null && (
        <DialogWindow
          open
          title="Your recovery codes"
          tone="done"
          actions={<Button onClick={() => void navigate('/admin', { replace: true })}>I have saved them</Button>}
        >
          <RecoveryCodes codes={createdOwner.codes} userId={createdOwner.userId} />
        </DialogWindow>
      )}
    </PaperSheet>
  )
}
