import { useState } from 'react'
import { formatDays } from '#contract/durations.ts'
import { ADMIN_USER_TYPE, IRREVERSIBLE_AFTER_MS } from '#contract/limits.ts'
import { eraseFields, erasePlayer, exportPlayer, requestPlayerExport } from '#contract/players.ts'
import { Button } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import { DeskAction } from '../../kit/action.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import { useMe } from '../../me.ts'
import styles from './player.module.css'
import type { Player } from './rows.tsx'

/** Fulfils a player's rights under the privacy policy: a copy of all personal data, and its erasure. */
export function PersonalData({ player }: { player: Player }) {
  const [isErasing, setErasing] = useState(false)
  const me = useMe()
  const isColleague = player.user_type >= ADMIN_USER_TYPE && player.user_num !== me.user_num
  return (
    <div className={layout.panels}>
      <Panel title="A copy for the player">
        <div className={styles.body}>
          <p>
            One file with everything the site stores about this player. Send it only to them. Staff notes are not
            included.
          </p>
          {isColleague && (
            <p>
              {player.user_id} is staff. If there is another owner, they have to approve first. Then you can download
              the file for 24 hours.
            </p>
          )}
          <div className={layout.buttons}>
            {isColleague && (
              <DeskAction
                endpoint={requestPlayerExport}
                input={{ user_num: player.user_num }}
                label="Ask another owner"
                tone="secondary"
                confirmation={{
                  title: `Ask for the personal data of ${player.user_id}?`,
                  text: `${player.user_id} gets a mail when the request is approved.`,
                  reason: 'required',
                }}
              />
            )}
            <DeskAction
              endpoint={exportPlayer}
              input={{ user_num: String(player.user_num) }}
              label="Download the file"
              tone="secondary"
              onDone={(file) => saveFile(file, `${player.user_id}.json`)}
            />
          </div>
        </div>
      </Panel>
      <Panel title="Erase">
        <div className={styles.body}>
          <p>
            The account is locked and hidden at once. {formatDays(IRREVERSIBLE_AFTER_MS)} later, names, addresses,
            tickets, letters, characters and histories of this player are deleted permanently; until then the player or
            you can take it back. Purchases and the ledger stay without a name. The user ID can’t be registered again,
            and the erasure is repeated if a backup is restored.
          </p>
          <p>
            From the fourth player in 24 hours on, another owner, if there is one, has to approve the erasure. The
            player and the owners get a mail.
          </p>
          {player.state === 'erasing' && <p>This account is already waiting to be erased.</p>}
          {!isErasing && player.state !== 'erasing' && (
            <Button tone="danger" onClick={() => setErasing(true)}>
              Erase the personal data
            </Button>
          )}
          {isErasing && player.state !== 'erasing' && (
            <DeskForm
              endpoint={erasePlayer}
              fields={eraseFields}
              fieldAdditions={{ user_id: { hint: player.user_id } }}
              show={['user_id', 'reason', 'rename_characters']}
              values={{ user_num: player.user_num }}
              submitLabel={`Erase in ${formatDays(IRREVERSIBLE_AFTER_MS)}`}
              successMessage="The account is locked and will be erased."
              onDone={() => setErasing(false)}
              onWaiting={() => setErasing(false)}
              onCancel={() => setErasing(false)}
            />
          )}
        </div>
      </Panel>
    </div>
  )
}
