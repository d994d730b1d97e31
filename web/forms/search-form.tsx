import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Button } from '#web/ui/button.tsx'
import field from '#web/ui/field.module.css'
import { Icon } from '#web/ui/icon.tsx'
import styles from './search-form.module.css'

type SearchFormProps = Required<Pick<ComponentProps<'input'>, 'id' | 'placeholder'>> & {
  /** The path of the results page. */
  action: string
  /** The id of the list of results if it is on the current page (SHELL-12). */
  list?: string
  /** Names the field for screen readers. */
  label: string
  /** The current query, from the address. */
  query: string
  /** `lg` on pages whose main purpose is the search. */
  size?: 'md' | 'lg'
  autoComplete?: 'off'
  /** Hidden fields with the other parameters of the address. */
  children?: ReactNode
}

/** A search field with a button. It is a plain form, which works without scripts and sends the query as `q`. */
export function SearchForm(props: SearchFormProps) {
  const { action, list, label, query, size = 'md', children, ...input } = props
  const searchInput = useRef<HTMLInputElement>(null)
  // Shows the query of the address after Back and Forward.
  useEffect(() => {
    if (searchInput.current !== null) searchInput.current.value = query
  }, [query])
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const params = new URLSearchParams()
    for (const [name, value] of new FormData(event.currentTarget)) params.append(name, String(value))
    const to = `${action}?${params}`
    void navigate(to, {
      ...(list !== undefined && { preventScrollReset: true, state: { list } }),
      replace: to === pathname + search,
    })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: older browsers do not support the search element
    <form className={styles.form} role="search" action={action} onSubmit={submit}>
      {children}
      <label className="visually-hidden" htmlFor={input.id}>
        {label}
      </label>
      <input
        {...input}
        className={`${field.input} ${styles[size]}`}
        ref={searchInput}
        type="search"
        name="q"
        defaultValue={query}
        enterKeyHint="search"
      />
      {size === 'lg' ? (
        <Button type="submit" size="lg">
          Search
        </Button>
      ) : (
        <button type="submit" className={styles.icon} aria-label="Search">
          <Icon name="search" size={22} />
        </button>
      )}
    </form>
  )
}
