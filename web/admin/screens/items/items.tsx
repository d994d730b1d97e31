import { getDeskCategories, getDeskItems, hideItems, moveToCategory } from '#contract/desk-items.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { R_COIN_SECTION } from '#contract/limits.ts'
import { formatPlural } from '#contract/numbers.ts'
import { useCall } from '#web/api/queries.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { DeskAction } from '../../kit/action.tsx'
import { useAction } from '../../kit/call.ts'
import { Money, StateBadge, type States, When } from '../../kit/facts.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { ScreenHead, useTitle } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import styles from './items.module.css'

export type DeskItem = CallOutput<typeof getDeskItems>['rows'][number]

/** Whether players see an item and can buy it. */
export const ITEM_STATES: States<DeskItem['state']> = {
  shown: ['In the shop', 'good'],
  coming: ['Coming', 'attention'],
  over: ['Over', 'off'],
  hidden: ['Hidden', 'off'],
}

/** Returns the address of the picture of an item's slot. */
export const getIconPath = ({ icon, image_url }: Pick<DeskItem, 'icon' | 'image_url'>) =>
  icon === null ? image_url : icon.startsWith('/') ? icon : `/art/${icon}`

export const getCurrency = ({ section }: Pick<DeskItem, 'section'>) =>
  section === R_COIN_SECTION ? ('rCoin' as const) : ('milleage' as const)

const COLUMNS: readonly Column<DeskItem>[] = [
  {
    key: 'name',
    title: 'Item',
    cell: (item) => (
      <span className={styles.item}>
        <Icon item={item} />
        {item.item_name}
        {item.kind === 'service' && <StateBadge>Service</StateBadge>}
      </span>
    ),
  },
  { key: 'state', title: 'State', card: 'end', states: ITEM_STATES },
  { key: 'category_name', title: 'Category' },
  { key: 'price', title: 'Price', align: 'end', cell: (item) => <Price item={item} /> },
  { key: 'sale', title: 'Sale', cell: (item) => <Sale item={item} /> },
  {
    key: 'account_limit',
    title: 'Limit',
    align: 'end',
    card: 'none',
  },
  { key: 'product_num', title: 'No.', align: 'end', card: 'none' },
]

function Icon({ item }: { item: DeskItem }) {
  const path = getIconPath(item)
  return (
    <span className={styles.icon}>
      {path !== null && <img src={path} alt="" width="48" height="24" loading="lazy" />}
    </span>
  )
}

function Price({ item }: { item: DeskItem }) {
  const isOnSale = item.on_sale && item.sale_price !== null
  return (
    <span className={styles.price}>
      {isOnSale && (
        <del>
          <span className="visually-hidden">instead of </span>
          <Money amount={item.price} />
        </del>
      )}
      <Money
        amount={isOnSale && item.sale_price !== null ? item.sale_price : item.price}
        currency={getCurrency(item)}
      />
    </span>
  )
}

function Sale({ item }: { item: DeskItem }) {
  if (item.sale_price === null) return '—'
  const isUpcoming = item.sale_starts_at !== null && !item.on_sale && Date.parse(item.sale_starts_at) > Date.now()
  if (isUpcoming)
    return (
      <>
        from <When at={item.sale_starts_at} show="date" />
      </>
    )
  if (!item.on_sale) return 'over'
  return item.sale_ends_at === null ? (
    'no end set'
  ) : (
    <>
      ends <When at={item.sale_ends_at} />
    </>
  )
}

/** Lists all items. Operators can hide several at once or change their prices. */
export function Screen() {
  useTitle('Items')
  const may = useMay()
  const mayWrite = may('items.write')
  const categories = useCall(getDeskCategories, {})
  const options = categories.data?.rows.map(({ id, category_name }) => [String(id), category_name] as const) ?? []
  return (
    <>
      <ScreenHead
        title="Items"
        line="All items, in the order of the shop. Players can’t see hidden items."
        actions={
          <>
            {mayWrite && <ButtonLink to="/admin/items/new">Add an item</ButtonLink>}
            {mayWrite && (
              <ButtonLink to="/admin/items/prices" tone="secondary">
                Change prices
              </ButtonLink>
            )}
            <ButtonLink to="/admin/items/categories" tone="secondary">
              Categories
            </ButtonLink>
            {mayWrite && (
              <ButtonLink to="/admin/items/csv" tone="secondary">
                Import CSV
              </ButtonLink>
            )}
          </>
        }
      />
      <List
        endpoint={getDeskItems}
        label="Items"
        columns={COLUMNS}
        filters={{
          q: { kind: 'search', label: 'Name or number' },
          category: { kind: 'choice', label: 'Category', options },
          kind: { kind: 'choice', label: 'Kind', options: { item: 'Items', service: 'Services' } },
          state: {
            kind: 'choice',
            label: 'State',
            options: {
              shown: 'In the shop',
              sale: 'On sale now',
              coming: 'Coming',
              over: 'Over',
              hidden: 'Hidden',
            },
          },
        }}
        getId={({ product_num }) => product_num}
        getLink={({ product_num }) => `/admin/items/${product_num}`}
        empty={{
          title: 'The shop is empty',
          ...(options.length === 0
            ? {
                line: 'Create a category first, then add an item to it.',
                action: mayWrite && <ButtonLink to="/admin/items/categories">Create a category</ButtonLink>,
              }
            : {
                line: 'Add an item. Players see it in its category.',
                action: mayWrite && <ButtonLink to="/admin/items/new">Add an item</ButtonLink>,
              }),
        }}
        {...(mayWrite && {
          renderBulkActions: (rows: DeskItem[], clear: () => void) => (
            <BulkActions rows={rows} categories={options} clear={clear} />
          ),
        })}
      />
    </>
  )
}

type BulkActionsProps = { rows: DeskItem[]; categories: (readonly [id: string, name: string])[]; clear: () => void }

function BulkActions({ rows, categories, clear }: BulkActionsProps) {
  const numbers = rows.map(({ product_num }) => product_num)
  const restoreAction = useAction(hideItems)
  /** The selected items whose visibility would change. */
  const listChanged = (hidden: boolean) =>
    rows.filter(({ state }) => (state === 'hidden') !== hidden).map(({ product_num }) => product_num)
  const renderHideButton = (hidden: boolean) => (
    <DeskAction
      endpoint={hideItems}
      input={{ items: numbers, hidden }}
      label={hidden ? 'Hide' : 'Show'}
      tone="secondary"
      undo={() => restoreAction.run({ items: listChanged(hidden), hidden: !hidden })}
      onDone={clear}
    />
  )
  return (
    <>
      {renderHideButton(true)}
      {renderHideButton(false)}
      <DeskAction
        endpoint={moveToCategory}
        input={({ category }) => ({ items: numbers, category_id: Number(category) })}
        label="Move"
        tone="secondary"
        confirmation={{
          title: `Move ${formatPlural(rows.length, 'item')}?`,
          values: { category: '' },
          fields: { category: { kind: 'choice', label: 'To the category', options: categories } },
        }}
        onDone={clear}
      />
      <ButtonLink tone="paper" to={`/admin/items/prices?items=${numbers.join(',')}`}>
        Change prices
      </ButtonLink>
    </>
  )
}
