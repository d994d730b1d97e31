import { useState } from 'react'
import { CHANCES_SUM, capsuleFields, chanceFields, getDeskCapsules, saveCapsule } from '#contract/capsules.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { formatCount, formatPlural } from '#contract/numbers.ts'
import { useCall } from '#web/api/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { DeskForm, type DeskFormState } from '../../kit/desk-form.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { Money } from '../../kit/facts.tsx'
import { FieldRows } from '../../kit/fields.tsx'
import { Loaded, ScreenHead } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import styles from './capsules.module.css'

type Capsule = CallOutput<typeof getDeskCapsules>['rows'][number]

const formatChance = (chance: number) => `${Number((chance / 10_000).toFixed(4))}%`

/** Lists the capsules with their chances. */
export function Screen() {
  const capsules = useCall(getDeskCapsules, {})
  const mayWrite = useMay()('items.write')
  const [editedCapsule, setEditedCapsule] = useState<Capsule | 'new' | null>(null)
  return (
    <>
      <ScreenHead
        title="Capsules"
        line="The prizes that players can draw in the capsule shop. Players see every chance, and each change creates a new version."
        actions={
          mayWrite &&
          editedCapsule === null && <Button onClick={() => setEditedCapsule('new')}>Create a capsule</Button>
        }
      />
      {editedCapsule !== null && (
        <CapsuleForm
          key={editedCapsule === 'new' ? 'new' : editedCapsule.capsule}
          capsule={editedCapsule === 'new' ? null : editedCapsule}
          onClose={() => setEditedCapsule(null)}
        />
      )}
      <Loaded result={capsules}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Panel>
              <EmptyState title="No capsules yet" line="Create one from shop items. Hidden items work too." />
            </Panel>
          ) : (
            <ul className={layout.stack}>
              {rows.map((capsule) => (
                <li key={capsule.capsule}>
                  <CapsulePanel capsule={capsule} {...(mayWrite && { onEdit: () => setEditedCapsule(capsule) })} />
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
          {formatCount(average)} on average, {visible ? 'in the shop' : 'hidden'}, version {version},{' '}
          {formatPlural(draws, 'draw')}
        </p>
        <ul>
          {chances.map(({ product_num, item_name, chance }) => (
            <li key={product_num}>
              {item_name} <b>{formatChance(chance)}</b>
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
        fields={capsuleFields}
        values={capsule ?? { currency: 'r_coin', chances: [] }}
        input={(values) => ({ ...values, capsule: capsule?.capsule ?? null, version: capsule?.version ?? null })}
        submitLabel={capsule === null ? 'Create capsule' : 'Save'}
        successMessage="Saved."
        onDone={onClose}
        onCancel={onClose}
        onWaiting={onClose}
        show={(form) => [
          'name',
          'description',
          ['price', 'currency'],
          <ChanceFields key="chances" form={form} />,
          'visible',
          <p key="hint" className={deskLayout.hint}>
            If the prizes are worth more on average than a draw costs, another operator, if there is one, has to approve
            the capsule first. Items count at their usual price. No prize repeats before a player has drawn all of them,
            so all prizes together should be worth no more than one draw for each of them costs.
          </p>,
        ]}
      />
    </div>
  )
}

function ChanceFields({ form: { values, getError, change } }: { form: DeskFormState<typeof saveCapsule> }) {
  const { chances: rows = [] } = values
  const chanceSum = rows.reduce((sum, { chance }) => sum + (Number(chance) || 0), 0)
  const missingChance = CHANCES_SUM - chanceSum
  return (
    <fieldset className={styles.chances}>
      <legend>Items and chances</legend>
      <FieldRows
        fields={({ chance }) => ({
          ...chanceFields,
          chance: { ...chanceFields.chance, hint: Number(chance) > 0 ? formatChance(Number(chance)) : 'of 1,000,000' },
        })}
        rows={rows}
        onChange={(chances) => change({ chances })}
        getName={(_, index) => `item ${index + 1}`}
        className={styles.row}
      />
      <div className={styles.sum}>
        <Button
          tone="secondary"
          onClick={() =>
            change({ chances: [...rows, { product_num: '', chance: missingChance > 0 ? missingChance : '' }] })
          }
        >
          Add an item
        </Button>
        <p role="status">
          Chances: {formatCount(chanceSum)} of {formatCount(CHANCES_SUM)}
          {missingChance > 0 && `, ${formatCount(missingChance)} missing`}
          {missingChance < 0 && `, ${formatCount(-missingChance)} too many`}
        </p>
      </div>
      {getError('chances') !== undefined && <FieldError id="chances-error">{getError('chances')}</FieldError>}
    </fieldset>
  )
}
