import { useState } from 'react'
import { changePlayerEmail, confirmPlayerEmail, removePlayerFactors, sendPlayerReset } from '#contract/players.ts'
import { FormGrid } from '#web/forms/sheet.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import { When } from '../../kit/facts.tsx'
import looks from '../../kit/looks.module.css'
import styles from './player.module.css'
import type { Player } from './rows.tsx'

/** What every kind of help means for the account. */
const FROZEN = 'For 24 hours, the account spends nothing and gets no other link.'

type Doing = 'reset' | 'confirm' | 'email' | 'factors' | null

/** Helps a player back in. */
export function Recovery({ player }: { player: Player }) {
  const [doing, setDoing] = useState<Doing>(null)
  const { user_num, email, factors } = player
  const stop = () => setDoing(null)
  const dialog = { onClose: stop, reason: 'required' as const }
  return (
    <Panel title="Help them back in">
      <div className={styles.body}>
        <div className={layout.buttons}>
          <Button tone="secondary" onClick={() => setDoing('reset')}>
            Send a reset link
          </Button>
          <Button tone="secondary" onClick={() => setDoing('email')}>
            Change the e-mail
          </Button>
          {player.email_verified_at === null && (
            <Button tone="secondary" onClick={() => setDoing('confirm')}>
              Confirm the e-mail
            </Button>
          )}
          {factors.length > 0 && (
            <Button tone="danger" onClick={() => setDoing('factors')}>
              Remove the second factor
            </Button>
          )}
        </div>
        {factors.map(({ factor, kind, name, created_at, last_used_at }) => (
          <p key={factor}>
            Second factor: <b>{kind === 'totp' ? 'authenticator app' : 'passkey'}</b> {name}{' '}
            <span className={looks.faint}>
              since <When at={created_at} />, last used <When at={last_used_at} />
            </span>
          </p>
        ))}
        {doing === 'email' && (
          <DeskForm
            endpoint={changePlayerEmail}
            values={{ user_num, from: email, email: '', reason: '' }}
            submit="Change the e-mail"
            done="Changed. The old address is notified, and the new one gets a verification link."
            onDone={stop}
            onCancel={stop}
          >
            {({ field }) => (
              <>
                <FormGrid>
                  <TextField label="New e-mail" type="email" autoComplete="off" {...field('email')} />
                  <TextField label="Reason" hint="for the audit log" maxLength={300} {...field('reason')} />
                </FormGrid>
                <p className={looks.hint}>
                  {email} gets a mail with a link that undoes the change for seven days. Make sure first that you are
                  talking to the owner: ask for what only they can know. {FROZEN}
                </p>
              </>
            )}
          </DeskForm>
        )}
      </div>
      <ConfirmDialog
        {...dialog}
        open={doing === 'reset'}
        title="Send a link to set a new password?"
        action="Send the link"
        endpoint={sendPlayerReset}
        input={(reason) => ({ user_num, reason })}
        done="The link is on its way."
      >
        <p>
          It goes to {email} and works once, for 30 minutes. The present password works until then. {FROZEN}
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        {...dialog}
        open={doing === 'confirm'}
        title="Mark this address as verified?"
        action="Confirm the e-mail"
        endpoint={confirmPlayerEmail}
        input={(reason) => ({ user_num, email, reason })}
        done="The address is now marked as verified."
      >
        <p>
          Do this only if you know that {email} is the player’s. {FROZEN}
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        {...dialog}
        open={doing === 'factors'}
        title="Remove the second factor?"
        action="Remove it"
        tone="danger"
        endpoint={removePlayerFactors}
        input={(reason) => ({ user_num, reason })}
        done="The second factor has been removed."
      >
        <p>
          They are logged out everywhere and can then log in with just their password. {FROZEN} For staff, another owner
          has to agree first.
        </p>
      </ConfirmDialog>
    </Panel>
  )
}
