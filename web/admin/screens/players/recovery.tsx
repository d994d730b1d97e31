import { useState } from 'react'
import {
  changeEmailFields,
  changePlayerEmail,
  confirmPlayerEmail,
  removePlayerFactors,
  sendPlayerReset,
} from '#contract/players.ts'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { DeskAction } from '../../kit/action.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { When } from '../../kit/facts.tsx'
import styles from './player.module.css'
import type { Player } from './rows.tsx'

/** The effect that every kind of recovery has on the account. */
const FREEZE_NOTE = 'For 24 hours, the account can’t spend anything and gets no other link.'

/** Helps a player to log in again. */
export function RecoveryPanel({ player }: { player: Player }) {
  const [isChanging, setChanging] = useState(false)
  const { user_num, email, factors } = player
  const closeForm = () => setChanging(false)
  return (
    <Panel title="Help the player log in again">
      <div className={styles.body}>
        <div className={layout.buttons}>
          <DeskAction
            endpoint={sendPlayerReset}
            input={{ user_num }}
            label="Send a reset link"
            tone="secondary"
            confirmation={{
              title: 'Send a link to set a new password?',
              action: 'Send the link',
              text: `It goes to ${email} and works once, for 30 minutes. The current password works until then. ${FREEZE_NOTE}`,
              reason: 'required',
            }}
          />
          <Button tone="secondary" onClick={() => setChanging(true)}>
            Change the email
          </Button>
          {player.email_verified_at === null && (
            <DeskAction
              endpoint={confirmPlayerEmail}
              input={{ user_num, email }}
              label="Confirm the email"
              tone="secondary"
              confirmation={{
                title: 'Mark this address as verified?',
                text: `Do this only if you know that ${email} is the player’s. ${FREEZE_NOTE}`,
                reason: 'required',
              }}
              successMessage="The address is now marked as verified."
            />
          )}
          {factors.length > 0 && (
            <DeskAction
              endpoint={removePlayerFactors}
              input={{ user_num }}
              label="Remove the second factor"
              tone="danger"
              confirmation={{
                title: 'Remove the second factor?',
                action: 'Remove it',
                text: `The player is logged out everywhere and can then log in with just the password. ${FREEZE_NOTE} For staff, another owner has to approve first, if there is one.`,
                reason: 'required',
              }}
              successMessage="The second factor has been removed."
            />
          )}
        </div>
        {factors.map(({ factor, kind, name, created_at, last_used_at }) => (
          <p key={factor}>
            Second factor: <b>{kind === 'totp' ? 'authenticator app' : 'passkey'}</b> {name}{' '}
            <span className={deskLayout.faint}>
              since <When at={created_at} show="date" />, last used <When at={last_used_at} />
            </span>
          </p>
        ))}
        {isChanging && (
          <DeskForm
            endpoint={changePlayerEmail}
            fields={changeEmailFields}
            values={{ user_num, from: email }}
            submitLabel="Change the email"
            onDone={closeForm}
            onCancel={closeForm}
            show={[
              ['email', 'reason'],
              <p key="effect" className={deskLayout.hint}>
                {email} gets a mail with a link that undoes the change for seven days. First make sure that you are
                talking to the owner of the account: ask for facts that only they know. {FREEZE_NOTE}
              </p>,
            ]}
          />
        )}
      </div>
    </Panel>
  )
}
