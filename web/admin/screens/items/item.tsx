import { useNavigate, useParams } from 'react-router'
import {
  getDeskCategories,
  getDeskItem,
  getDeskItems,
  hideItems,
  itemFields,
  moveItem,
  saveItem,
} from '#contract/desk-items.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { R_COIN_SECTION } from '#contract/limits.ts'
import { formatCount } from '#contract/numbers.ts'
import { call } from '#web/api/call.ts'
import { useCall } from '#web/api/queries.ts'
import { SelectField } from '#web/forms/fields.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { useAction } from '../../kit/call.ts'
import { Money, StateBadge, When } from '../../kit/facts.tsx'
import { DeskForm } from '../../kit/form.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import styles from './items.module.css'
import { currencyOf, type DeskItem, ItemState, iconPath } from './items.tsx'

type ItemWithPrices = CallOutput<typeof getDeskItem>

/** One item: what it is, what it costs, when it is sold; and the prices it has had. */
export function Screen() {
  const { num = 'new' } = useParams()
  return num === 'new' ? <ItemPage key="new" loaded={null} /> : <PresentItem key={num} num={Number(num)} />
}

function PresentItem({ num }: { num: number }) {
  const item = useCall(getDeskItem, { product_num: num })
  return <Loaded of={item}>{(loaded) => <ItemPage loaded={loaded} />}</Loaded>
}

function ItemPage({ loaded }: { loaded: ItemWithPrices | null }) {
  const mayWrite = useMay()('items.write')
  const item = loaded?.item ?? null
  const categories = useCall(getDeskCategories, {})
  const hide = useAction(hideItems, { done: ({ message }) => message })
  return (
    <RecordPage
      back={{ to: '/admin/items', label: 'Items' }}
      title={item?.item_name ?? 'New item'}
      badges={
        item && (
          <>
            <ItemState item={item} />
            {item.on_sale && <StateBadge tone="next">On sale</StateBadge>}
          </>
        )
      }
      actions={
        item && (
          <>
            {item.state === 'shown' && (
              <ButtonLink tone="secondary" to={`/itemshop/${item.product_num}`}>
                View in the shop
              </ButtonLink>
            )}
            {mayWrite && (
              <Button
                tone="secondary"
                busy={hide.busy}
                onClick={() => void hide.run({ items: [item.product_num], hidden: item.state !== 'hidden' })}
              >
                {item.state === 'hidden' ? 'Show it' : 'Hide it'}
              </Button>
            )}
          </>
        )
      }
    >
      <Loaded of={categories}>
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState
              title="No categories yet"
              line="Every item belongs to a category, which is a tab in the shop."
              action={<ButtonLink to="/admin/items/categories">Create a category first</ButtonLink>}
            />
          ) : (
            <ItemForm key={item?.version ?? 'new'} item={item} categories={rows} />
          )
        }
      </Loaded>
      {item !== null && mayWrite && <Place item={item} />}
      {loaded !== null && <Prices prices={loaded.prices} item={loaded.item} />}
    </RecordPage>
  )
}

type ItemFormProps = { item: DeskItem | null; categories: CallOutput<typeof getDeskCategories>['rows'] }

function ItemForm({ item, categories }: ItemFormProps) {
  const navigate = useNavigate()
  const usual = item?.usual_price ?? null
  const isForMilleage = item !== null && item.section !== R_COIN_SECTION
  return (
    <DeskForm
      endpoint={saveItem}
      fields={itemFields}
      values={
        item ?? { product_num: null, version: null, section: R_COIN_SECTION, category_id: categories[0]?.id ?? 0 }
      }
      {...(item && { latest: async () => (await call(getDeskItem, { product_num: item.product_num })).item })}
      submit={item === null ? 'Add the item' : 'Save'}
      done={item === null ? 'The item has been added.' : 'Saved.'}
      onWaiting={() => void navigate('/admin/items')}
      onDone={({ item: saved }) => void navigate(`/admin/items/${saved.product_num}`, { replace: item === null })}
      more={{
        category_id: { options: categories.map(({ id, category_name }) => [id, category_name]) },
        icon: { sourceOf: (icon) => iconPath({ icon, image_url: null }) },
        price: { hint: usual === null ? 'no usual price yet' : `usually ${formatCount(usual)}` },
        section: {
          options: [
            [R_COIN_SECTION, 'R-Coin'],
            [isForMilleage ? item.section : 1, 'Milleage'],
          ],
        },
      }}
      show={[
        {
          title: 'What it is',
          show: [['item_name', 'category_id'], 'description', ['icon', 'image_url', 'ribbon_picture'], ['ribbon']],
        },
        {
          title: 'What it costs',
          line: 'Less than half of the usual price, in a sale too, or Milleage for what was sold for R-Coin waits for another operator, if you have one. The usual price is the highest one of the last 30 days.',
          show: [['price', 'section', 'sale_price', <span key="gap" />, 'sale_starts_at', 'sale_ends_at']],
        },
        {
          title: 'Who can buy it, and when',
          line: 'All times are Manila time.',
          show: [['sold_from', 'sold_until', 'account_limit'], ['game_product_num'], 'hidden'],
        },
      ]}
    />
  )
}

/** Where the item stands among those of its category. */
function Place({ item }: { item: DeskItem }) {
  const shelf = useCall(getDeskItems, { category: String(item.category_id) })
  const move = useAction(moveItem, { done: 'Moved.' })
  const rows = shelf.data?.rows ?? []
  const at = rows.findIndex(({ product_num }) => product_num === item.product_num)
  const behind = at === -1 ? undefined : rows[at + 1]
  const isShort = shelf.data?.next === null
  return (
    <Panel title="Position in the shop">
      <div className={styles.place}>
        <SelectField
          label={`Position in ${item.category_name}`}
          value={behind?.product_num ?? (at === -1 || !isShort ? 'here' : '')}
          disabled={move.busy}
          onChange={({ currentTarget: { value } }) => {
            if (value !== 'here')
              void move.run({ product_num: item.product_num, before: value === '' ? null : Number(value) })
          }}
        >
          {rows
            .filter(({ product_num }) => product_num !== item.product_num)
            .map(({ product_num, item_name }) => (
              <option key={product_num} value={product_num}>
                before {item_name}
              </option>
            ))}
          {at === -1 || (behind === undefined && !isShort) ? <option value="here">further down</option> : null}
          <option value="">at the end of the shop</option>
        </SelectField>
      </div>
    </Panel>
  )
}

function Prices({ prices, item }: { prices: ItemWithPrices['prices']; item: DeskItem }) {
  const currency = currencyOf(item)
  return (
    <Panel title="Price history">
      <ol className={styles.prices}>
        {prices.map((price, nth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a price has no number of its own
          <li key={nth}>
            <span>{price.changed_at === null ? 'Original price' : <When at={price.changed_at} show="both" />}</span>
            <span>
              <Money amount={price.price} currency={currency} />
              {price.sale_price !== null && (
                <>
                  , on sale <Money amount={price.sale_price} currency={currency} />
                  {price.sale_starts_at !== null && (
                    <>
                      {' '}
                      from <When at={price.sale_starts_at} />
                    </>
                  )}
                  {price.sale_ends_at !== null && (
                    <>
                      {' '}
                      until <When at={price.sale_ends_at} />
                    </>
                  )}
                </>
              )}
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
