import type { writeCaseNote } from '#contract/desk-forum.ts'
import type { writeTicketNote } from '#contract/desk-tickets.ts'
import type { FormValues } from '#contract/endpoint.ts'
import { noteFields, type writePlayerNote } from '#contract/players.ts'
import { Panel } from '#web/ui/panel.tsx'
import { DeskForm } from './desk-form.tsx'
import deskLayout from './desk-layout.module.css'
import { When } from './facts.tsx'

type Writing = typeof writeCaseNote | typeof writePlayerNote | typeof writeTicketNote

type NoteFormProps<E extends Writing> = {
  endpoint: E
  /** The subject of the note. */
  about: Omit<FormValues<E>, 'body'>
  /** How many there are: the field is empty again when there is one more. */
  count: number
}

/** A field for one more note. */
export function NoteForm<E extends Writing>({ endpoint, about, count }: NoteFormProps<E>) {
  return (
    <DeskForm
      key={count}
      endpoint={endpoint as Writing}
      fields={noteFields}
      show={['body']}
      values={about as object}
      submit="Add note"
      done="The note is saved."
    />
  )
}

type NotesProps<E extends Writing> = Omit<NoteFormProps<E>, 'count'> & {
  notes: readonly { note: number; body: string; written_by: string; written_at: string }[]
}

/** Staff's notes about an object, in a panel, and a field for more. */
export function Notes<E extends Writing>({ notes, ...form }: NotesProps<E>) {
  return (
    <Panel title="Notes">
      <div className={deskLayout.body}>
        <p className={deskLayout.faint}>Only staff can see these. The player never does.</p>
        <NoteList notes={notes} />
        <NoteForm {...form} count={notes.length} />
      </div>
    </Panel>
  )
}

/** Notes one below the other. */
export function NoteList({ notes }: Pick<NotesProps<Writing>, 'notes'>) {
  return (
    <ul className={deskLayout.list} aria-label="Notes">
      {notes.map(({ note, body, written_by, written_at }) => (
        <li key={note}>
          <p className={deskLayout.withBreaks}>{body}</p>
          <p className={deskLayout.faint}>
            {written_by} · <When at={written_at} />
          </p>
        </li>
      ))}
    </ul>
  )
}
