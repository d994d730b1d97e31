import {
  getDeskStarter,
  type StarterItem,
  saveStarter,
  starterFields,
  starterItemFields,
} from '#contract/desk-rewards.ts'
import { useCall } from '#web/api/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { DeskForm } from '../../kit/desk-form.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { Money } from '../../kit/facts.tsx'
import { FieldRows } from '../../kit/fields.tsx'
import { RewardScreen } from './reward-parts.tsx'
import styles from './rewards.module.css'

/** Edits the items that new accounts receive. */
export function Screen() {
  const starterQuery = useCall(getDeskStarter, {})
  return (
    <RewardScreen
      current="starter"
      source="starter"
      line="Each new account gets these items one time, after its email address is confirmed and the player has logged in."
      query={starterQuery}
      listFacts={({ words, worth, waiting, unconfirmed }) => ({
        'Each account gets': words === '' ? 'Nothing' : words,
        'Worth for each account': <Money amount={worth} currency="milleage" />,
        'Waiting for the next day’s budget or device limit': waiting,
        'Not confirmed, or not logged in yet': unconfirmed,
      })}
    >
      {(starter) => (
        <>
          {starter.worth > starter.budget && (
            <p>The budget for a day is below the worth of one account’s items, so no account gets anything.</p>
          )}
          <DeskForm
            key={starter.version}
            endpoint={saveStarter}
            title="Starter items"
            fields={starterFields}
            values={starter}
            show={(form) => [
              'budget',
              <StarterItemFields
                key="gives"
                items={form.values.gives ?? []}
                error={form.getError('gives')}
                onChange={(gives) => form.change({ gives })}
              />,
            ]}
          />
        </>
      )}
    </RewardScreen>
  )
}

type StarterItemFieldsProps = {
  items: readonly StarterItem[]
  error: string | undefined
  onChange: (items: StarterItem[]) => void
}

/** Edits the items, one row of fields each. */
function StarterItemFields({ items, error, onChange }: StarterItemFieldsProps) {
  return (
    <fieldset className={deskLayout.group}>
      <legend>Items</legend>
      <p>
        Accounts that register from now on get these items when they meet the conditions and the day’s budget allows it.
        Existing accounts get nothing, and no account gets the items twice.
      </p>
      <FieldRows
        className={styles.offer}
        rows={items}
        fields={starterItemFields}
        onChange={onChange}
        getName={({ item }, index) => (item === null ? `row ${index + 1}` : `item ${item}`)}
      />
      <div>
        <Button tone="secondary" onClick={() => onChange([...items, { item: null, quantity: 1 }])}>
          Add an item
        </Button>
      </div>
      {error !== undefined && (
        <p className={deskLayout.failure} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
