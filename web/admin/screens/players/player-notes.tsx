import { deletePlayerNote, writePlayerNote } from '#contract/desk-players.ts'
import { TextArea } from '#web/forms/fields.tsx'
import { useAction } from '../../kit/call.ts'
import { DeskForm } from '../../kit/desk-form.tsx'
import { When } from '../../kit/facts.tsx'
import { useMay } from '../../me.ts'
import styles from './player.module.css'
import { type Player, Rows } from './rows.tsx'

/** What staff remember about a player. The player never sees it. */
export function Notes({ player }: { player: Player }) {
  const may = useMay()
  const mayWrite = may('players.note') && player.state !== 'erased'
  const { run, busy } = useAction(deletePlayerNote, { done: 'The note is deleted.' })
  return (
    <div className={styles.parts}>
      <Rows
        title="Notes"
        empty={{ title: 'No notes', line: 'What you write here is for staff alone.' }}
        rows={player.notes.map(({ note, body, written_by, written_at }) => (
          <li key={note}>
            <p className={styles.long}>{body}</p>
            <p className={styles.mute}>
              {written_by ?? 'staff'} · <When at={written_at} show="both" />{' '}
              {mayWrite && (
                <button type="button" className={styles.quiet} disabled={busy} onClick={() => void run({ note })}>
                  Delete
                </button>
              )}
            </p>
          </li>
        ))}
      />
      {mayWrite && (
        <DeskForm
          key={player.notes[0]?.note ?? 0}
          endpoint={writePlayerNote}
          values={{ user_num: player.user_num, body: '' }}
          submit="Write the note"
          done="The note is saved."
        >
          {({ field, watch }) => (
            <TextArea
              label="A new note"
              rows={3}
              typed={(watch('body') ?? '').length}
              limit={2000}
              {...field('body')}
            />
          )}
        </DeskForm>
      )}
    </div>
  )
}
