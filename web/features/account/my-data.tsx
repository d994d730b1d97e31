import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { getAccountHistory, SECRET_QUESTIONS } from '#contract/accounts.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { copyMyData, DELETION_BLOCKS, deleteMyAccount, getMyData, leaveOutCharacters } from '#contract/my-data.ts'
import { alertFailure } from '#web/api/attempt.ts'
import { call } from '#web/api/call.ts'
import { getPasskeyErrorText } from '#web/api/passkeys.ts'
import { toKeyPrefix, useCall } from '#web/api/queries.ts'
import type { SessionUser } from '#web/api/session.ts'
import { useForgetSession } from '#web/api/session-actions.ts'
import { formatDay } from '#web/features/news/relative-time.ts'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { usePasskey } from '#web/forms/passkey-confirmation.ts'
import { useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/ui/button.tsx'
import { useCurrencyNames } from '#web/ui/currency-names.ts'
import { TextField, type TextFieldProps } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import { Skeleton } from '#web/ui/states.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { showToast } from '#web/ui/toast.ts'
import { Count } from '#web/ui/value.tsx'
import styles from './account-page.module.css'

type MyData = CallOutput<typeof getMyData>

/** Offers a copy of the player's data and the deletion of the account (DATA-1, DATA-2, DATA-3, DATA-4). */
export function MyDataPanel({ index, user }: { index: number; user: SessionUser }) {
  const { data, isError, refetch } = useCall(getMyData, {}, { retry: false, staleTime: 0 })
  const [openDialog, setOpenDialog] = useState<'copy' | 'deletion' | null>(null)
  const close = () => setOpenDialog(null)
  return (
    <Panel index={index} title="Your data">
      <div className={styles.body}>
        {isError && data === undefined && (
          <div className={styles.loadFailure}>
            <p>We couldn’t load this part.</p>
            <Button tone="secondary" onClick={() => void refetch()}>
              Try again
            </Button>
          </div>
        )}
        {data === undefined && !isError && <Skeleton width="100%" height={120} />}
        {data !== undefined && (
          <>
            <p className={styles.lead}>
              {data.next_copy_at === null
                ? 'Download everything that we store about you, as one file.'
                : `You can download your data again on ${formatDay(data.next_copy_at).day}.`}
            </p>
            <LeftOutSwitch data={data} />
            <DeletionState data={data} />
            <div className={layout.buttons}>
              <Button tone="secondary" disabled={data.next_copy_at !== null} onClick={() => setOpenDialog('copy')}>
                Download my data
              </Button>
              <Button
                tone="quiet"
                disabled={data.blocks.length > 0 || data.next_deletion_at !== null}
                onClick={() => setOpenDialog('deletion')}
              >
                Delete my account
              </Button>
            </div>
            <CopyDialog open={openDialog === 'copy'} data={data} user={user} onClose={close} />
            <DeletionDialog open={openDialog === 'deletion'} data={data} user={user} onClose={close} />
          </>
        )}
      </div>
    </Panel>
  )
}

/**
 * The switch that leaves the player's characters out of activity, titles and pictures (ACTIVITY-4). Rankings still show
 * them.
 */
function LeftOutSwitch({ data }: { data: MyData }) {
  const queries = useQueryClient()
  const saveLeftOut = useMutation({
    mutationFn: (left_out: boolean) => call(leaveOutCharacters, { left_out }, { shellFailures: 'ended-session' }),
    onSuccess: ({ left_out }) =>
      void showToast(
        'done',
        left_out
          ? 'Your characters are left out of activity, titles and pictures.'
          : 'Activity, titles and pictures show your characters again.',
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: toKeyPrefix(getMyData) }),
    onError: alertFailure,
  })
  return (
    <div>
      <Switch
        isOn={saveLeftOut.isPending ? saveLeftOut.variables : data.left_out}
        isWaiting={saveLeftOut.isPending}
        onChange={(leftOut) => saveLeftOut.mutate(leftOut)}
      >
        Leave my characters out
      </Switch>
      <p>
        Activity, titles and pictures of shared links then don’t name your characters. Rankings, clubs and tournaments
        still do.
      </p>
    </div>
  )
}

