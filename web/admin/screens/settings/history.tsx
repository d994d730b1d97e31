import { useRef } from 'react'
import { getSettingChanges, getSettings, type saveSettings } from '#contract/desk-settings.ts'
import { SETTINGS, type SettingName } from '#contract/settings.ts'
import { useCall } from '#web/api/queries.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { DeskAction } from '../../kit/action.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { ScreenHead } from '../../kit/screen.tsx'
import { SAVE_CALLS } from '../../kit/settings-form.tsx'

type Change = RowOf<typeof getSettingChanges>

const getSaveCall = (name: SettingName) => SAVE_CALLS[SETTINGS[name].permission] as typeof saveSettings

const columns: Column<Change>[] = [
  { key: 'label', title: 'Setting' },
  {
    key: 'change',
    title: 'Change',
    card: 'wide',
    cell: (row) => (
      <>
        {row.before} → <strong>{row.after}</strong>
      </>
    ),
  },
  { key: 'actor', title: 'Who' },
  { key: 'at', title: 'When', kind: 'when', card: 'end' },
  {
    key: 'undo',
    title: '',
    card: 'wide',
    cell: (row) => <UndoButton change={row} />,
  },
]

/** Lists the changes of settings with their authors and times. Each has a button to undo it. */
export function Screen() {
  return (
    <>
      <ScreenHead
        title="History of the settings"
        line="Every change, newest first. Undo restores the value before the change."
        actions={
          <ButtonLink to="/admin/settings" tone="secondary">
            Settings
          </ButtonLink>
        }
      />
      <List
        endpoint={getSettingChanges}
        label="Changes of settings"
        columns={columns}
        getId={(row) => row.change}
        empty={{ title: 'Nothing yet', line: 'All settings have their default values.' }}
      />
    </>
  )
}

function UndoButton({ change: { name, label, before, is_latest, change } }: { change: Change }) {
  const settings = useCall(getSettings, {})
  const version = useRef(0)
  version.current = settings.data?.rows.find((row) => row.name === name)?.version ?? 0
  return (
    <DeskAction
      endpoint={getSaveCall(name)}
      input={() => ({ changes: [{ name, version: version.current, undoes: change }] })}
      prepare={async () => settings.data !== undefined || (await settings.refetch()).isSuccess}
      label="Undo"
      about={`the change to ${label}`}
      tone="quiet"
      confirmation={{
        title: `Undo the change to ‘${label}’?`,
        action: 'Undo it',
        text: (
          <p>
            Its value goes back to <strong>{before}</strong>.
            {!is_latest &&
              ' It has been changed again since then; that later change is undone too, and stays in this list.'}
          </p>
        ),
      }}
    />
  )
}
