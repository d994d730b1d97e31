import { useEffect, useRef } from 'react'
import { Form } from 'react-router'
import { SEARCH_WORDS_MAX } from '#contract/search-words.ts'
import { Button } from '#web/ui/button.tsx'
import styles from './search-form.module.css'
import type { SearchView } from './search-view.ts'

/** The search field of the page: a form with an address, so it works without scripts. A chosen kind stays chosen. */
export function SearchForm({ view: { words, kind } }: { view: SearchView }) {
  const field = useRef<HTMLInputElement>(null)
  // Back and forward bring the address's words back into the field.
  useEffect(() => {
    if (field.current !== null) field.current.value = words
  }, [words])
  return (
    <Form className={styles.form} role="search" action="/search">
      {kind !== null && <input type="hidden" name="kind" value={kind} />}
      <label className="visually-hidden" htmlFor="search-words">
        Search news, guides, items and characters
      </label>
      <input
        className={styles.input}
        id="search-words"
        ref={field}
        type="search"
        name="q"
        defaultValue={words}
        maxLength={SEARCH_WORDS_MAX}
        placeholder="News, guides, items, characters"
        enterKeyHint="search"
        autoComplete="off"
      />
      <Button type="submit" size="lg">
        Search
      </Button>
    </Form>
  )
}
