import { useNavigate, useParams, useSearchParams } from 'react-router'
import {
  getDeskCategories,
  getDeskItem,
  getDeskItems,
  hideItems,
  itemFields,
  moveItem,
  saveItem,
} from '#contract/desk-items.ts'
import type { CallOutput, FormValues } from '#contract/endpoint.ts'
import { R_COIN_SECTION } from '#contract/limits.ts'
import { formatCount } from '#contract/numbers.ts'
import { toShopItem } from '#contract/shop.ts'
import { call } from '#web/api/call.ts'
import { useCall } from '#web/api/queries.ts'
import { ItemCards } from '#web/features/shop/item-card.tsx'
import { ItemTipSheet } from '#web/features/shop/item-tip-window.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { DeskAction } from '../../kit/action.tsx'
import { useAction } from '../../kit/call.ts'
import { getServerNow } from '../../kit/clock.ts'
import { DeskForm } from '../../kit/desk-form.tsx'
import { Money, State, StateBadge, When } from '../../kit/facts.tsx'
import { DeskField } from '../../kit/fields.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import styles from './items.module.css'
import { type DeskItem, getCurrency, getIconPath, ITEM_STATES } from './items.tsx'
import { ServicePart } from './service-part.tsx'

type ItemWithPrices = CallOutput<typeof getDeskItem>

/** Edits one item: its facts, price and times of sale. Also shows its earlier prices. */
export function Screen() {
  const { num = 'new' } = useParams()
  const copiedNumber = useSearchParams()[0].get('copy')
  if (num !== 'new') return <ExistingItemPage key={num} num={Number(num)} />
  return copiedNumber === null ? (
    <ItemPage key="new" loaded={null} />
  ) : (
    <CopiedItemPage key={copiedNumber} num={Number(copiedNumber)} />
  )
}

/** A new item with the values of an existing one: the same item in the game, but not on sale. */
function CopiedItemPage({ num }: { num: number }) {
  const original = useCall(getDeskItem, { product_num: num })
  return (
    <Loaded result={original}>
      {({ item }) => (
        <ItemPage
          loaded={null}
          initialValues={{
            ...item,
            product_num: null,
            version: null,
            sale_price: null,
            sale_starts_at: null,
            sale_ends_at: null,
            game_product_num: item.game_product_num ?? item.product_num,
          }}
        />
      )}
    </Loaded>
  )
}

function ExistingItemPage({ num }: { num: number }) {
  const item = useCall(getDeskItem, { product_num: num })
  return <Loaded result={item}>{(loaded) => <ItemPage loaded={loaded} />}</Loaded>
}

type ItemPageProps = { loaded: ItemWithPrices | null; initialValues?: InitialValues }

function ItemPage({ loaded, initialValues }: ItemPageProps) {
  const mayWrite = useMay()('items.write')
  const item = loaded?.item ?? null
  const categories = useCall(getDeskCategories, {})
  return (
    <RecordPage
      back={{ to: '/admin/items', label: 'Items' }}
      title={item?.item_name ?? 'New item'}
      badges={
        item && (
          <>
            <State states={ITEM_STATES} state={item.state} />
            {item.on_sale && <StateBadge tone="attention">On sale</StateBadge>}
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
              <DeskAction
                endpoint={hideItems}
                input={{ items: [item.product_num], hidden: item.state !== 'hidden' }}
                label={item.state === 'hidden' ? 'Show it' : 'Hide it'}
                tone="secondary"
              />
            )}
            {mayWrite && (
              <ButtonLink tone="secondary" to={`/admin/items/new?copy=${item.product_num}`}>
                Duplicate
              </ButtonLink>
            )}
          </>
        )
      }
    >
      <Loaded result={categories}>
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState
              title="No categories yet"
              line="Every item belongs to a category, which is a tab in the shop."
              action={<ButtonLink to="/admin/items/categories">Create a category first</ButtonLink>}
            />
          ) : (
            <ItemForm
              key={item?.version ?? 'new'}
              item={item}
              categories={rows}
              {...(initialValues && { initialValues })}
            />
          )
        }
      </Loaded>
      {item !== null && mayWrite && <ItemPosition item={item} />}
      {loaded !== null && <Prices prices={loaded.prices} item={loaded.item} />}
    </RecordPage>
  )
}

type InitialValues = Partial<FormValues<typeof saveItem>>
type ItemFormProps = {
  item: DeskItem | null
  categories: CallOutput<typeof getDeskCategories>['rows']
  initialValues?: InitialValues
}

