import { useState } from 'react'
import { CHANCES_SUM, getDeskCapsules, saveCapsule } from '#contract/capsules.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { formatCount } from '#contract/numbers.ts'
import { useCall } from '#web/api/queries.ts'
import { Checkbox, SelectField, TextArea } from '#web/forms/fields.tsx'
import { FormGrid } from '#web/forms/sheet.tsx'
import { Button } from '#web/ui/button.tsx'
import { FieldError, TextField } from '#web/ui/field.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { DeskForm, type DeskFormParts } from '../../kit/desk-form.tsx'
import { Money } from '../../kit/facts.tsx'
import looks from '../../kit/looks.module.css'
import { Loaded, ScreenHead } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import styles from './capsules.module.css'

type Capsule = CallOutput<typeof getDeskCapsules>['rows'][number]

const share = (chance: number) => `${Number((chance / 10_000).toFixed(4))}%`

/** The capsules with their chances. */
export function Screen() {
  const capsules = useCall(getDeskCapsules, {})
  const mayWrite = useMay()('items.write')
  const [edited, setEdited] = useState<Capsule | 'new' | null>(null)
  return (
    <>
      <ScreenHead
        title="Capsules"
        line="What players can draw in the capsule shop. They see every chance, and each change creates a new version."
        actions={mayWrite && edited === null && <Button onClick={() => setEdited('new')}>Create a capsule</Button>}
      />
      {edited !== null && (
        <CapsuleForm
          key={edited === 'new' ? 'new' : edited.capsule}
          capsule={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
      <Loaded of={capsules}>
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState title="No capsules yet" line="Create one from shop items; hidden ones work too." />
          ) : (
            <ul className={styles.capsules}>
              {rows.map((capsule) => (
                <li key={capsule.capsule}>
                  <CapsulePanel capsule={capsule} {...(mayWrite && { onEdit: () => setEdited(capsule) })} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  )
}

function CapsulePanel({ capsule, onEdit }: { capsule: Capsule; onEdit?: () => void }) {
  const { name, price, currency, visible, version, draws, chances, average } = capsule
  return (
    <Panel
      title={name}
      actions={
        onEdit && (
          <Button tone="quiet" onClick={onEdit}>
            Change<span className="visually-hidden"> {name}</span>
          </Button>
        )
      }
    >
      <div className={styles.capsule}>
        <p>
          <Money amount={price} currency={currency === 'r_coin' ? 'rCoin' : 'milleage'} />, prizes worth{' '}
          {formatCount(average)} on average, {visible ? 'on sale' : 'hidden'}, version {version},{' '}
          {draws === 1 ? '1 draw' : `${formatCount(draws)} draws`}
        </p>
        <ul>
          {chances.map(({ product_num, item_name, chance }) => (
            <li key={product_num}>
              {item_name} <b>{share(chance)}</b>
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  )
}

function CapsuleForm({ capsule, onClose }: { capsule: Capsule | null; onClose: () => void }) {
  return (
    <div className={styles.form}>
      <DeskForm
        endpoint={saveCapsule}
        version={capsule?.version ?? null}
        values={
          capsule === null
            ? { name: '', description: '', currency: 'r_coin', price: '', visible: false, chances: [] }
            : {
                name: capsule.name,
                description: capsule.description,
                currency: capsule.currency,
                price: capsule.price,
                visible: capsule.visible,
                chances: capsule.chances.map(({ product_num, chance }) => ({ product_num, chance })),
              }
        }
        input={(values, version) => ({ ...values, capsule: capsule?.capsule ?? null, version })}
        submit={capsule === null ? 'Create capsule' : 'Save'}
        done="Saved."
        onDone={onClose}
        onCancel={onClose}
        onWaiting={onClose}
      >
        {(form) => <CapsuleFields form={form} />}
      </DeskForm>
    </div>
  )
}

type Row = { product_num: string | number; chance: string | number }

function CapsuleFields({ form }: { form: DeskFormParts<typeof saveCapsule> }) {
  const { field, watch, setValue, touch } = form
  const rows = (watch('chances') ?? []) as Row[]
  const { error } = field('chances')
  const change = (next: Row[]) => {
    setValue('chances', next)
    touch()
  }
  const set = (nth: number, values: Partial<Row>) =>
    change(rows.map((row, index) => (index === nth ? { ...row, ...values } : row)))
  const together = rows.reduce((sum, { chance }) => sum + (Number(chance) || 0), 0)
  const missing = CHANCES_SUM - together
  return (
    <>
      <TextField label="Name" maxLength={60} {...field('name')} />
      <TextArea
        label="Description"
        rows={2}
        typed={(watch('description') ?? '').length}
        limit={500}
        {...field('description')}
      />
      <FormGrid>
        <TextField label="Price per draw" inputMode="numeric" {...field('price')} />
        <SelectField label="Paid with" {...field('currency')}>
          <option value="r_coin">R-Coin</option>
          <option value="milleage">Milleage</option>
        </SelectField>
      </FormGrid>
      <fieldset className={styles.chances}>
        <legend>Items and chances</legend>
        {rows.map((row, nth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity while they are typed
          <div key={nth} className={styles.row}>
            <TextField
              label="Item number"
              inputMode="numeric"
              value={row.product_num}
              onChange={({ target }) => set(nth, { product_num: target.value })}
            />
            <TextField
              label="Chance"
              hint={Number(row.chance) > 0 ? share(Number(row.chance)) : 'of 1,000,000'}
              inputMode="numeric"
              value={row.chance}
              onChange={({ target }) => set(nth, { chance: target.value })}
            />
            <Button tone="quiet" onClick={() => change(rows.toSpliced(nth, 1))}>
              Remove<span className="visually-hidden"> item {nth + 1}</span>
            </Button>
          </div>
        ))}
        <div className={styles.sum}>
          <Button
            tone="secondary"
            onClick={() => change([...rows, { product_num: '', chance: missing > 0 ? missing : '' }])}
          >
            Add an item
          </Button>
          <p role="status">
            {formatCount(together)} of {formatCount(CHANCES_SUM)}
            {missing > 0 && `: ${formatCount(missing)} missing`}
            {missing < 0 && `: ${formatCount(-missing)} too many`}
          </p>
        </div>
        {error !== undefined && <FieldError id="chances-error">{error}</FieldError>}
      </fieldset>
      <Checkbox label="On sale in the capsule shop" {...field('visible')} />
      <p className={looks.hint}>
        If the prizes are worth more on average than a draw costs, another operator, if you have one, has to approve it
        first. Items count at their usual price, and players get every prize once before any comes again, so all prizes
        together should cost no more than drawing each of them.
      </p>
    </>
  )
}
