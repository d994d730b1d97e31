import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { GAME_PASSWORD_TEXTS } from '#contract/accounts.ts'
import { getGameAccount, linkGame, setGamePassword } from '#contract/take-over.ts'
import { toKeyPrefix, useCall } from '#web/api/queries.ts'
import { useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { showToast } from '#web/ui/toast.ts'

/** Shows how to link an existing game account with the same user ID. Without one, staff get a form for a game password. */
export function GameAccountPanel() {
  const { data: account } = useCall(getGameAccount, {}, { retry: false, staleTime: 0 })
  if (account?.state === 'taken') return <LinkPanel canLink={account.can_link} />
  return account?.can_set_password === true ? <PasswordPanel /> : null
}

/** Sets a password for the game. Staff need one, because their password of the site is never sent to the game. */
function PasswordPanel() {
  const failureId = useId()
  const { form, field, reset, busy, failure } = useCallForm(setGamePassword, {
    onDone: ({ message }) => {
      void showToast('done', message)
      reset({ UserPass: '', NewGamePass: '' })
    },
  })
  return (
    <Panel title="Set a password for the game">
      <div className={layout.padded}>
        <form {...form} className={layout.stack}>
          <p>
            You work at the desk, so your password of this site is never sent to the game. Set a separate password for
            your game account here. Don’t use the same one.
          </p>
          <PasswordField label="Your password on this site" autoComplete="current-password" {...field('UserPass')} />
          <PasswordField label={GAME_PASSWORD_TEXTS.label} autoComplete="off" {...field('NewGamePass')} />
          {failure !== null && (
            <FieldError id={failureId} role="alert">
              {failure}
            </FieldError>
          )}
          <div className={layout.buttons}>
            <Button type="submit" busy={busy}>
              Set the game password
            </Button>
          </div>
        </form>
      </div>
    </Panel>
  )
}

/** Links the account with an existing account of the game, which needs that account's old password. */
function LinkPanel({ canLink }: { canLink: boolean }) {
  const failureId = useId()
  const queries = useQueryClient()
  const { form, field, busy, failure } = useCallForm(linkGame, {
    onDone: async ({ message }) => {
      void showToast('done', message)
      await queries.invalidateQueries({ queryKey: toKeyPrefix(getGameAccount) })
    },
  })
  return (
    <Panel title="Your game account">
      <div className={layout.padded}>
        <div className={layout.stack}>
          <p>
            The game already has an account with your User ID. Until you show that it is yours, nothing you buy here
            reaches it.
          </p>
          {canLink ? (
            <form {...form} className={layout.stack}>
              <PasswordField label="Old game password" autoComplete="off" {...field('GamePass')} />
              {failure !== null && (
                <FieldError id={failureId} role="alert">
                  {failure}
                </FieldError>
              )}
              <div className={layout.buttons}>
                <Button type="submit" busy={busy}>
                  Link my game account
                </Button>
              </div>
            </form>
          ) : (
            <p>The operators have not imported that account yet. Please check back later, or write to support.</p>
          )}
        </div>
      </div>
    </Panel>
  )
}
