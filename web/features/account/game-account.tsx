import { useQueryClient } from '@tanstack/react-query'
import { getGameAccount, linkGame } from '#contract/claim.ts'
import { keyOfAll, useCall } from '#web/api/queries.ts'
import { useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { showToast } from '#web/ui/toast.ts'

/** Shown while the game knows this ID already: the old game password links the two. */
export function GameAccountPanel() {
  const { data: account } = useCall(getGameAccount, {}, { retry: false, staleTime: 0 })
  const queries = useQueryClient()
  const { form, field, busy, failure } = useCallForm(linkGame, {
    onDone: async ({ message }) => {
      void showToast('done', message)
      await queries.invalidateQueries({ queryKey: keyOfAll(getGameAccount) })
    },
  })
  if (account?.state !== 'taken') return null
  return (
    <Panel title="Your game account">
      <div className={layout.padded}>
        <div className={layout.stack}>
          <p>
            The game already has an account with your User ID. Until you show that it is yours, nothing you buy here
            reaches it.
          </p>
          {account.can_link ? (
            <form {...form} className={layout.stack}>
              <PasswordField label="Old game password" autoComplete="off" {...field('GamePass')} />
              {failure !== null && <p role="alert">{failure}</p>}
              <div className={layout.buttons}>
                <Button type="submit" busy={busy}>
                  Link my game account
                </Button>
              </div>
            </form>
          ) : (
            <p>The operators have not moved that account in yet. Please check back later, or write to support.</p>
          )}
        </div>
      </div>
    </Panel>
  )
}
