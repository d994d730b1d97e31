import { type ReactNode, useEffect, useId, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { toOptionPairs } from './fields.tsx'
import { DeskIcon } from './icons.tsx'
import styles from './list.module.css'
import type { Filter, Filters, ListSearch } from './list-search.ts'

/** The pause in typing before the list reloads, in ms. */
const RELOAD_DELAY_MS = 300

type ListFiltersProps = {
  filters: Filters
  search: ListSearch
  columns: readonly { title: string; sort?: string }[]
  /** Shown at the end of the row. */
  children: ReactNode
}

/**
 * The filters of a list in one row. On a phone only the search field is in the row; a button opens the others below it.
 */
export function ListFilters({ filters, search, columns, children }: ListFiltersProps) {
  // On a phone, open filters would push the rows off the screen. The button shows how many are in use.
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const entries = Object.entries(filters)
  const searchFilters = entries.filter(([, { kind }]) => kind === 'search')
  const otherFilters = entries.filter(([, { kind }]) => kind !== 'search' && kind !== 'link')
  const sorts = columns.flatMap(({ title, sort }) => (sort === undefined ? [] : [{ title, sort }]))
  const filtersInUse = entries.filter(([name]) => search.namesInUse.includes(name))
  const inUseCount = otherFilters.filter(([name]) => search.namesInUse.includes(name)).length

  return (
    // biome-ignore lint/a11y/useSemanticElements: older browsers do not support the search element
    <form className={styles.filters} role="search" onSubmit={(event) => event.preventDefault()}>
      {searchFilters.map(([name, filter]) => (
        <FilterField key={name} name={name} filter={filter} search={search} />
      ))}
      {otherFilters.length + sorts.length > 0 && (
        <button
          type="button"
          className={styles.more}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsOpen(!isOpen)}
        >
          <DeskIcon name="filter" size={18} /> Filters{inUseCount > 0 && <b>{inUseCount}</b>}
        </button>
      )}
      <div className={styles.otherFilters} id={id} data-open={isOpen || undefined}>
        {otherFilters.map(([name, filter]) => (
          <FilterField key={name} name={name} filter={filter} search={search} />
        ))}
        {sorts.length > 0 && (
          <div className={`${styles.filter} ${styles.sortChoice}`}>
            <label htmlFor={`${id}-sort`}>Sort by</label>
            <select
              id={`${id}-sort`}
              value={search.getValue('sort')}
              onChange={({ currentTarget }) => search.change({ sort: currentTarget.value })}
            >
              <option value="">Default</option>
              {sorts.map(({ title, sort }) => [
                <option key={sort} value={sort}>
                  {title}, ascending
                </option>,
                <option key={`-${sort}`} value={`-${sort}`}>
                  {title}, descending
                </option>,
              ])}
            </select>
          </div>
        )}
      </div>
      <div className={styles.actions}>
        {search.namesInUse.length > 0 && (
          <Button tone="quiet" onClick={search.clear}>
            Clear
          </Button>
        )}
        {children}
      </div>
      {filtersInUse.length > 0 && (
        <ul className={styles.chips} aria-label="Filters in use">
          {filtersInUse.map(([name, filter]) => (
            <li key={name}>
              <button type="button" onClick={() => search.change({ [name]: null })}>
                {labelFilter(filter)}: <b>{nameValue(filter, search.getValue(name))}</b>
                <DeskIcon name="close" size={12} weight={3} />
                <span className="visually-hidden">: remove this filter</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </form>
  )
}

/** Returns the name of a filter without the hint after its colon. */
const labelFilter = ({ label }: Filter): string => label.replace(/:.*/, '')

/** Returns a filter's value as its field shows it. */
function nameValue(filter: Filter, value: string): string {
  if (filter.kind !== 'choice') return value
  return toOptionPairs(filter.options).find(([option]) => option === value)?.[1] ?? value
}

type FilterFieldProps = { name: string; filter: Filter; search: ListSearch }

function FilterField({ name, filter, search }: FilterFieldProps) {
  const id = useId()
  const value = search.getValue(name)
  const isTextFilter = filter.kind === 'search' || filter.kind === 'text'
  return (
    <div className={`${styles.filter} ${filter.kind === 'search' ? styles.search : ''}`}>
      <label htmlFor={id}>{filter.label}</label>
      {isTextFilter && (
        <TextFilter id={id} value={value} onChange={(next) => search.change({ [name]: next }, { isTyping: true })} />
      )}
      {filter.kind === 'day' && (
        <input
          id={id}
          type="date"
          value={value}
          onChange={({ currentTarget }) => search.change({ [name]: currentTarget.value })}
        />
      )}
      {filter.kind === 'choice' && (
        <select id={id} value={value} onChange={({ currentTarget }) => search.change({ [name]: currentTarget.value })}>
          <option value="">{filter.all ?? 'All'}</option>
          {toOptionPairs(filter.options).map(([option, label]) => (
            <option key={option} value={option}>
              {label}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}

/** A text filter. The list reloads shortly after the last key press, or at once after Enter. */
function TextFilter({ id, value, onChange }: { id: string; value: string; onChange: (value: string) => void }) {
  const [typedText, setTypedText] = useState(value)
  const [previousValue, setPreviousValue] = useState(value)
  const [sentValue, setSentValue] = useState(value)
  if (value !== previousValue) {
    setPreviousValue(value)
    // Takes a value that the field did not send, for example from a button or Back. A value that it did send may be
    // older than the field's text.
    if (value !== sentValue) {
      setTypedText(value)
      setSentValue(value)
    }
  }
  const sendText = () => {
    setSentValue(typedText.trim())
    onChange(typedText.trim())
  }
  useEffect(() => {
    if (typedText.trim() === value) return
    const timer = setTimeout(sendText, RELOAD_DELAY_MS)
    return () => clearTimeout(timer)
  })
  return (
    <input
      id={id}
      type="search"
      value={typedText}
      enterKeyHint="search"
      autoCapitalize="none"
      spellCheck={false}
      onChange={({ currentTarget }) => setTypedText(currentTarget.value)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') sendText()
      }}
    />
  )
}
