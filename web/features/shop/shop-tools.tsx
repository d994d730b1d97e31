import { useEffect, useRef } from 'react'
import { Form } from 'react-router'
import { Button } from '#web/ui/button.tsx'
import { FilterLinks } from '#web/ui/tabs.tsx'
import styles from './shop-tools.module.css'
import { SEARCH_MAX, type ShopView, SORT_NAMES, shopPath } from './shop-view.ts'

/** Search and order: a form and links with addresses, so that both work without scripts. */
export function ShopTools({ view }: { view: ShopView }) {
  const { category, q, sort } = view
  const field = useRef<HTMLInputElement>(null)
  // Back and forward bring the address's words back into the field.
  useEffect(() => {
    if (field.current !== null) field.current.value = q
  }, [q])
  const options = SORT_NAMES.map((order) => ({
    key: order.sort,
    label: order.label,
    to: shopPath({ ...view, sort: order.sort, page: 1 }),
  }))
  return (
    <div className={styles.tools}>
      <Form className={styles.search} role="search" action="/itemshop" preventScrollReset>
        <input type="hidden" name="category" value={category} />
        {sort !== '' && <input type="hidden" name="sort" value={sort} />}
        <label className="visually-hidden" htmlFor="shop-search">
          Search for an item
        </label>
        <input
          className={styles.input}
          id="shop-search"
          ref={field}
          type="search"
          name="q"
          defaultValue={q}
          maxLength={SEARCH_MAX}
          placeholder="Search for an item"
          enterKeyHint="search"
        />
        <Button type="submit" tone="secondary">
          Search
        </Button>
      </Form>
      <FilterLinks label="Order of the items" options={options} current={sort} />
    </div>
  )
}
