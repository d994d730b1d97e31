import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { countRecipients, getSentLetters, sendLetters } from '#contract/desk-letters.ts'
import type { FormValues, ValidFormValues } from '#contract/endpoint.ts'
import { SCHOOLS } from '#contract/game.ts'
import { SelectField, TextArea } from '#web/forms/fields.tsx'
import { FormGrid } from '#web/forms/sheet.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { useAction } from '../../kit/call.ts'
import { DeskForm, type DeskFormParts } from '../../kit/desk-form.tsx'
import { PlayerLink, When } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { ScreenHead } from '../../kit/screen.tsx'
import styles from './letters.module.css'

type Sent = RowOf<typeof getSentLetters>

const columns: Column<Sent>[] = [
  {
    key: 'subject',
    title: 'Letter',
    card: 'wide',
    cell: ({ subject, body }) => (
      <div className={styles.letter}>
        <p>{subject}</p>
        <p className={styles.body}>{body}</p>
      </div>
    ),
  },
  {
    key: 'to',
    title: 'To',
    cell: ({ to_num, to_words }) => (to_num === null ? to_words : <PlayerLink userNum={to_num} userId={to_words} />),
  },
  { key: 'opened', title: 'Opened by', align: 'end', cell: ({ opened }) => opened.toLocaleString('en-US') },
  { key: 'by', title: 'Written by', cell: ({ sent_by }) => sent_by },
  { key: 'at', title: 'Sent', card: 'end', cell: ({ sent_at }) => <When at={sent_at} /> },
]

/** Letters of the staff to players' mail boxes. */
export function Screen() {
  const [query, setQuery] = useSearchParams()
  const isWriting = query.has('write')
  return (
    <>
      <ScreenHead
        title="Letters"
        line="Write to one player or to many. Letters arrive in the mail box on the site and stay there for 90 days."
        actions={!isWriting && <Button onClick={() => setQuery({ write: '1' })}>Write a letter</Button>}
      />
      {isWriting && <LetterForm to={query.get('to') ?? ''} onClose={() => setQuery({}, { replace: true })} />}
      <List
        endpoint={getSentLetters}
        label="Letters"
        columns={columns}
        idOf={({ letter }) => letter}
        empty={{
          title: 'No letters yet',
          line: 'What you and your colleagues write to players is listed here. What the site writes by itself is not.',
          action: <Button onClick={() => setQuery({ write: '1' })}>Write a letter</Button>,
        }}
      />
    </>
  )
}

/** @param to the user ID that the letter is to, if another screen said so */
function LetterForm({ to, onClose }: { to: string; onClose: () => void }) {
  return (
    <div className={styles.form}>
      <DeskForm
        endpoint={sendLetters}
        values={{ to: 'player', user_id: to, subject: '', body: '', link: '' }}
        submit="Send the letter"
        done="Sent. It is in the mail box now."
        onDone={onClose}
        onCancel={onClose}
      >
        {(form) => <LetterFields form={form} />}
      </DeskForm>
    </div>
  )
}

function LetterFields({ form }: { form: DeskFormParts<typeof sendLetters> }) {
  const { field, watch } = form
  const to = watch('to')
  return (
    <>
      <FormGrid>
        <SelectField label="To" {...field('to')}>
          <option value="player">One player</option>
          <option value="everyone">Everyone</option>
          <option value="levels">Players with a character of certain levels</option>
          <option value="school">Players with a character of a school</option>
          <option value="buyers">Players who bought an item</option>
        </SelectField>
        {to === 'player' && (
          <TextField
            label="User ID"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...field('user_id')}
          />
        )}
        {to === 'school' && (
          <SelectField label="School" {...field('school')}>
            <option value="">Choose a school</option>
            {SCHOOLS.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
        {to === 'buyers' && (
          <TextField label="Item number" inputMode="numeric" hint="as on the Items screen" {...field('bought')} />
        )}
      </FormGrid>
      {to === 'levels' && (
        <FormGrid>
          <TextField label="From level" inputMode="numeric" {...field('level_from')} />
          <TextField label="To level" inputMode="numeric" {...field('level_to')} />
        </FormGrid>
      )}
      {to !== 'player' && <Recipients form={form} />}
      <TextField label="Subject" maxLength={120} {...field('subject')} />
      <TextArea label="Letter" rows={8} typed={(watch('body') ?? '').length} limit={4000} {...field('body')} />
      <TextField label="Page it is about" hint="such as /news; may be empty" {...field('link')} />
    </>
  )
}

type Audience = Pick<FormValues<typeof sendLetters>, 'to' | 'level_from' | 'level_to' | 'school' | 'bought'>

/** How many players the letter would reach, before it is sent. */
function Recipients({ form }: { form: DeskFormParts<typeof sendLetters> }) {
  const [known, setKnown] = useState<{ of: string; recipients: number } | null>(null)
  const count = useAction(countRecipients)
  const { to, level_from, level_to, school, bought } = form.getValues()
  const audience = { to, level_from, level_to, school, bought } as Audience
  const asked = JSON.stringify(audience)
  const ask = async () => {
    const numbers = Object.fromEntries(
      Object.entries(audience).map(([name, value]) => [name, value === '' || value === undefined ? null : value]),
    )
    const answer = await count.run({ ...(numbers as ValidFormValues<typeof sendLetters>), user_id: '' })
    if (answer !== undefined) setKnown({ of: asked, recipients: answer.recipients })
  }
  return (
    <div className={styles.count}>
      <Button tone="secondary" busy={count.busy} onClick={() => void ask()}>
        Count who gets it
      </Button>
      <p role="status">
        {known?.of === asked
          ? `${known.recipients.toLocaleString('en-US')} ${known.recipients === 1 ? 'player' : 'players'} would get this letter.`
          : ''}
      </p>
    </div>
  )
}
