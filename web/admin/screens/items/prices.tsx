import { type FormEvent, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { changePrices, getDeskCategories, PRICE_CHANGES, previewPrices } from '#contract/desk-items.ts'
import type { CallInput, CallOutput } from '#contract/endpoint.ts'
import { useCall } from '#web/api/queries.ts'
import { SelectField } from '#web/forms/fields.tsx'
import { FormGrid, PaperSheet } from '#web/forms/sheet.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx'
import { Money } from '../../kit/facts.tsx'
import { MomentField } from '../../kit/moment-field.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import styles from './items.module.css'
import { currencyOf } from './items.tsx'

type Asked = Omit<CallInput<typeof previewPrices>, 'items'>
type Row = CallOutput<typeof previewPrices>['rows'][number]

const CHANGES: Record<(typeof PRICE_CHANGES)[number], string> = {
  percent: 'by a percentage',
  amount: 'by an amount',
  price: 'to a fixed price',
}

/** Changes the prices of many items: what would come of it is shown first, and exactly that is done. */
export function Screen() {
  const [query] = useSearchParams()
  const items = query.get('items') ?? ''
  const categories = useCall(getDeskCategories, {})
  const [asked, setAsked] = useState<Asked | null>(null)
  const [span, setSpan] = useState<Span>({ starts: null, ends: null })
  return (
    <RecordPage back={{ to: '/admin/items', label: 'Items' }} title="Change prices">
      <Loaded of={categories}>
        {({ rows }) => (
          <PriceForm items={items} categories={rows} span={span} onSpan={setSpan} onAsk={(next) => setAsked(next)} />
        )}
      </Loaded>
      {asked !== null && <Preview key={JSON.stringify(asked)} asked={{ ...asked, items }} span={span} />}
    </RecordPage>
  )
}

type Span = { starts: string | null; ends: string | null }

type PriceFormProps = {
  items: string
  categories: CallOutput<typeof getDeskCategories>['rows']
  span: Span
  onSpan: (span: Span) => void
  onAsk: (asked: Asked) => void
}

function PriceForm({ items, categories, span, onSpan, onAsk }: PriceFormProps) {
  const [target, setTarget] = useState<'price' | 'sale'>('sale')
  const [change, setChange] = useState<(typeof PRICE_CHANGES)[number]>('percent')
  const [value, setValue] = useState('-20')
  const [error, setError] = useState<string | undefined>()
  const count = items === '' ? 0 : items.split(',').length

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = Number(value.replace('−', '-').replace(/[,\s%]/g, ''))
    if (value.trim() === '' || !Number.isFinite(typed)) return setError('Enter a number, such as -20.')
    setError(undefined)
    const form = new FormData(event.currentTarget)
    onAsk({
      target,
      change,
      value: typed,
      round: Number(form.get('round')),
      category: String(form.get('category') ?? ''),
      section: String(form.get('section') ?? '') as '' | '2' | 'other',
    } as Asked)
  }

  return (
    <PaperSheet>
      <form className={styles.form} onSubmit={submit} noValidate>
        {count > 0 ? (
          <p>
            For the <b>{count}</b> {count === 1 ? 'item' : 'items'} that you ticked.
          </p>
        ) : (
          <FormGrid>
            <SelectField label="Items in" name="category">
              <option value="">All categories</option>
              {categories.map(({ id, category_name }) => (
                <option key={id} value={id}>
                  {category_name}
                </option>
              ))}
            </SelectField>
            <SelectField label="Paid in" name="section">
              <option value="">R-Coin or Milleage</option>
              <option value="2">R-Coin</option>
              <option value="other">Milleage</option>
            </SelectField>
          </FormGrid>
        )}
        <FormGrid>
          <SelectField
            label="Change"
            value={target}
            onChange={({ currentTarget }) => setTarget(currentTarget.value as typeof target)}
          >
            <option value="sale">the sale price, from the price</option>
            <option value="price">the price itself</option>
          </SelectField>
          <SelectField
            label="How"
            value={change}
            onChange={({ currentTarget }) => setChange(currentTarget.value as typeof change)}
          >
            {PRICE_CHANGES.map((one) => (
              <option key={one} value={one}>
                {CHANGES[one]}
              </option>
            ))}
          </SelectField>
          <TextField
            label={change === 'percent' ? 'Percent' : change === 'amount' ? 'Amount' : 'Price'}
            hint={change === 'price' ? '' : 'negative to lower it'}
            inputMode="text"
            autoComplete="off"
            error={error}
            value={value}
            onChange={({ currentTarget }) => setValue(currentTarget.value)}
          />
          <SelectField label="Round to" name="round" defaultValue="5">
            {[1, 5, 10, 50, 100].map((step) => (
              <option key={step} value={step}>
                {step === 1 ? 'whole numbers' : `multiples of ${step}`}
              </option>
            ))}
          </SelectField>
          {target === 'sale' && (
            <>
              <MomentField
                label="Sale starts"
                hint="empty: right away"
                value={span.starts}
                onChange={(starts) => onSpan({ ...span, starts })}
              />
              <MomentField
                label="Sale ends"
                hint="empty: until you end it"
                value={span.ends}
                onChange={(ends) => onSpan({ ...span, ends })}
              />
            </>
          )}
        </FormGrid>
        <div>
          <Button type="submit" tone="paper">
            Preview the changes
          </Button>
        </div>
      </form>
    </PaperSheet>
  )
}

