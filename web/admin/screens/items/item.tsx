import { useNavigate, useParams } from 'react-router'
import { getDeskCategories, getDeskItem, getDeskItems, hideItems, moveItem, saveItem } from '#contract/desk-items.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { R_COIN_SECTION } from '#contract/limits.ts'
import { formatCount } from '#contract/numbers.ts'
import { call } from '#web/api/call.ts'
import { useCall } from '#web/api/queries.ts'
import { Checkbox, SelectField, TextArea } from '#web/forms/fields.tsx'
import { FormGrid, SheetPart } from '#web/forms/sheet.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { useAction } from '../../kit/call.ts'
import { DeskForm, type DeskFormParts } from '../../kit/desk-form.tsx'
import { Money, StateBadge, When } from '../../kit/facts.tsx'
import { MomentField } from '../../kit/moment-field.tsx'
import { NumberField } from '../../kit/number-field.tsx'
import { PictureField } from '../../kit/picture-field.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import styles from './items.module.css'
import { currencyOf, type DeskItem, ItemState, iconPath } from './items.tsx'

type ItemWithPrices = CallOutput<typeof getDeskItem>
type Parts = DeskFormParts<typeof saveItem>
type FieldName = Parameters<Parts['field']>[0]

/** One item: what it is, what it costs, when it is sold; and the prices it has had. */
export function Screen() {
  const { num = 'new' } = useParams()
  return num === 'new' ? <ItemPage key="new" loaded={null} /> : <PresentItem key={num} num={Number(num)} />
}

function PresentItem({ num }: { num: number }) {
  const item = useCall(getDeskItem, { product_num: num })
  return <Loaded of={item}>{(loaded) => <ItemPage loaded={loaded} />}</Loaded>
}

const BLANK = {
  product_num: null,
  version: null,
  item_name: '',
  section: R_COIN_SECTION,
  description: '',
  icon: null,
  image_url: null,
  ribbon: null,
  ribbon_picture: null,
  hidden: false,
  sale_price: null,
  sale_starts_at: null,
  sale_ends_at: null,
  account_limit: null,
  sold_from: null,
  sold_until: null,
  game_product_num: null,
}

const LABELS: Partial<Record<FieldName, string>> = {
  item_name: 'Name',
  category_id: 'Category',
  section: 'Paid in',
  price: 'Price',
  description: 'Description',
  sale_price: 'Sale price',
  sale_starts_at: 'Sale starts',
  sale_ends_at: 'Sale ends',
  account_limit: 'Limit per account',
  sold_from: 'Sold from',
  sold_until: 'Sold until',
  hidden: 'Hidden',
  game_product_num: 'Number in the game',
}

function ItemPage({ loaded }: { loaded: ItemWithPrices | null }) {
  const navigate = useNavigate()
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
            <DeskForm
              key={item?.version ?? 'new'}
              endpoint={saveItem}
              values={item ?? { ...BLANK, ...(rows[0] && { category_id: rows[0].id }) }}
              version={item?.version ?? null}
              input={(values, version) => ({ ...values, product_num: item?.product_num ?? null, version })}
              {...(item && {
                latest: async () => {
                  const { item: now } = await call(getDeskItem, { product_num: item.product_num })
                  return { version: now.version, values: now }
                },
              })}
              labels={LABELS}
              submit={item === null ? 'Add the item' : 'Save'}
              done={item === null ? 'The item has been added.' : 'Saved.'}
              onWaiting={() => void navigate('/admin/items')}
              onDone={({ item: saved }) =>
                void navigate(`/admin/items/${saved.product_num}`, { replace: item === null })
              }
            >
              {(form) => <ItemFields form={form} categories={rows} usual={item?.usual_price ?? null} />}
            </DeskForm>
          )
        }
      </Loaded>
      {item !== null && mayWrite && <Place item={item} />}
      {loaded !== null && <Prices prices={loaded.prices} item={loaded.item} />}
    </RecordPage>
  )
}

type ItemFieldsProps = {
  form: Parts
  categories: CallOutput<typeof getDeskCategories>['rows']
  /** What the item usually costs. */
  usual: number | null
}

