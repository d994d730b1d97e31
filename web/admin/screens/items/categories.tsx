import { useState } from 'react'
import {
  categoryFields,
  deleteCategory,
  getDeskCategories,
  orderCategories,
  saveCategory,
} from '#contract/desk-items.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { formatPlural } from '#contract/numbers.ts'
import { call } from '#web/api/call.ts'
import { useCall } from '#web/api/queries.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { DeskAction } from '../../kit/action.tsx'
import { useAction } from '../../kit/call.ts'
import { DeskForm } from '../../kit/desk-form.tsx'
import { MoveButtons } from '../../kit/move-buttons.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import { useMay } from '../../me.ts'
import styles from './items.module.css'

type Category = CallOutput<typeof getDeskCategories>['rows'][number]

/** Edits the names and the order of the shop's tabs. */
export function Screen() {
  const categories = useCall(getDeskCategories, {})
  const mayWrite = useMay()('items.write')
  const [editedCategory, setEditedCategory] = useState<Category | 'new' | null>(null)
  return (
    <RecordPage
      back={{ to: '/admin/items', label: 'Items' }}
      title="Categories"
      actions={
        mayWrite && (
          <>
            {(categories.data?.rows.length ?? 0) > 0 && (
              <ButtonLink to="/admin/items/new" tone="secondary">
                Add an item
              </ButtonLink>
            )}
            {editedCategory !== 'new' && <Button onClick={() => setEditedCategory('new')}>Add a category</Button>}
          </>
        )
      }
    >
      {editedCategory !== null && (
        <CategoryForm
          key={editedCategory === 'new' ? 'new' : editedCategory.id}
          category={editedCategory === 'new' ? null : editedCategory}
          onClose={() => setEditedCategory(null)}
        />
      )}
      <Loaded result={categories}>
        {({ rows }) => (
          <Panel title="In tab order">
            {rows.length === 0 && <EmptyState title="No categories yet" line="Add one, then add items to it." />}
            <ol className={styles.categories}>
              {rows.map((category, index) => (
                <CategoryRow
                  key={category.id}
                  category={category}
                  rows={rows}
                  index={index}
                  {...(mayWrite && { onEdit: () => setEditedCategory(category) })}
                />
              ))}
            </ol>
          </Panel>
        )}
      </Loaded>
    </RecordPage>
  )
}

type CategoryRowProps = { category: Category; rows: Category[]; index: number; onEdit?: () => void }

function CategoryRow({ category, rows, index, onEdit }: CategoryRowProps) {
  const orderAction = useAction(orderCategories, { successMessage: null })
  const { id, category_name: name, items } = category
  return (
    <li>
      <Link to={`/admin/items?category=${id}`} className={styles.category}>
        {name} <span>{formatPlural(items, 'item')}</span>
      </Link>
      {onEdit !== undefined && (
        <div className={styles.categoryActions}>
          <MoveButtons
            ids={rows.map((row) => row.id)}
            index={index}
            name={name}
            busy={orderAction.busy}
            onMove={(categories) => void orderAction.run({ categories })}
          />
          <Button tone="quiet" onClick={onEdit}>
            Rename<span className="visually-hidden"> {name}</span>
          </Button>
          {items === 0 && (
            <DeskAction
              endpoint={deleteCategory}
              input={{ id }}
              label="Delete"
              about={name}
              tone="quiet"
              confirmation={{
                title: `Delete ${name}?`,
                action: 'Delete it',
                tone: 'danger',
                text: 'It has no items. Its tab disappears from the shop.',
              }}
            />
          )}
        </div>
      )}
    </li>
  )
}

function CategoryForm({ category, onClose }: { category: Category | null; onClose: () => void }) {
  const fetchLatest = async () => {
    const { rows } = await call(getDeskCategories, {})
    return rows.find(({ id }) => id === category?.id) ?? {}
  }
  return (
    <DeskForm
      endpoint={saveCategory}
      fields={categoryFields}
      show={['category_name']}
      values={category ?? { id: null, version: null }}
      {...(category && { fetchLatest })}
      submitLabel={category === null ? 'Add' : 'Save'}
      successMessage={category === null ? 'Added.' : 'Saved.'}
      onDone={onClose}
      onCancel={onClose}
    />
  )
}
