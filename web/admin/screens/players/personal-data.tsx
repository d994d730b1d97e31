import { useState } from 'react'
import { ADMIN_USER_TYPE } from '#contract/limits.ts'
import { erasePlayer, exportPlayer, requestPlayerExport } from '#contract/players.ts'
import { Checkbox } from '#web/forms/fields.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { useAction } from '../../kit/call.ts'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import { saveFile } from '../../kit/save-file.ts'
import { useMe } from '../../me.ts'
import styles from './player.module.css'
import type { Player } from './rows.tsx'

/** What the privacy policy promises: a copy of everything, and its erasure. */
export function PersonalData({ player }: { player: Player }) {
  const [isErasing, setErasing] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const me = useMe()
  const isColleague = player.user_type >= ADMIN_USER_TYPE && player.user_num !== me.user_num
  const { run, busy } = useAction(exportPlayer)
  const save = async () => {
    const file = await run({ user_num: String(player.user_num) })
    if (file !== undefined) saveFile(file, `${player.user_id}.json`)
  }
  return (
    <div className={layout.panels}>
      <Panel title="A copy for the player">
        <div className={styles.body}>
          <p>
            One file with everything the site stores about this player. Send it only to them. Staff notes are not
            included.
          </p>
          {isColleague && (
            <p>They are staff, so another owner has to agree first. Then you can download the file for 24 hours.</p>
          )}
          <div className={layout.buttons}>
            {isColleague && (
              <Button tone="secondary" onClick={() => setAsking(true)}>
                Ask another owner
              </Button>
            )}
            <Button tone="secondary" busy={busy} onClick={() => void save()}>
              Download the file
            </Button>
          </div>
          <ConfirmDialog
            open={isAsking}
            onClose={() => setAsking(false)}
            title={`Ask for the personal data of ${player.user_id}?`}
            action="Ask another owner"
            reason="required"
            endpoint={requestPlayerExport}
            input={(reason) => ({ user_num: player.user_num, reason })}
            done={({ message }) => message}
          >
            <p>They get a mail when an owner has agreed.</p>
          </ConfirmDialog>
        </div>
      </Panel>
      <Panel title="Erase">
        <div className={styles.body}>
          <p>
            Names, addresses, tickets, letters, characters and histories of this player are deleted for good. Purchases
            and the ledger stay without a name. Nobody can register the user ID again, and a restored backup is erased
            again too.
          </p>
          {!isErasing && (
            <Button tone="danger" onClick={() => setErasing(true)}>
              Erase the personal data
            </Button>
          )}
          {isErasing && (
            <DeskForm
              endpoint={erasePlayer}
              values={{ user_num: player.user_num, user_id: '', rename_characters: false, reason: '' }}
              submit="Erase for good"
              done="The personal data has been erased."
              onDone={() => setErasing(false)}
              onCancel={() => setErasing(false)}
            >
              {({ field }) => (
                <>
                  <TextField
                    label="Type the user ID"
                    hint={player.user_id}
                    autoComplete="off"
                    autoCapitalize="none"
                    {...field('user_id')}
                  />
                  <TextField label="Reason" maxLength={300} {...field('reason')} />
                  <Checkbox
                    label="Character names identify the person: replace them in closed months too"
                    {...field('rename_characters')}
                  />
                </>
              )}
            </DeskForm>
          )}
        </div>
      </Panel>
    </div>
  )
}
