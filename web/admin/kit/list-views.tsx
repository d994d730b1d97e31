import { Popover } from '@base-ui/react/popover'
import { type FormEvent, useState } from 'react'
import { deleteView, getSavedViews, savedViewFields, saveView } from '#contract/staff.ts'
import { useCall } from '#web/api/queries.ts'
import { Button } from '#web/ui/button.tsx'
import field from '#web/ui/field.module.css'
import { Link } from '#web/ui/link.tsx'
import text from '#web/ui/text.module.css'
import { useAction } from './call.ts'
import { DeskIcon } from './icons.tsx'
import type { ListSearch } from './list-search.ts'
import styles from './list-views.module.css'

type ListViewsProps = {
  /** The path of the list's call. */
  list: string
  search: ListSearch
}

/**
 * The saved filters of a list, which all staff share. Operators can open or delete a saved view, or save the current
 * filters as one.
 */
export function ListViews({ list: listPath, search }: ListViewsProps) {
  const query = search.queryText
  const [isOpen, setIsOpen] = useState(false)
  const { data } = useCall(getSavedViews, { list: listPath })
  const saveAction = useAction(saveView)
  const deleteAction = useAction(deleteView)
  const views = data?.rows ?? []
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const name = String(new FormData(form).get('name') ?? '').trim()
    if (name !== '' && (await saveAction.run({ list: listPath, name, query })) !== undefined) form.reset()
  }
  return (
    <Popover.Root open={isOpen} onOpenChange={setIsOpen}>
      <Popover.Trigger className={styles.trigger}>Views{views.length > 0 && ` (${views.length})`}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className={styles.positioner} sideOffset={6} align="end">
          <Popover.Popup className={styles.popup}>
            <Popover.Title className={text.size24}>Saved views</Popover.Title>
            {views.length === 0 && (
              <p className={text.quiet}>Save the filters that you use often. All staff can use them.</p>
            )}
            <ul>
              {views.map((view) => (
                <li key={view.view}>
                  <Link to={search.toAddress(view.query)} onClick={() => setIsOpen(false)}>
                    {view.name}
                    <span>{view.created_by}</span>
                  </Link>
                  <button type="button" onClick={() => void deleteAction.run({ view: view.view })}>
                    <DeskIcon name="close" size={14} />
                    <span className="visually-hidden">Delete the view {view.name}</span>
                  </button>
                </li>
              ))}
            </ul>
            {query !== '' && (
              <form className={styles.form} onSubmit={(event) => void save(event)}>
                <label htmlFor="view-name">{savedViewFields.name.label}</label>
                <div>
                  <input id="view-name" name="name" className={field.input} autoComplete="off" />
                  <Button type="submit" tone="secondary" busy={saveAction.busy}>
                    Save
                  </Button>
                </div>
              </form>
            )}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
