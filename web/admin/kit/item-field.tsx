import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { findItems } from '#contract/desk-items.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { useCall } from '#web/api/queries.ts'
import { TextField } from '#web/ui/field.tsx'
import text from '#web/ui/text.module.css'
import styles from './item-field.module.css'

type Item = CallOutput<typeof findItems>['rows'][number]

/** The pause in typing before the search, in ms. */
const SEARCH_DELAY_MS = 200

type ItemFieldProps = {
  label: string
  hint?: string
  /** The id of the chosen item. */
  value: unknown
  error: string | undefined
  onChange: (item: number | null) => void
}

/** A field for an item of the shop, found by name or id, with its picture. */
export function ItemField({ label, hint, value, error, onChange }: ItemFieldProps) {
  const [query, setQuery] = useState('')
  const itemId = typeof value === 'number' ? value : null
  const item = useItem(itemId)
  if (itemId !== null)
    return (
      <div className={styles.field} data-item>
        <span className={styles.label}>{label}</span>
        <div className={styles.chosenItem}>
          {item === undefined ? <span>Item {itemId}</span> : <ItemName item={item} />}
          <button type="button" className={styles.change} onClick={() => onChange(null)}>
            Change<span className="visually-hidden"> the item {item?.item_name ?? itemId}</span>
          </button>
        </div>
        {error !== undefined && (
          <p className={styles.error} role="alert">
            {error}
          </p>
        )}
      </div>
    )
  const chooseItem = (chosenId: number) => {
    setQuery('')
    onChange(chosenId)
  }
  return (
    <div className={styles.field} data-item>
      <TextField
        label={label}
        hint={hint ?? 'name or number'}
        error={error}
        autoComplete="off"
        value={query}
        onChange={({ currentTarget }) => setQuery(currentTarget.value)}
      />
      {query.trim() !== '' && <MatchingItems query={query.trim()} label={label} chooseItem={chooseItem} />}
    </div>
  )
}

/** Lists the items that match a query as buttons. */
function MatchingItems({
  query,
  label,
  chooseItem,
}: {
  query: string
  label: string
  chooseItem: (item: number) => void
}) {
  const [settledQuery, setSettledQuery] = useState(query)
  useEffect(() => {
    const timer = setTimeout(() => setSettledQuery(query), SEARCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [query])
  const { data } = useCall(findItems, { q: settledQuery }, { placeholderData: keepPreviousData })
  if (data === undefined) return null
  return data.rows.length === 0 ? (
    <p className={text.quiet} role="status">
      No item fits “{settledQuery}”.
    </p>
  ) : (
    <ul className={styles.matches} aria-label={`Choices for ${label}`}>
      {data.rows.map((item) => (
        <li key={item.product_num}>
          <button type="button" onClick={() => chooseItem(item.product_num)}>
            <ItemName item={item} />
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Reads an item by its id. Returns undefined while it loads or if it does not exist. */
function useItem(itemId: number | null): Item | undefined {
  const { data } = useCall(findItems, { q: String(itemId ?? '') }, { enabled: itemId !== null })
  return data?.rows.find(({ product_num }) => product_num === itemId)
}

/** The picture of an item, with its name for screen readers. An item without a picture shows its name. */
export function ItemPicture({ itemId }: { itemId: number }) {
  const item = useItem(itemId)
  return item === undefined || item.picture === null ? (
    (item?.item_name ?? `item ${itemId}`)
  ) : (
    <img src={item.picture} alt={item.item_name} title={item.item_name} width="48" height="24" loading="lazy" />
  )
}

function ItemName({ item: { product_num, item_name, picture, hidden } }: { item: Item }) {
  return (
    <span className={styles.item}>
      <span className={styles.picture}>
        {picture !== null && <img src={picture} alt="" width="48" height="24" loading="lazy" />}
      </span>
      <span>
        {item_name}{' '}
        <small>
          No. {product_num}
          {hidden && ', hidden'}
        </small>
      </span>
    </span>
  )
}
