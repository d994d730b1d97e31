import { deletePlayerNote, writePlayerNote } from '#contract/players.ts'
import layout from '#web/ui/layout.module.css'
import { DeskAction } from '../../kit/action.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { When } from '../../kit/facts.tsx'
import { NoteForm } from '../../kit/notes.tsx'
import { useMay } from '../../me.ts'
import { type Player, Rows } from './rows.tsx'

/** Shows the staff's notes about a player, which the player never sees. */
export function PlayerNotes({ player }: { player: Player }) {
  const may = useMay()
  const mayWrite = may('players.note') && player.state !== 'erased'
  return (
    <div className={layout.panels}>
      <Rows
        title="Notes"
        empty={{ title: 'No notes', line: 'Only staff can see what you write here.' }}
        rows={player.notes.map(({ note, body, written_by, written_at }) => (
          <li key={note}>
            <p className={deskLayout.withBreaks}>{body}</p>
            <p className={deskLayout.faint}>
              {written_by ?? 'staff'} · <When at={written_at} show="both" />{' '}
              {mayWrite && (
                <DeskAction
                  endpoint={deletePlayerNote}
                  input={{ note }}
                  label="Delete"
                  className={deskLayout.textButton}
                  successMessage="The note has been deleted."
                />
              )}
            </p>
          </li>
        ))}
      />
      {mayWrite && (
        <NoteForm endpoint={writePlayerNote} subject={{ user_num: player.user_num }} count={player.notes.length} />
      )}
    </div>
  )
}
