import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { FormValues, ValidFormValues } from '#contract/endpoint.ts'
import { SCHOOLS } from '#contract/game.ts'
import { OPENED_COUNTED } from '#contract/limits.ts'
import { countRecipients, getSentLetters, sendLetters, withdrawLetterGift } from '#contract/mailbox.ts'
import { formatCount } from '#contract/numbers.ts'
import { SelectField, TextArea } from '#web/forms/fields.tsx'
import { FormGrid } from '#web/forms/sheet.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { useAction } from '../../kit/call.ts'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { DeskForm, type DeskFormParts } from '../../kit/desk-form.tsx'
import { PlayerLink, When } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import looks from '../../kit/looks.module.css'
import { ScreenHead } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
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
  {
    key: 'gift',
    title: 'Gift',
    cell: (letter) => <GiftCell letter={letter} />,
  },
  {
    key: 'opened',
    title: 'Opened by',
    align: 'end',
    cell: ({ opened }) => `${formatCount(opened)}${opened === OPENED_COUNTED ? ' or more' : ''}`,
  },
  { key: 'by', title: 'Written by', cell: ({ sent_by }) => sent_by },
  { key: 'at', title: 'Sent', card: 'end', cell: ({ sent_at }) => <When at={sent_at} /> },
]

/** What a letter brings and how much of it is claimed, with the way to take it back. */
function GiftCell({ letter: { letter, gift, to } }: { letter: Sent }) {
  const [isAsking, setAsking] = useState(false)
  const mayGive = useMay()('letters.gift')
  if (gift === null) return null
  const isOver = gift.state === 'withdrawn' || gift.state === 'claimed'
  return (
    <div className={styles.gift}>
      <p>{gift.words}</p>
      <p className={looks.faint}>
        {to === 'player'
          ? gift.state === 'open'
            ? 'Not claimed yet'
            : gift.state === 'claimed'
              ? 'Claimed'
              : 'Withdrawn'
          : `${formatCount(gift.claims)} claimed, ${formatCount(gift.claimed)} of ${formatCount(gift.budget)}${gift.state === 'withdrawn' ? '; withdrawn' : ''}`}
      </p>
      {!isOver && mayGive && (
        <Button tone="quiet" onClick={() => setAsking(true)}>
          Withdraw
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Withdraw this gift?"
        action="Withdraw the gift"
        tone="danger"
        endpoint={withdrawLetterGift}
        input={() => ({ letter })}
        done={({ message }) => message}
      >
        <p>Players who have claimed it keep it. Nobody else can claim it any more; the letter stays.</p>
      </ConfirmDialog>
    </div>
  )
}

/** Letters of the staff to players' mail boxes. */
export function Screen() {
  const [query, setQuery] = useSearchParams()
  const isWriting = query.has('write')
  return (
    <>
      <ScreenHead
        title="Letters"
        line="Write to one player or to many. Letters arrive in the player’s mail box on the site and stay there for 90 days."
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
          line: 'Letters that you and your colleagues send are listed here. Letters that the site sends automatically are not.',
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
        values={{ to: 'player', user_id: to, subject: '', body: '', link: '', gift: '' }}
        submit="Send the letter"
        done="Sent. It is in the mail box now."
        onDone={onClose}
        onCancel={onClose}
        onWaiting={onClose}
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
      <TextField label="Subject" maxLength={120} {...field('subject')} />
      <TextArea label="Letter" rows={8} typed={(watch('body') ?? '').length} limit={4000} {...field('body')} />
      <TextField label="Link to a page" hint="optional, such as /news" {...field('link')} />
      <GiftFields form={form} />
      {(to !== 'player' || (watch('gift') ?? '') !== '') && <Recipients form={form} />}
    </>
  )
}

/** What the letter brings, if anything. */
function GiftFields({ form: { field, watch } }: { form: DeskFormParts<typeof sendLetters> }) {
  const mayGive = useMay()('letters.gift')
  if (!mayGive) return <p className={looks.hint}>Your roles allow letters without a gift.</p>
  const gift = watch('gift') ?? ''
  return (
    <>
      {gift !== '' && (
        <p className={looks.hint}>
          A gift counts against the limit for 24 hours like a balance changed by hand, items at their usual price; above
          it, another operator has to approve the letter.
        </p>
      )}
      <FormGrid>
        <SelectField label="Gift" {...field('gift')}>
          <option value="">No gift</option>
          <option value="r_coin">R-Coin</option>
          <option value="milleage">Milleage</option>
          <option value="item">An item</option>
        </SelectField>
        {(gift === 'r_coin' || gift === 'milleage') && (
          <TextField label="Amount for each player" inputMode="numeric" {...field('gift_amount')} />
        )}
        {gift === 'item' && (
          <>
            <TextField label="Item number" inputMode="numeric" hint="as on the Items screen" {...field('gift_item')} />
            <TextField label="How many for each player" inputMode="numeric" {...field('gift_quantity')} />
          </>
        )}
      </FormGrid>
    </>
  )
}

const COUNTED = [
  'to',
  'user_id',
  'level_from',
  'level_to',
  'school',
  'bought',
  'gift',
  'gift_amount',
  'gift_item',
  'gift_quantity',
] as const
type Counted = Pick<FormValues<typeof sendLetters>, (typeof COUNTED)[number]>

const players = (count: number) => `${formatCount(count)} ${count === 1 ? 'player' : 'players'}`

/** How many players the letter would reach and what its gift costs at most, before it is sent. */
function Recipients({ form }: { form: DeskFormParts<typeof sendLetters> }) {
  const [known, setKnown] = useState<{ of: string; said: string } | null>(null)
  const count = useAction(countRecipients)
  const counted = Object.fromEntries(COUNTED.map((name) => [name, form.watch(name)])) as Counted
  const asked = JSON.stringify(counted)
  const ask = async () => {
    const numbers = Object.fromEntries(
      Object.entries(counted).map(([name, value]) => [name, value === '' || value === undefined ? null : value]),
    )
    const answer = await count.run({
      ...(numbers as ValidFormValues<typeof sendLetters>),
      user_id: String(counted.user_id ?? ''),
      gift: counted.gift ?? '',
    })
    if (answer === undefined) return
    const { recipients, each, total } = answer
    if (each > 0) form.setValue('gift_budget', total as never)
    setKnown({
      of: asked,
      said:
        each > 0
          ? `${players(recipients)} × ${formatCount(each)} = ${formatCount(total)}. This is the budget: claims beyond it are refused.`
          : `${players(recipients)} would get this letter.`,
    })
  }
  const isGiftToMany = (counted.gift ?? '') !== '' && counted.to !== 'player'
  return (
    <>
      <div className={styles.count}>
        <Button tone="secondary" busy={count.busy} onClick={() => void ask()}>
          {(counted.gift ?? '') === '' ? 'Count recipients' : 'Count recipients and cost'}
        </Button>
        <p role="status">{known?.of === asked ? known.said : ''}</p>
      </div>
      {isGiftToMany && (
        <TextField
          label="Budget"
          inputMode="numeric"
          hint="R-Coin or Milleage, for all claims together"
          {...form.field('gift_budget')}
        />
      )}
    </>
  )
}
