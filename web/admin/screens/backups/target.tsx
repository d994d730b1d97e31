import { useState } from 'react'
import { backupTargetFields, changeBackupTarget, type getBackups, tryBackupTarget } from '#contract/backups.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { DeskAction } from '../../kit/action.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { Facts, StateBadge, When } from '../../kit/facts.tsx'

type Setup = NonNullable<CallOutput<typeof getBackups>['setup']>
type TargetAddress = Pick<NonNullable<Setup['target']>, 'kind' | 'place' | 'bucket' | 'region' | 'access_key'>

const listFacts = ({ kind, place, bucket, region, access_key }: TargetAddress) =>
  kind === 'folder'
    ? { Folder: place }
    : { Store: place, Bucket: bucket, Region: region === '' ? 'auto' : region, 'Access key': access_key }

/** Shows the target to which backups are copied, and a form to change it. */
export function TargetPanel({ setup }: { setup: Setup }) {
  const { folder, target, tried: triedTarget, copy_problem } = setup
  const [isChanging, setChanging] = useState(false)
  return (
    <>
      <Panel
        title="Copies elsewhere"
        actions={
          !isChanging && (
            <Button tone="secondary" onClick={() => setChanging(true)}>
              {target === null ? 'Choose…' : 'Change…'}
            </Button>
          )
        }
      >
        <div className={deskLayout.body}>
          {target === null ? (
            <p>
              Backups are only in {folder}. If this machine is lost, so are they. Choose a folder on another disk, or a
              store on the internet, to which every backup is copied.
            </p>
          ) : (
            <Facts facts={{ ...listFacts(target), 'Used since': <When at={target.used_at} show="both" /> }} />
          )}
          {copy_problem !== '' && (
            <p role="alert">
              <StateBadge tone="bad">Failed</StateBadge> {copy_problem} The site retries every 15 minutes.
            </p>
          )}
          {triedTarget !== null && (
            <>
              <p>The test of this target succeeded. It is not in use yet.</p>
              <Facts facts={{ ...listFacts(triedTarget), Tested: <When at={triedTarget.tried_at} show="both" /> }} />
              <div>
                <DeskAction
                  endpoint={changeBackupTarget}
                  input={{ target: triedTarget.target }}
                  label="Copy backups there"
                  confirmation={{
                    title: 'Copy backups there?',
                    text: 'Every backup is copied there as soon as it is made, and the fourteen newest are stored. Anyone who can read that target can read the data of all players. Every owner gets an email about it. If there is another owner, they have to approve it first.',
                  }}
                />
              </div>
            </>
          )}
        </div>
      </Panel>
      {isChanging && <TargetForm target={target} onClose={() => setChanging(false)} />}
    </>
  )
}

function TargetForm({ target, onClose }: Pick<Setup, 'target'> & { onClose: () => void }) {
  const { used_at: _, ...currentTarget } = target ?? { kind: 'folder' as const, used_at: '' }
  return (
    <DeskForm
      endpoint={tryBackupTarget}
      fields={backupTargetFields}
      title="Target for copies"
      values={currentTarget}
      show={({ values }) =>
        values.kind === 's3' ? ['kind', 'place', ['bucket', 'region'], ['access_key', 'secret']] : ['kind', 'place']
      }
      submitLabel="Try it"
      onDone={onClose}
      onCancel={onClose}
      actions={
        target !== null && (
          <DeskAction
            endpoint={changeBackupTarget}
            input={{ target: null }}
            label="Stop copying…"
            tone="secondary"
            confirmation={{
              title: 'Stop copying backups?',
              text: 'Backups are then only on this machine. Existing copies are not deleted. If there is another owner, they have to approve it first.',
              tone: 'danger',
            }}
          />
        )
      }
    />
  )
}
