import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import { Form } from 'react-router'
import { Button } from '#web/ui/button.tsx'
import field from '#web/ui/field.module.css'
import styles from './search-form.module.css'

type SearchFormProps = Pick<ComponentProps<typeof Form>, 'action' | 'preventScrollReset'> &
  Required<Pick<ComponentProps<'input'>, 'id' | 'maxLength' | 'placeholder'>> & {
    /** Names the field for screen readers. */
    label: string
    /** The words that the address searches for. */
    words: string
    /** `lg` where searching is what the page is for. */
    size?: 'md' | 'lg'
    autoComplete?: 'off'
    /** Hidden fields for the rest of the address. */
    children?: ReactNode
  }

/** A search field with its button: a form with an address, which works without scripts. The words are sent as `q`. */
export function SearchForm(props: SearchFormProps) {
  const { action, preventScrollReset, label, words, size = 'md', children, ...input } = props
  const box = useRef<HTMLInputElement>(null)
  // Back and forward change the address's words, so the field follows them.
  useEffect(() => {
    if (box.current !== null) box.current.value = words
  }, [words])
  return (
    <Form className={styles.form} role="search" action={action} preventScrollReset={preventScrollReset}>
      {children}
      <label className="visually-hidden" htmlFor={input.id}>
        {label}
      </label>
      <input
        {...input}
        className={`${field.input} ${styles[size]}`}
        ref={box}
        type="search"
        name="q"
        defaultValue={words}
        enterKeyHint="search"
      />
      <Button type="submit" size={size} tone={size === 'lg' ? 'primary' : 'secondary'}>
        Search
      </Button>
    </Form>
  )
}