function Preview({ asked, span }: { asked: CallInput<typeof previewPrices>; span: Span }) {
  const preview = useCall(previewPrices, asked, { refetchOnWindowFocus: false })
  return (
    <Loaded of={preview} height={240}>
      {({ rows }) => <PreviewRows rows={rows} asked={asked} span={span} />}
    </Loaded>
  )
}

function PreviewRows({ rows, asked, span }: { rows: Row[]; asked: CallInput<typeof previewPrices>; span: Span }) {
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const target = asked.target as 'price' | 'sale'
  const good = rows.filter(
    (row) => row.problem === null && row.new_price !== (target === 'sale' ? row.sale_price : row.price),
  )
  const left = rows.length - good.length
  const waiting = good.filter(({ risk }) => risk !== null).length
  const isEnded = span.starts !== null && span.ends !== null && span.ends <= span.starts
  return (
    <Panel title={target === 'sale' ? 'Sale prices' : 'New prices'}>
      <div className={styles.preview}>
        <p role="status">
          <b>{good.length}</b> {good.length === 1 ? 'item changes' : 'items change'}
          {left > 0 && <>, {left} left out</>}.
        </p>
        {isEnded && <p role="alert">The sale must end after it starts.</p>}
        {good.length > 0 && !isEnded && <Button onClick={() => setAsking(true)}>Change {good.length}</Button>}
      </div>
      <div className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Item</th>
              <th scope="col">Now</th>
              <th scope="col">Usual</th>
              <th scope="col">New</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.product_num} data-off={row.problem !== null || undefined}>
                <th scope="row">{row.item_name}</th>
                <td>
                  <Money amount={row.price} currency={currencyOf(row)} />
                </td>
                <td>{row.usual_price !== null && <Money amount={row.usual_price} currency={currencyOf(row)} />}</td>
                <td>
                  {row.problem ?? (
                    <>
                      <Money amount={row.new_price} currency={currencyOf(row)} />
                      {row.risk !== null && ', waits'}
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`Change ${good.length} ${good.length === 1 ? 'price' : 'prices'}?`}
        action="Change them"
        endpoint={changePrices}
        input={() => ({
          target,
          sale_starts_at: target === 'sale' ? span.starts : null,
          sale_ends_at: target === 'sale' ? span.ends : null,
          rows: good.map(({ product_num, version, new_price }) => ({ product_num, version, price: new_price })),
        })}
        done={({ message }) => message}
        onDone={() => navigate(target === 'sale' ? '/admin/items?state=sale' : '/admin/items')}
      >
        <p>
          {target === 'sale'
            ? 'Players pay the sale price from its start to its end. The price itself stays.'
            : 'Players pay the new price from now on.'}{' '}
          {waiting > 0 &&
            `Another operator, if you have one, has to approve all of it first, because ${waiting === 1 ? 'one costs' : `${waiting} cost`} less than half of the usual price. `}
          Either all of them change or, if someone has changed one of them in the meantime, none do.
        </p>
      </ConfirmDialog>
    </Panel>
  )
}
