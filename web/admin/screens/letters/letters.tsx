import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { FormValues, ValidFormValues } from '#contract/endpoint.ts'
import { SCHOOLS } from '#contract/game.ts'
import { OPENED_COUNT_MAX } from '#contract/limits.ts'
import { countRecipients, getSentLetters, letterFields, sendLetters, withdrawLetterGift } from '#contract/mailbox.ts'
import { formatCount, formatPlural } from '#contract/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { CurrencyText } from '#web/ui/currency-names.ts'
import { DeskAction } from '../../kit/action.tsx'
import { useAction } from '../../kit/call.ts'
import { DeskForm, type DeskFormState } from '../../kit/desk-form.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { PlayerLink } from '../../kit/facts.tsx'
import { type Column, List, type RowOf } from '../../kit/list.tsx'
import { ScreenHead } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import styles from './letters.module.css'

type SentLetter = RowOf<typeof getSentLetters>

const columns: Column<SentLetter>[] = [
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
    cell: ({ opened }) => `${formatCount(opened)}${opened === OPENED_COUNT_MAX ? ' or more' : ''}`,
  },
  { key: 'sent_by', title: 'Written by' },
  { key: 'sent_at', title: 'Sent', card: 'end', kind: 'when' },
]

/** Shows a letter's gift and how much of it is claimed, with a button to take it back. */
function GiftCell({ letter: { letter, gift, to } }: { letter: SentLetter }) {
  const mayGive = useMay()('letters.gift')
  if (gift === null) return null
  const isGiftClosed = gift.state === 'withdrawn' || gift.state === 'claimed'
  return (
    <div className={styles.gift}>
      <p>
        <CurrencyText>{gift.words}</CurrencyText>
      </p>
      <p className={deskLayout.faint}>
        {to === 'player'
          ? gift.state === 'open'
            ? 'Not claimed yet'
            : gift.state === 'claimed'
              ? 'Claimed'
              : 'Withdrawn'
          : `Claimed by ${formatPlural(gift.claims, 'player')}; ${formatCount(gift.claimed)} of the budget of ${formatCount(gift.budget)} used${gift.state === 'withdrawn' ? '; withdrawn' : ''}`}
      </p>
      {!isGiftClosed && mayGive && (
        <DeskAction
          endpoint={withdrawLetterGift}
          input={{ letter }}
          label="Withdraw"
          tone="quiet"
          confirmation={{
            title: 'Withdraw this gift?',
            action: 'Withdraw the gift',
            tone: 'danger',
            text: 'Players who have claimed it keep it. No one else can claim it after this; the letter stays.',
          }}
        />
      )}
    </div>
  )
}

/** Lists the staff's letters to players, and writes new ones. */
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
        getId={({ letter }) => letter}
        empty={{
          title: 'No letters yet',
          line: 'Letters that you and your colleagues send are listed here. Letters that the site sends automatically are not.',
          action: <Button onClick={() => setQuery({ write: '1' })}>Write a letter</Button>,
        }}
      />
    </>
  )
}

/** @param to the user ID of the recipient, if another screen set it */
function LetterForm({ to: userId, onClose }: { to: string; onClose: () => void }) {
  const mayGive = useMay()('letters.gift')
  return (
    <div className={styles.form}>
      <DeskForm
        endpoint={sendLetters}
        fields={letterFields}
        fieldAdditions={{ school: { options: SCHOOLS.map(({ code, name }) => [code, name]) } }}
        values={{ to: 'player', user_id: userId }}
        submitLabel="Send the letter"
        successMessage="Sent. It is in the mail box now."
        onDone={onClose}
        onCancel={onClose}
        onWaiting={onClose}
        show={(form) => {
          const { to, gift = '' } = form.values
          const isMoney = gift === 'r_coin' || gift === 'milleage'
          return [
            ['to', to === 'player' && 'user_id', to === 'school' && 'school', to === 'buyers' && 'bought'],
            to === 'levels' && ['level_from', 'level_to'],
            'subject',
            'body',
            'link',
            gift !== '' && (
              <p key="limit" className={deskLayout.hint}>
                A gift counts against your limit for 24 hours, as a manual change of a balance does; items count at
                their usual price. Above the limit, another operator has to approve the letter, if there is one.
              </p>
            ),
            mayGive ? (
              ['gift', isMoney && 'gift_amount', gift === 'item' && 'gift_item', gift === 'item' && 'gift_quantity']
            ) : (
              <p key="no-gift" className={deskLayout.hint}>
                Your roles allow letters without a gift.
              </p>
            ),
            (to !== 'player' || gift !== '') && <Recipients key="recipients" form={form} />,
            to !== 'player' && gift !== '' && 'gift_budget',
          ]
        }}
      />
    </div>
  )
}

const COUNTED_FIELDS = [
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
type CountedValues = Pick<FormValues<typeof sendLetters>, (typeof COUNTED_FIELDS)[number]>

/** Shows the number of recipients and the maximum cost of the gift before the letter is sent. */
function Recipients({ form }: { form: DeskFormState<typeof sendLetters> }) {
  const [lastCount, setLastCount] = useState<{ key: string; text: string } | null>(null)
  const countAction = useAction(countRecipients)
  const countedValues = Object.fromEntries(COUNTED_FIELDS.map((name) => [name, form.values[name]])) as CountedValues
  const requestKey = JSON.stringify(countedValues)
  const showCount = async () => {
    const callValues = Object.fromEntries(
      Object.entries(countedValues).map(([name, value]) => [name, value === '' ? null : value]),
    )
    const answer = await countAction.run({
      ...(callValues as ValidFormValues<typeof sendLetters>),
      user_id: String(countedValues.user_id ?? ''),
      gift: countedValues.gift ?? '',
    })
    if (answer === undefined) return
    const { recipients, each, total } = answer
    if (each > 0) form.change({ gift_budget: total })
    setLastCount({
      key: requestKey,
      text:
        each > 0
          ? `${formatPlural(recipients, 'player')} × ${formatCount(each)} = ${formatCount(total)}. This is the budget: claims beyond it are refused.`
          : `${formatPlural(recipients, 'player')} would get this letter.`,
    })
  }
  return (
    <div className={styles.count}>
      <Button tone="secondary" busy={countAction.busy} onClick={() => void showCount()}>
        {countedValues.gift === '' ? 'Count recipients' : 'Count recipients and cost'}
      </Button>
      <p role="status">{lastCount?.key === requestKey ? lastCount.text : ''}</p>
    </div>
  )
}
