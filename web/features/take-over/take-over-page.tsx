import { useEffect, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import { getTakeOver, takeOverAccount } from '#contract/take-over.ts'
import { useCall } from '#web/api/queries.ts'
import { useSession } from '#web/api/session.ts'
import { refreshSession, useLogout } from '#web/api/session-actions.ts'
import { SecretFields, UserIdField } from '#web/forms/account-fields.tsx'
import { FormActions, FormGrid, PaperSheet, SheetPart } from '#web/forms/sheet.tsx'
import { useCallForm } from '#web/forms/use-call-form.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { Button } from '#web/ui/button.tsx'
import { FieldError, TextField } from '#web/ui/field.tsx'
import { Skeleton } from '#web/ui/states.tsx'
import { showToast } from '#web/ui/toast.ts'

type TakeOver = CallOutput<typeof getTakeOver>

/**
 * The page on which a player of the game completes the account, right after the first login with the password of the
 * game.
 */
export default function TakeOverPage() {
  const user = useSession()?.user
  return (
    <>
      <PageHead
        crumb="Complete Account"
        title="Welcome aboard"
        lines={['Your characters are waiting. Tell us a little more, and the account is yours here too.']}
      />
      <div>
        <PaperSheet>{user === undefined ? <Skeleton width="100%" height={420} /> : <Steps />}</PaperSheet>
      </div>
    </>
  )
}

function Steps() {
  const { data: takeOver, isError, refetch } = useCall(getTakeOver, {}, { retry: false, staleTime: 0 })
  const [isChangingEmail, setIsChangingEmail] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const navigate = useNavigate()
  const isDone = takeOver?.step === null
  useEffect(() => {
    if (isDone && !hasFailed)
      void refreshSession('none').then(
        () => navigate('/user', { replace: true }),
        () => setFailed(true),
      )
  }, [isDone, hasFailed, navigate])
  const retry = () => {
    setFailed(false)
    void refetch()
  }
  if (isError || hasFailed)
    return (
      <SheetPart title="We couldn’t load this">
        <Button tone="paper" onClick={retry}>
          Try again
        </Button>
      </SheetPart>
    )
  if (takeOver === undefined || isDone) return <Skeleton width="100%" height={420} />
  if (takeOver.step === 'email' && !isChangingEmail)
    return <CheckEmail email={takeOver.email} onChange={() => setIsChangingEmail(true)} onCheck={() => refetch()} />
  return (
    <Details
      takeOver={takeOver}
      onSent={async () => {
        setIsChangingEmail(false)
        await refetch()
      }}
    />
  )
}

function Details({ takeOver, onSent }: { takeOver: TakeOver; onSent: () => Promise<void> }) {
  const failureId = useId()
  const logout = useLogout()
  const { form, field, busy, failure } = useCallForm(takeOverAccount, {
    onDone: async ({ message }) => {
      void showToast('done', message)
      await onSent()
    },
  })
  return (
    <form {...form}>
      <SheetPart
        numeral={1}
        title="Who you are"
        line={
          takeOver.needs_user_id
            ? `“${takeOver.game_user_id}” has characters or a length that this site does not allow, so choose another User ID here. In the game you still log in with the old one.`
            : `You log in as ${takeOver.game_user_id}, here and in the game.`
        }
      >
        <FormGrid>
          {takeOver.needs_user_id && <UserIdField {...field('userId')} />}
          <TextField label="Email" type="email" autoComplete="email" {...field('userEmail')} />
          <TextField label="First Name" autoComplete="given-name" {...field('userFirstName')} />
          <TextField label="Last Name" autoComplete="family-name" {...field('userLastName')} />
        </FormGrid>
      </SheetPart>
      <SheetPart
        numeral={2}
        title="How we know it is you"
        line="The secret answer confirms it is you when you change your password."
      >
        <FormGrid>
          <SecretFields field={field} />
        </FormGrid>
        {failure !== null && (
          <FieldError id={failureId} role="alert">
            {failure}
          </FieldError>
        )}
        <FormActions>
          <Button type="submit" tone="paper" size="lg" busy={busy}>
            Complete my account
          </Button>
          <Button tone="secondary" size="lg" onClick={() => void logout()}>
            Log out
          </Button>
        </FormActions>
      </SheetPart>
    </form>
  )
}

/** The link in the mail completes the takeover. It can be opened on another device. */
function CheckEmail({
  email,
  onChange,
  onCheck,
}: {
  email: string
  onChange: () => void
  onCheck: () => Promise<unknown>
}) {
  const [isChecking, setChecking] = useState(false)
  const checkAgain = async () => {
    setChecking(true)
    await onCheck()
    setChecking(false)
    void showToast('note', 'If you have opened the link, your account will open now.')
  }
  return (
    <SheetPart
      title="Check your email"
      line={`We sent a link to ${email}. Open it, on this device or another one, and your account is complete.`}
    >
      <FormActions>
        <Button tone="paper" size="lg" busy={isChecking} onClick={() => void checkAgain()}>
          I have opened it
        </Button>
        <Button tone="secondary" size="lg" onClick={onChange}>
          Send it again, or to another address
        </Button>
      </FormActions>
    </SheetPart>
  )
}
