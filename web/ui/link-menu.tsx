import { type FocusEvent, type KeyboardEvent, useRef } from 'react'
import { Link } from './link.tsx'
import styles from './link-menu.module.css'

/** `state` is a second, quiet label, such as 'closed'. */
export type MenuOption = { key: string; name: string; state?: string; to: string; isShown: boolean }

type LinkMenuProps = {
  label: string
  options: readonly MenuOption[]
  /** Replaces the name of the current option. */
  summary?: string
  /** The id of the list that the options change. */
  list: string
}

/**
 * A menu that shows the current option and opens a list of all options. It works without scripts; with scripts, Escape
 * and the loss of focus close it.
 */
export function LinkMenu({ label, options, summary, list }: LinkMenuProps) {
  const menu = useRef<HTMLDetailsElement>(null)
  const currentOption = options.find(({ isShown }) => isShown)
  const close = () => menu.current?.removeAttribute('open')
  const closeOnEscape = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Escape' || !menu.current?.open) return
    close()
    menu.current.querySelector('summary')?.focus()
  }
  const closeOnBlur = (event: FocusEvent<HTMLElement>) => {
    if (event.relatedTarget instanceof Node && !event.currentTarget.contains(event.relatedTarget)) close()
  }
  if (currentOption === undefined) return <span className={styles.singleOption} />
  if (options.length < 2) return <span className={styles.singleOption}>{currentOption.name}</span>
  return (
    <details ref={menu} className={styles.menu} onKeyDown={closeOnEscape} onBlur={closeOnBlur}>
      <summary className={styles.summary}>
        <span className="visually-hidden">{label}: </span>
        {summary ?? currentOption.name}
        <svg
          width="12"
          height="8"
          viewBox="0 0 12 8"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          aria-hidden="true"
        >
          <path d="M1 1l5 5 5-5" />
        </svg>
      </summary>
      <ul className={styles.list}>
        {options.map(({ key, name, state, to, isShown }) => (
          <li key={key}>
            <Link
              to={to}
              className={styles.option}
              aria-current={isShown ? 'true' : undefined}
              list={list}
              onClick={close}
            >
              {name}
              {state !== undefined && <span className={styles.state}>{state}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  )
}
