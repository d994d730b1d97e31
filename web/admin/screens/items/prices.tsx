import { type FormEvent, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import {
  changePrices,
  getDeskCategories,
  type PRICE_CHANGES,
  previewPrices,
  repriceFields,
} from '#contract/desk-items.ts'
import type { CallInput, CallOutput } from '#contract/endpoint.ts'
import { formatPlural } from '#contract/numbers.ts'
import { useCall } from '#web/api/queries.ts'
import { PaperSheet } from '#web/forms/sheet.tsx'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import text from '#web/ui/text.module.css'
import { DeskAction } from '../../kit/action.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { Money } from '../../kit/facts.tsx'
import { Fields } from '../../kit/fields.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import styles from './items.module.css'
import { getCurrency } from './items.tsx'

type Target = 'price' | 'sale'
type Change = (typeof PRICE_CHANGES)[number]
type Proposal = CallInput<typeof previewPrices> & { target: Target }
type Row = CallOutput<typeof previewPrices>['rows'][number]

const INITIAL_VALUES = {
  category: '',
  section: '' as '' | '2' | 'other',
  target: 'sale' as Target,
  change: 'percent' as Change,
  value: '-20',
  round: 5,
  starts: null as string | null,
  ends: null as string | null,
}
type PriceFormValues = typeof INITIAL_VALUES

/** Changes the prices of many items, exactly as previewed. */
export function Screen() {
  const [query] = useSearchParams()
  const items = query.get('items') ?? ''
  const categories = useCall(getDeskCategories, {})
  const [proposal, setProposal] = useState<Proposal | null>(null)
  const [formValues, setFormValues] = useState(INITIAL_VALUES)
  return (
    <RecordPage back={{ to: '/admin/items', label: 'Items' }} title="Change prices">
      <Loaded result={categories}>
        {({ rows }) => (
          <PriceForm
            items={items}
            categories={rows}
            formValues={formValues}
            onChange={setFormValues}
            onSubmit={setProposal}
          />
        )}
      </Loaded>
      {proposal !== null && <Preview key={JSON.stringify(proposal)} proposal={proposal} span={formValues} />}
    </RecordPage>
  )
}

type Span = Pick<PriceFormValues, 'starts' | 'ends'>

const VALUE_TEXTS: Record<Change, { label: string; hint?: string }> = {
  percent: { label: 'Percent' },
  amount: { label: 'Amount' },
  price: { label: 'Price', hint: '' },
}

type PriceFormProps = {
  items: string
  categories: CallOutput<typeof getDeskCategories>['rows']
  formValues: PriceFormValues
  onChange: (formValues: PriceFormValues) => void
  onSubmit: (proposal: Proposal) => void
}

function PriceForm({ items, categories, formValues, onChange, onSubmit }: PriceFormProps) {
  const [error, setError] = useState<string | undefined>()
  const count = items === '' ? 0 : items.split(',').length
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { starts: _, ends: __, ...proposal } = formValues
    const value = Number(formValues.value.replace('−', '-').replace(/[,\s%]/g, ''))
    if (formValues.value.trim() === '' || !Number.isFinite(value)) return setError('Enter a number, such as -20.')
    setError(undefined)
    onSubmit({ ...proposal, items, value })
  }
  return (
    <PaperSheet>
      <form className={deskLayout.form} onSubmit={submit} noValidate>
        {count > 0 && (
          <p>
            For the <b>{count}</b> {count === 1 ? 'item' : 'items'} that you ticked.
          </p>
        )}
        <Fields
          fields={{
            ...repriceFields,
            category: {
              ...repriceFields.category,
              options: categories.map(({ id, category_name }) => [id, category_name]),
            },
            value: { ...repriceFields.value, ...VALUE_TEXTS[formValues.change] },
          }}
          show={[
            count === 0 && ['category', 'section'],
            [
              'target',
              'change',
              'value',
              'round',
              formValues.target === 'sale' && 'starts',
              formValues.target === 'sale' && 'ends',
            ],
          ]}
          form={{
            values: formValues,
            getError: (name) => (name === 'value' ? error : undefined),
            change: (part) => onChange({ ...formValues, ...part }),
          }}
        />
        <div>
          <Button type="submit" tone="paper">
            Preview the changes
          </Button>
        </div>
      </form>
    </PaperSheet>
  )
}

function Preview({ proposal, span }: { proposal: Proposal; span: Span }) {
  const preview = useCall(previewPrices, proposal, { refetchOnWindowFocus: false })
  return (
    <Loaded result={preview} height={240}>
      {({ rows }) => <PreviewRows rows={rows} proposal={proposal} span={span} />}
    </Loaded>
  )
}

function PreviewRows({ rows, proposal: { target }, span }: { rows: Row[]; proposal: Proposal; span: Span }) {
  const navigate = useNavigate()
  const changedRows = rows.filter(
    (row) => row.problem === null && row.new_price !== (target === 'sale' ? row.sale_price : row.price),
  )
  const skippedRows = rows.filter((row) => !changedRows.includes(row))
  const approvalCount = changedRows.filter(({ risk }) => risk !== null).length
  const isSpanInvalid = span.starts !== null && span.ends !== null && span.ends <= span.starts
  return (
    <Panel title={target === 'sale' ? 'Sale prices' : 'New prices'}>
      <div className={styles.preview}>
        <p role="status">
          <b>{changedRows.length}</b> {changedRows.length === 1 ? 'item changes' : 'items change'}
          {skippedRows.length > 0 && <>, {skippedRows.length} left out</>}.
        </p>
        {skippedRows.length > 0 && (
          <p className={text.quiet}>
            Left out:{' '}
            {skippedRows
              .map(({ item_name, problem }) => `${item_name} (${problem ?? 'has this price already'})`)
              .join(', ')}
          </p>
        )}
        {isSpanInvalid && (
          <p className={deskLayout.failure} role="alert">
            The sale must end after it starts.
          </p>
        )}
        {changedRows.length > 0 && !isSpanInvalid && (
          <DeskAction
            endpoint={changePrices}
            input={{
              target,
              sale_starts_at: target === 'sale' ? span.starts : null,
              sale_ends_at: target === 'sale' ? span.ends : null,
              rows: changedRows.map(({ product_num, version, new_price }) => ({
                product_num,
                version,
                price: new_price,
              })),
            }}
            label={`Change ${formatPlural(changedRows.length, 'price')}`}
            confirmation={{
              title: `Change ${formatPlural(changedRows.length, 'price')}?`,
              action: 'Change them',
              text: [
                target === 'sale'
                  ? 'Players pay the sale price from its start to its end. The price itself stays.'
                  : 'Players pay the new price from now on.',
                approvalCount > 0 &&
                  `Another operator, if you have one, has to approve all changes first, because ${approvalCount === 1 ? 'one item costs' : `${approvalCount} items cost`} less than half of the usual price.`,
                'If someone else has changed one of these items in the meantime, no price changes.',
              ]
                .filter(Boolean)
                .join(' '),
            }}
            onDone={() => navigate(target === 'sale' ? '/admin/items?state=sale' : '/admin/items')}
          />
        )}
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
              <tr key={row.product_num} data-skipped={row.problem !== null || undefined}>
                <th scope="row">{row.item_name}</th>
                <td>
                  <Money amount={row.price} currency={getCurrency(row)} />
                </td>
                <td>{row.usual_price !== null && <Money amount={row.usual_price} currency={getCurrency(row)} />}</td>
                <td>
                  {row.problem ?? (
                    <>
                      <Money amount={row.new_price} currency={getCurrency(row)} />
                      {row.risk !== null && ', waits for approval'}
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}