function ItemForm({ item, categories, initialValues }: ItemFormProps) {
  const navigate = useNavigate()
  const usualPrice = item?.usual_price ?? null
  const section = (item ?? initialValues)?.section ?? R_COIN_SECTION
  return (
    <DeskForm
      endpoint={saveItem}
      fields={itemFields}
      values={
        item ??
        initialValues ?? {
          product_num: null,
          version: null,
          section: R_COIN_SECTION,
          category_id: categories[0]?.id ?? 0,
        }
      }
      {...(item && { fetchLatest: async () => (await call(getDeskItem, { product_num: item.product_num })).item })}
      submitLabel={item === null ? 'Add the item' : 'Save'}
      successMessage={item === null ? 'The item has been added.' : 'Saved.'}
      onWaiting={() => void navigate('/admin/items')}
      onDone={({ item: savedItem }) =>
        void navigate(`/admin/items/${savedItem.product_num}`, { replace: item === null })
      }
      preview={(values) => <ItemPreview values={values} />}
      fieldAdditions={{
        category_id: { options: categories.map(({ id, category_name }) => [id, category_name]) },
        icon: { getSource: (icon) => getIconPath({ icon, image_url: null }) },
        price: { hint: usualPrice === null ? 'no usual price yet' : `usually ${formatCount(usualPrice)}` },
        section: {
          options: [
            [R_COIN_SECTION, 'R-Coin'],
            [section === R_COIN_SECTION ? 1 : section, 'Milleage'],
          ],
        },
      }}
      show={(form) => [
        {
          title: 'What it is',
          show: [['item_name', 'category_id'], 'description', ['icon', 'image_url', 'ribbon_picture'], ['ribbon']],
        },
        <ServicePart key="service" form={form} fields={itemFields} isNew={item === null} />,
        {
          title: 'What it costs',
          line: 'If there is another operator, they have to approve a price or sale price below half of the usual one, and a change from R-Coin to Milleage. The usual price is the highest one of the last 30 days.',
          show: [['price', 'section', 'sale_price', <span key="gap" />, 'sale_starts_at', 'sale_ends_at']],
        },
        {
          title: 'Who can buy it, and when',
          line: 'All times are Manila time.',
          show: [
            ['sold_from', 'sold_until', 'account_limit'],
            (form.values.service ?? null) === null && ['game_product_num'],
            'hidden',
          ],
        },
      ]}
    />
  )
}

const getNumberOr = (value: unknown, fallback: number) => (typeof value === 'number' ? value : fallback)

/** Shows the item's card and tooltip as players see them. */
function ItemPreview({ values }: { values: InitialValues }) {
  const item = toShopItem(
    {
      product_num: values.product_num ?? 0,
      category_id: 0,
      item_name: values.item_name || 'Name',
      price: getNumberOr(values.price, 0),
      section: getNumberOr(values.section, R_COIN_SECTION),
      description: values.description ?? '',
      icon: values.icon ?? null,
      image_url: values.image_url ?? null,
      ribbon: values.ribbon || null,
      ribbon_picture: values.ribbon_picture ?? null,
      sale_price: getNumberOr(values.sale_price, 0) || null,
      sale_starts_at: values.sale_starts_at ?? null,
      sale_ends_at: values.sale_ends_at ?? null,
      account_limit: getNumberOr(values.account_limit, 0) || null,
      kind: values.service ? 'service' : 'item',
      service: values.service ?? null,
    },
    new Date(getServerNow()),
  )
  return (
    <div className={styles.faces}>
      <ItemCards items={[item]} label="Card" shape="alone" onAdd={doNothing} onBuy={doNothing} />
      <ItemTipSheet item={item} />
    </div>
  )
}

const doNothing = () => Promise.resolve()

/** Shows the item's position in its category. */
function ItemPosition({ item }: { item: DeskItem }) {
  const categoryItems = useCall(getDeskItems, { category: String(item.category_id) })
  const moveAction = useAction(moveItem, { successMessage: 'Moved.' })
  const rows = categoryItems.data?.rows ?? []
  const index = rows.findIndex(({ product_num }) => product_num === item.product_num)
  const nextItem = index === -1 ? undefined : rows[index + 1]
  /** Whether the position is unknown because further items are on pages that were not loaded. */
  const isPositionUnknown = index === -1 || (nextItem === undefined && categoryItems.data?.next !== null)
  // The last item of a category is not always the last of the shop.
  const currentPosition = isPositionUnknown ? 'further down' : `last in ${item.category_name}`
  const options = [
    ...rows
      .filter(({ product_num }) => product_num !== item.product_num)
      .map(({ product_num, item_name }) => [product_num, `before ${item_name}`] as const),
    ...(nextItem === undefined ? [['here', currentPosition] as const] : []),
    ['', 'at the end of the shop'] as const,
  ]
  return (
    <Panel title="Position in the shop">
      <div className={styles.place}>
        <DeskField
          field={{ kind: 'choice', label: `Position in ${item.category_name}`, options, disabled: moveAction.busy }}
          value={nextItem?.product_num ?? 'here'}
          onChange={(value: string) => {
            if (value !== 'here')
              void moveAction.run({ product_num: item.product_num, before: value === '' ? null : Number(value) })
          }}
        />
      </div>
    </Panel>
  )
}

function Prices({ prices, item }: { prices: ItemWithPrices['prices']; item: DeskItem }) {
  const currency = getCurrency(item)
  return (
    <Panel title="Price history">
      <ol className={styles.prices}>
        {prices.map((price, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a price has no id
          <li key={index}>
            <span>{price.changed_at === null ? 'Original price' : <When at={price.changed_at} show="both" />}</span>
            <span>
              <Money amount={price.price} currency={currency} />
              {price.sale_price !== null && (
                <>
                  , on sale <Money amount={price.sale_price} currency={currency} />
                  {price.sale_starts_at !== null && (
                    <>
                      {' '}
                      from <When at={price.sale_starts_at} show="date" />
                    </>
                  )}
                  {price.sale_ends_at !== null && (
                    <>
                      {' '}
                      until <When at={price.sale_ends_at} show="date" />
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
