import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Form, useNavigate } from 'react-router'
import { isSearchable, SEARCH, SEARCH_WORDS_MAX } from '#contract/search-words.ts'
import { Icon } from '#web/ui/icon.tsx'
import { BoxHits } from './box-hits.tsx'
import { BoxStart, Tries } from './box-start.tsx'
import { keepRecentWords, readRecentWords } from './recent-words.ts'
import { foundText } from './results-words.ts'
import styles from './search-dialog.module.css'
import { searchPath } from './search-view.ts'
import { useBoxSearch } from './use-box-search.ts'

/** The search box over any page: results as you type, arrows to choose, Enter to go, Escape to leave. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const box = useRef<HTMLDialogElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const listId = useId()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [recent] = useState(readRecentWords)
  const { words, answer, isSettled, failure } = useBoxSearch(typed)
  /** The chosen option's place; the first one is chosen as soon as the answer is there. */
  const [chosen, setChosen] = useState(0)

  // It is fetched because somebody asked for it.
  useEffect(() => box.current?.showModal(), [])

  const close = () => box.current?.close()
  const keepWords = () => {
    if (isSearchable(words)) keepRecentWords(words)
  }
  const choose = (next: string) => {
    setTyped(next)
    setChosen(0)
    field.current?.focus()
  }
  const options = () => [...(box.current?.querySelectorAll<HTMLElement>('[role=option]') ?? [])]

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const count = options().length
    if (step === undefined || count === 0) return
    event.preventDefault()
    const next = (chosen + step + count) % count
    setChosen(next)
    options()[next]?.scrollIntoView({ block: 'nearest' })
  }
  const submit = () => {
    // What is chosen among older results is not what was typed.
    const option = isSettled ? options()[chosen] : undefined
    if (option !== undefined) return option.click()
    if (!isSearchable(words)) return
    keepWords()
    close()
    void navigate(searchPath(words))
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes it with Escape, by the browser
    <dialog
      className={styles.dialog}
      ref={box}
      aria-label={SEARCH.heading}
      onClose={onClose}
      onClick={(event) => {
        // Only the dimmed page around the box is the dialog itself.
        if (event.target === event.currentTarget) close()
      }}
    >
      <div className={styles.inner}>
        <Form
          className={styles.form}
          action="/search"
          role="search"
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <Icon name="search" size={24} />
          <input
            className={styles.input}
            ref={field}
            type="text"
            name="q"
            role="combobox"
            aria-label="Search news, guides, items and characters"
            aria-expanded={answer !== null && answer.total > 0}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={answer !== null && answer.total > 0 ? `${listId}-${chosen}` : undefined}
            value={typed}
            maxLength={SEARCH_WORDS_MAX}
            placeholder="What are you looking for?"
            autoComplete="off"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="search"
            onChange={(event) => {
              setTyped(event.target.value)
              setChosen(0)
            }}
            onKeyDown={onKeyDown}
          />
          <button type="button" className={styles.close} aria-label="Close the search" onClick={close}>
            <svg width="18" height="18" viewBox="0 0 22 22" stroke="currentColor" strokeWidth="3" aria-hidden="true">
              <path d="M2 2 20 20M20 2 2 20" />
            </svg>
            <kbd>Esc</kbd>
          </button>
        </Form>
        <div className={`${styles.results} quiet-scroll`}>
          {answer === null && failure === null && (
            <BoxStart recent={recent} onChoose={choose} isTyping={isSearchable(words)} />
          )}
          {answer?.total === 0 && isSettled && (
            <>
              <p className={styles.nothing}>Nothing by that name. Try fewer words, or the beginning of one.</p>
              <Tries onChoose={choose} />
            </>
          )}
          {answer !== null && answer.total > 0 && (
            <BoxHits
              id={listId}
              answer={answer}
              words={words}
              chosen={chosen}
              isOld={!isSettled}
              onChoose={setChosen}
              onLeave={() => {
                keepWords()
                close()
              }}
            />
          )}
          {failure !== null && (
            <p className={styles.failure} role="alert">
              {failure}
            </p>
          )}
        </div>
        <div className={styles.foot}>
          <p role="status">{answer !== null && isSettled ? foundText(answer.total, words) : ''}</p>
          <p className={styles.keys} aria-hidden="true">
            <kbd>↑</kbd>
            <kbd>↓</kbd> choose <kbd>Enter</kbd> open <kbd>/</kbd> or <kbd>Ctrl K</kbd> from any page
          </p>
        </div>
      </div>
    </dialog>
  )
}
