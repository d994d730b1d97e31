import type { writeCaseNote } from '#contract/desk-forum.ts'
import type { writeTicketNote } from '#contract/desk-tickets.ts'
import type { FormValues } from '#contract/endpoint.ts'
import { noteFields, type writePlayerNote } from '#contract/players.ts'
import { Panel } from '#web/ui/panel.tsx'
import { DeskForm } from './desk-form.tsx'
import deskLayout from './desk-layout.module.css'
import { When } from './facts.tsx'

type NoteEndpoint = typeof writeCaseNote | typeof writePlayerNote | typeof writeTicketNote

type NoteFormProps<E extends NoteEndpoint> = {
  endpoint: E
  /** The input that identifies the note's subject. */
  subject: Omit<FormValues<E>, 'body'>
  /** The number of notes. The field resets when it grows. */
  count: number
}

/** A form that adds a note. */
export function NoteForm<E extends NoteEndpoint>({ endpoint, subject, count }: NoteFormProps<E>) {
  return (
    <DeskForm
      key={count}
      endpoint={endpoint as NoteEndpoint}
      fields={noteFields}
      show={['body']}
      values={subject as object}
      submitLabel="Add note"
      successMessage="The note is saved."
    />
  )
}

type NotesProps<E extends NoteEndpoint> = Omit<NoteFormProps<E>, 'count'> & {
  notes: readonly { note: number; body: string; written_by: string; written_at: string }[]
}

/** A panel with the staff's notes about a subject and a form to add one. */
export function Notes<E extends NoteEndpoint>({ notes, ...form }: NotesProps<E>) {
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

/** A list of notes. */
export function NoteList({ notes }: Pick<NotesProps<NoteEndpoint>, 'notes'>) {
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
