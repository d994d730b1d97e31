import { useState } from 'react'
import { DAY_MS } from '#contract/durations.ts'
import { blockPlayer } from '#contract/players.ts'
import { adjustMoney } from '#contract/wallet.ts'
import { SelectField, TextArea } from '#web/forms/fields.tsx'
import { FormGrid } from '#web/forms/sheet.tsx'
import { TextField } from '#web/ui/field.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import looks from '../../kit/looks.module.css'
import type { Player } from './rows.tsx'

type BlockFormProps = { player: Player; block: Player['blocks'][number] | undefined; onClose: () => void }

/** How long a block lasts, in days; the last two are not a number of days. */
const LENGTHS = [
  ['1', '1 day'],
  ['3', '3 days'],
  ['7', '7 days'],
  ['30', '30 days'],
  ['', 'Until it is lifted'],
  ['until', 'Until a date …'],
] as const

/** Blocks a player, or changes the block. */
export function BlockForm({ player, block, onClose }: BlockFormProps) {
  const [length, setLength] = useState(block?.ends_at === null ? '' : '7')
  const [until, setUntil] = useState('')
  /** The end as the call takes it; an unfinished day is sent as it is, so that the rules can say what is missing. */
  const readEnd = () => {
    if (length === '') return null
    if (length !== 'until') return new Date(Date.now() + Number(length) * DAY_MS).toISOString()
    return until === '' ? 'no day' : new Date(`${until}:00+08:00`).toISOString()
  }
  return (
    <DeskForm
      endpoint={blockPlayer}
      values={{
        user_num: player.user_num,
        block: block?.block ?? null,
        reason: block?.reason ?? '',
        note: block?.note ?? '',
        ends_at: null,
      }}
      input={(values) => ({ ...values, ends_at: readEnd() })}
      submit={block === undefined ? `Block ${player.user_id}` : 'Change the block'}
      done={`${player.user_id} is blocked and logged out.`}
      onDone={onClose}
      onCancel={onClose}
    >
      {({ field, watch }) => (
        <>
          <TextField
            label="Reason"
            hint="the player sees this at login"
            placeholder="You sold R-Coin for money in the plaza."
            maxLength={300}
            {...field('reason')}
          />
          <FormGrid>
            <SelectField
              label="For how long"
              value={length}
              error={field('ends_at').error}
              onChange={({ currentTarget }) => setLength(currentTarget.value)}
            >
              {LENGTHS.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </SelectField>
            {length === 'until' && (
              <TextField
                label="Until"
                hint="Manila time"
                type="datetime-local"
                value={until}
                onChange={({ currentTarget }) => setUntil(currentTarget.value)}
              />
            )}
          </FormGrid>
          <TextArea
            label="Note (staff only)"
            rows={3}
            typed={(watch('note') ?? '').length}
            limit={2000}
            {...field('note')}
          />
          <p className={looks.hint}>
            The player is logged out on every device, and their characters are left out of the rankings.
          </p>
        </>
      )}
    </DeskForm>
  )
}

/** Gives or takes money, with an entry in the ledger. */
export function MoneyForm({ player, onClose }: { player: Player; onClose: () => void }) {
  return (
    <DeskForm
      endpoint={adjustMoney}
      values={{ currency: 'rCoin', direction: 'give', reason: '' }}
      input={(values) => ({ ...values, player: player.user_num })}
      submit="Change the balance"
      done="The balance has been changed."
      onDone={onClose}
      onCancel={onClose}
    >
      {({ field }) => {
        const { name, ...amount } = field('amount')
        return (
          <>
            <FormGrid>
              <SelectField label="Currency" {...field('currency')}>
                <option value="rCoin">R-Coin</option>
                <option value="milleage">Milleage</option>
              </SelectField>
              <SelectField label="Give or take" {...field('direction')}>
                <option value="give">Give</option>
                <option value="take">Take</option>
              </SelectField>
              <TextField label="Amount" inputMode="numeric" name={name} {...amount} />
            </FormGrid>
            <TextField label="Reason" hint="for the audit log" maxLength={200} {...field('reason')} />
            <p className={looks.hint}>
              This creates a ledger entry that can’t be deleted; correct a mistake with another entry. Large amounts
              wait until another operator approves them.
            </p>
          </>
        )
      }}
    </DeskForm>
  )
}
