import { type Prize, prizeFields } from '#contract/prizes.ts'
import deskLayout from './desk-layout.module.css'
import { Fields } from './fields.tsx'
import styles from './prize-fields.module.css'

type PrizeFieldsProps = {
  /** Describes the recipients of the prizes and the time. */
  line: string
  /** The number of ranks with a row. Ranks that already have a prize get a row too. */
  rankCount: number
  prizes: readonly Prize[]
  error: string | undefined
  onChange: (prizes: Prize[]) => void
}

/** The fields for the prizes, one row for each rank. */
export function PrizeFields({ line, rankCount, prizes, error, onChange }: PrizeFieldsProps) {
  const rowCount = Math.max(rankCount, ...prizes.map(({ place }) => place))
  const setPrize = (place: number, part: Partial<Omit<Prize, 'gift'>> & { gift?: Prize['gift'] | '' }) => {
    const otherPrizes = prizes.filter((prize) => prize.place !== place)
    const currentPrize = prizes.find((prize) => prize.place === place) ?? {
      amount: null,
      item: null,
      gift: '' as const,
    }
    const { gift, ...next } = { ...currentPrize, ...part, place }
    const newPrizes = gift === '' ? [] : [{ ...next, gift, ...(gift !== 'item' && { item: null }) }]
    onChange([...otherPrizes, ...newPrizes].toSorted((a, b) => a.place - b.place))
  }
  return (
    <fieldset className={deskLayout.group}>
      <legend>Prizes</legend>
      <p>{line}</p>
      {Array.from({ length: rowCount }, (_, index) => index + 1).map((place) => {
        const { gift = '', ...values }: Partial<Omit<Prize, 'gift'>> & { gift?: Prize['gift'] | '' } =
          prizes.find((prize) => prize.place === place) ?? {}
        const amount = gift === 'item' ? 'Quantity for place' : prizeFields.amount.label
        return (
          <div key={place} className={styles.prize}>
            <Fields
              fields={{
                gift: { ...prizeFields.gift, label: `${prizeFields.gift.label} ${place}` },
                item: { ...prizeFields.item, label: `${prizeFields.item.label} ${place}` },
                amount: { ...prizeFields.amount, label: `${amount} ${place}` },
              }}
              show={['gift', gift === 'item' && 'item', gift !== '' && 'amount']}
              form={{
                values: { gift, item: values.item ?? null, amount: values.amount ?? null },
                getError: () => undefined,
                change: (part) => setPrize(place, part),
              }}
            />
          </div>
        )
      })}
      {error !== undefined && (
        <p className={deskLayout.failure} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