/** Explains why the account cannot be deleted now. */
function DeletionState({ data: { blocks, next_deletion_at } }: { data: MyData }) {
  if (blocks.length > 0)
    return (
      <>
        <p>You can’t delete your account yet:</p>
        <ul className={layout.rows}>
          {blocks.map((block) => (
            <li key={block}>{DELETION_BLOCKS[block]}</li>
          ))}
        </ul>
      </>
    )
  if (next_deletion_at === null) return null
  return <p>You can request the deletion of your account again on {formatDay(next_deletion_at).day}.</p>
}

type DialogProps = { open: boolean; data: MyData; user: SessionUser; onClose: () => void }

function CopyDialog({ open, data, user, onClose }: DialogProps) {
  const queries = useQueryClient()
  const onDone = async (file: File) => {
    saveFile(file, `${user.UserID}.json`)
    onClose()
    await queries.invalidateQueries({ queryKey: toKeyPrefix(getMyData) })
    await queries.invalidateQueries({ queryKey: toKeyPrefix(getAccountHistory) })
  }
  const { form, field, reset, busy, failure, send, createSubmitHandler } = useCallForm(copyMyData, {
    onDone,
    onFailure,
  })
  const runWithPasskey = usePasskey(open && data.has_factor)
  return (
    <FormDialog
      open={open}
      title="Download my data"
      onClose={onClose}
      onClosed={() => reset({ UserPass: '', code: '', secretAnswer: '' })}
      form={form}
      submitLabel="Download"
      busy={busy}
      failure={failure}
      onPasskey={
        runWithPasskey &&
        createSubmitHandler((values) =>
          runWithPasskey(async (assertion) => onDone(await send({ ...values, assertion }))),
        )
      }
    >
      <p>The file holds everything that we store about you. Don’t show it to anyone. We also send you an email.</p>
      <ProofFields data={data} user={user} field={field} />
    </FormDialog>
  )
}

function DeletionDialog({ open, data, user, onClose }: DialogProps) {
  const names = useCurrencyNames()
  const forgetSession = useForgetSession()
  const onDone = async ({ message }: CallOutput<typeof deleteMyAccount>) => {
    onClose()
    void showToast('done', message)
    await forgetSession()
  }
  const { form, field, reset, busy, failure, send, createSubmitHandler } = useCallForm(deleteMyAccount, {
    onDone,
    onFailure,
  })
  const runWithPasskey = usePasskey(open && data.has_factor)
  return (
    <FormDialog
      open={open}
      title="Delete my account"
      tone="error"
      onClose={onClose}
      onClosed={() => reset({ typed_user_id: '', UserPass: '', code: '', secretAnswer: '' })}
      form={form}
      submitLabel="Delete my account"
      busy={busy}
      failure={failure}
      onPasskey={
        runWithPasskey &&
        createSubmitHandler((values) =>
          runWithPasskey(async (assertion) => onDone(await send({ ...values, assertion }))),
        )
      }
    >
      <p>
        You are logged out everywhere, and your characters and posts are hidden from everyone. After seven days your
        personal data is deleted, and no one can bring it back. Until then, log in or open the link in our email to keep
        your account.
      </p>
      <p>
        You lose{' '}
        <strong>
          <Count of={data.r_coin} unit={names.rCoin} units={names.rCoin} />
        </strong>{' '}
        and{' '}
        <strong>
          <Count of={data.milleage} unit={names.milleage} units={names.milleage} />
        </strong>
        .
      </p>
      <TextField label="Your user ID" autoComplete="off" spellCheck={false} {...field('typed_user_id')} />
      <ProofFields data={data} user={user} field={field} />
    </FormDialog>
  )
}

const onFailure = (error: unknown, isInFields: boolean) => (isInFields ? undefined : getPasskeyErrorText(error))

type ProofProps = {
  data: MyData
  user: SessionUser
  field: (name: 'UserPass' | 'code' | 'secretAnswer') => Omit<TextFieldProps, 'label'>
}

/** The fields for the password and either a code of the second factor or the secret answer. */
function ProofFields({ data, user, field }: ProofProps) {
  return (
    <>
      <input type="text" name="username" autoComplete="username" value={user.UserID} readOnly hidden />
      <PasswordField label="Current Password" autoComplete="current-password" {...field('UserPass')} />
      {data.has_factor ? (
        <TextField
          label="Code"
          hint="from your app, or a recovery code"
          autoComplete="one-time-code"
          spellCheck={false}
          {...field('code')}
        />
      ) : (
        <TextField
          label="Secret Answer"
          hint={SECRET_QUESTIONS[data.secret_question - 1]}
          autoComplete="off"
          {...field('secretAnswer')}
        />
      )}
    </>
  )
}
