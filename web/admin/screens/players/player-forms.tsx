import { useState } from 'react'
import { DAY_MS } from '#contract/durations.ts'
import { blockFields, blockPlayer } from '#contract/players.ts'
import { adjustFields, adjustMoney } from '#contract/wallet.ts'
import { DeskForm } from '../../kit/desk-form.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { Fields } from '../../kit/fields.tsx'
import type { Player } from './rows.tsx'

type BlockFormProps = { player: Player; block: Player['blocks'][number] | undefined; onClose: () => void }

/** The lengths of a block in days; the last two entries are special. */
const LENGTH_OPTIONS = [
  ['1', '1 day'],
  ['3', '3 days'],
  ['7', '7 days'],
  ['30', '30 days'],
  ['', 'Until it is lifted'],
  ['until', 'Until a date …'],
] as const

const endFields = {
  length: { kind: 'choice', label: 'For how long', options: LENGTH_OPTIONS },
  until: { kind: 'moment', label: 'Until' },
} as const

/** Blocks a player, or changes the block. */
export function BlockForm({ player, block, onClose }: BlockFormProps) {
  const [end, setEnd] = useState({ length: block?.ends_at === null ? '' : '7', until: '' })
  /** Returns the end of the block for the call. An incomplete date is sent unchanged, so the rules report the error. */
  const readEnd = () => {
    if (end.length === '') return null
    if (end.length !== 'until') return new Date(Date.now() + Number(end.length) * DAY_MS).toISOString()
    return end.until === '' ? 'no day' : end.until
  }
  return (
    <DeskForm
      endpoint={blockPlayer}
      fields={blockFields}
      values={{
        user_num: player.user_num,
        block: block?.block ?? null,
        reason: block?.reason ?? '',
        note: block?.note ?? '',
        ends_at: null,
      }}
      input={(values) => ({ ...values, ends_at: readEnd() })}
      submitLabel={block === undefined ? `Block ${player.user_id}` : 'Change the block'}
      successMessage={`${player.user_id} is blocked and logged out.`}
      onDone={onClose}
      onCancel={onClose}
      show={({ getError }) => [
        'reason',
        [
          <Fields
            key="end"
            fields={endFields}
            show={['length', end.length === 'until' && 'until']}
            form={{
              values: end,
              getError: (name) => (name === 'length' ? getError('ends_at') : undefined),
              change: (part) => setEnd({ ...end, ...part }),
            }}
          />,
        ],
        'note',
        <p key="effect" className={deskLayout.hint}>
          The player is logged out on every device, and their characters are left out of the rankings.
        </p>,
      ]}
    />
  )
}

/** Adds money to or removes it from a balance, with a ledger entry. */
export function MoneyForm({ player, onClose }: { player: Player; onClose: () => void }) {
  return (
    <DeskForm
      endpoint={adjustMoney}
      fields={adjustFields}
      values={{ currency: 'rCoin', direction: 'give' }}
      input={(values) => ({ ...values, player: player.user_num })}
      submitLabel="Change the balance"
      successMessage="The balance has been changed."
      onDone={onClose}
      onCancel={onClose}
      show={[
        ['currency', 'direction', 'amount'],
        'reason',
        <p key="effect" className={deskLayout.hint}>
          This creates a ledger entry that can’t be deleted; correct a mistake with another entry. Large amounts wait
          until another operator, if you have one, approves them.
        </p>,
      ]}
    />
  )
}