function ItemFields({ form, categories, usual }: ItemFieldsProps) {
  const { field, watch, setValue, touch } = form
  const set = <Name extends FieldName>(name: Name, value: Parameters<typeof setValue<Name>>[1]) => {
    setValue(name, value)
    touch()
  }
  const picture = (name: 'icon' | 'image_url' | 'ribbon_picture') => ({
    value: name === 'icon' && watch('icon') ? iconPath({ icon: watch('icon') ?? null, image_url: null }) : watch(name),
    error: field(name).error,
    onChange: (url: string | null) => set(name, url),
  })
  const moment = (name: 'sale_starts_at' | 'sale_ends_at' | 'sold_from' | 'sold_until') => ({
    value: watch(name),
    error: field(name).error,
    onChange: (at: string | null) => set(name, at),
  })
  const number = (name: 'price' | 'sale_price' | 'account_limit' | 'game_product_num') => ({
    value: watch(name),
    error: field(name).error,
    onChange: (typed: number | string | null) => set(name, typed as number),
  })
  return (
    <>
      <SheetPart title="What it is">
        <div className={styles.part}>
          <FormGrid>
            <TextField label="Name" maxLength={60} autoComplete="off" {...field('item_name')} />
            <SelectField
              label="Category"
              error={field('category_id').error}
              value={watch('category_id') ?? ''}
              onChange={({ currentTarget }) => set('category_id', Number(currentTarget.value))}
            >
              {categories.map(({ id, category_name }) => (
                <option key={id} value={id}>
                  {category_name}
                </option>
              ))}
            </SelectField>
          </FormGrid>
          <TextArea
            label="Description"
            rows={3}
            typed={watch('description')?.length ?? 0}
            limit={1000}
            {...field('description')}
          />
          <div className={styles.pictures}>
            <PictureField label="Slot icon, on the card" use="item-icon" {...picture('icon')} />
            <PictureField label="Large picture, in the tooltip" use="item-picture" {...picture('image_url')} />
            <PictureField label="Ribbon" use="ribbon" {...picture('ribbon_picture')} />
          </div>
          <FormGrid>
            <TextField
              label="Ribbon text"
              hint="empty for none"
              maxLength={12}
              error={field('ribbon').error}
              value={watch('ribbon') ?? ''}
              onChange={({ currentTarget }) => set('ribbon', currentTarget.value === '' ? null : currentTarget.value)}
            />
          </FormGrid>
        </div>
      </SheetPart>
      <SheetPart
        title="What it costs"
        line="Less than half of the usual price, in a sale too, or Milleage for what was sold for R-Coin waits for another operator, if you have one. The usual price is the highest one of the last 30 days."
      >
        <FormGrid>
          <NumberField
            {...number('price')}
            label="Price"
            hint={usual === null ? 'no usual price yet' : `usually ${formatCount(usual)}`}
          />
          <SelectField
            label="Paid in"
            error={field('section').error}
            value={watch('section') === R_COIN_SECTION ? R_COIN_SECTION : 1}
            onChange={({ currentTarget }) => set('section', Number(currentTarget.value))}
          >
            <option value={R_COIN_SECTION}>R-Coin</option>
            <option value={1}>Milleage</option>
          </SelectField>
          <NumberField {...number('sale_price')} label="Sale price" hint="empty for no sale" />
          <span />
          <MomentField label="Sale starts" hint="empty: right away" {...moment('sale_starts_at')} />
          <MomentField label="Sale ends" hint="empty: until you end it" {...moment('sale_ends_at')} />
        </FormGrid>
      </SheetPart>
      <SheetPart title="Who can buy it, and when" line="All times are Manila time.">
        <FormGrid>
          <MomentField label="Sold from" hint="empty: right away" {...moment('sold_from')} />
          <MomentField label="Sold until" hint="empty: no end" {...moment('sold_until')} />
          <NumberField {...number('account_limit')} label="Limit per account" hint="empty for none" />
        </FormGrid>
        <FormGrid>
          <NumberField
            {...number('game_product_num')}
            label="Number in the game"
            hint="empty: as here; a change needs approval"
          />
        </FormGrid>
        <Checkbox label="Hide it from the shop" {...field('hidden')} />
      </SheetPart>
    </>
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
