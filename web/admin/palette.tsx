import { Autocomplete } from '@base-ui/react/autocomplete'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { DESK_SEARCH_MAX, DESK_SEARCH_RULE } from '#contract/limits.ts'
import { Link } from '#web/ui/link.tsx'
import searchField from '#web/ui/search-field.module.css'
import deskLayout from './kit/desk-layout.module.css'
import { DeskIcon, type DeskIconName } from './kit/icons.tsx'
import { isAllowed, type Me } from './me.ts'
import styles from './palette.module.css'
import { getScreenPath, type Hit, type Screen } from './screens.ts'

/** The pause in typing before a search is sent, in ms. */
const SEARCH_DELAY_MS = 200
/** The minimum length of a query. */
const QUERY_MIN_LENGTH = 2

type Choice = Hit & { group: string; icon: DeskIconName; keys?: string }

type PaletteProps = { me: Me; screens: Screen[]; onClose: () => void }

/** The search dialog. It finds screens, their actions, and records such as players. */
export function Palette({ me, screens, onClose }: PaletteProps) {
  const dialogRef = useRef<HTMLDialogElement>(null)
  const [typedText, setTypedText] = useState('')
  const query = typedText.trim()
  const { hits, isSearching } = useFinders(screens, query)
  const choices = [...filterChoices(listScreenChoices(me, screens), query), ...hits]
  const groups = [...new Set(choices.map(({ group }) => group))]

  useEffect(() => dialogRef.current?.showModal(), [])
  const close = () => dialogRef.current?.close()

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes it with Escape, by the browser
    <dialog
      className={styles.dialog}
      ref={dialogRef}
      aria-label="Search the desk"
      onClose={onClose}
      onClick={(event) => {
        // Only a click on the dimmed backdrop has the dialog itself as its target.
        if (event.target === event.currentTarget) close()
      }}
    >
      <div className={styles.inner}>
        <Autocomplete.Root
          inline
          open
          mode="none"
          items={choices}
          autoHighlight="always"
          keepHighlight
          value={typedText}
          onValueChange={(next, { reason }) => {
            // A chosen result opens; it must not replace the query in the field.
            if (reason !== 'item-press') setTypedText(next)
          }}
        >
          <div className={searchField.field}>
            <DeskIcon name="search" size={24} />
            <Autocomplete.Input
              className={searchField.input}
              type="text"
              aria-label="Find a screen, an action, a player, an order or a ticket"
              placeholder="Find a player, order, ticket…"
              enterKeyHint="go"
              spellCheck={false}
              autoCapitalize="none"
            />
            <button type="button" className={styles.close} aria-label="Close" onClick={close}>
              <DeskIcon name="close" />
            </button>
          </div>
          <Autocomplete.List
            aria-label="Results"
            className={`${styles.list} quiet-scroll`}
            aria-busy={isSearching || undefined}
          >
            {groups.map((group) => (
              <Autocomplete.Group key={group} aria-label={group}>
                <div className={styles.heading} aria-hidden="true">
                  {group}
                </div>
                {choices
                  .filter((choice) => choice.group === group)
                  .map((choice) => (
                    <Autocomplete.Item
                      key={`${choice.to} ${choice.title}`}
                      className={styles.choice}
                      value={choice}
                      onClick={close}
                      render={(props, { highlighted }) => (
                        <Link {...props} to={choice.to} aria-selected={highlighted} tabIndex={-1} />
                      )}
                    >
                      <DeskIcon name={choice.icon} size={18} />
                      <span className={deskLayout.strong}>{choice.title}</span>
                      {choice.line !== undefined && <span className={styles.line}>{choice.line}</span>}
                      {choice.keys !== undefined && <kbd>{choice.keys}</kbd>}
                    </Autocomplete.Item>
                  ))}
              </Autocomplete.Group>
            ))}
          </Autocomplete.List>
          <p className={styles.foot} role="status">
            {query.length > DESK_SEARCH_MAX
              ? DESK_SEARCH_RULE
              : isSearching
                ? 'Searching…'
                : choices.length === 0
                  ? `Nothing found for “${query}”.`
                  : ''}
          </p>
        </Autocomplete.Root>
      </div>
    </dialog>
  )
}

/** Returns the screens and their actions as choices. */
function listScreenChoices(me: Me, screens: Screen[]): Choice[] {
  const screenChoices = screens.map(
    (screen): Choice => ({
      group: 'Screens',
      icon: screen.icon,
      title: screen.title,
      to: getScreenPath(screen),
      ...(screen.key !== undefined && { keys: `g ${screen.key}` }),
    }),
  )
  const actionChoices = screens.flatMap(({ icon, actions = [], permission }) =>
    actions
      .filter((action) => isAllowed(me, action.permission ?? permission))
      .map(({ title, to }): Choice => ({ group: 'Actions', icon, title, to })),
  )
  return [...screenChoices, ...actionChoices]
}

/** Returns the choices whose titles contain every word of the query. */
function filterChoices(choices: Choice[], query: string): Choice[] {
  const terms = query.toLowerCase().split(/\s+/)
  return choices.filter(({ title }) => terms.every((term) => title.toLowerCase().includes(term)))
}

/** Searches each screen that supports it, shortly after the last key press. Ignores failed searches. */
function useFinders(screens: Screen[], query: string): { hits: Choice[]; isSearching: boolean } {
  const [settledQuery, setSettledQuery] = useState(query)
  useEffect(() => {
    const timer = setTimeout(() => setSettledQuery(query), SEARCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [query])
  const finders = screens.filter(({ find }) => find !== undefined)
  const isSearchable = query.length >= QUERY_MIN_LENGTH && query.length <= DESK_SEARCH_MAX && finders.length > 0
  const { data, isFetching } = useQuery({
    queryKey: ['palette', settledQuery],
    queryFn: () => findAll(finders, settledQuery),
    enabled: isSearchable && settledQuery.length >= QUERY_MIN_LENGTH && settledQuery.length <= DESK_SEARCH_MAX,
    retry: false,
  })
  return {
    hits: isSearchable && settledQuery === query ? (data ?? []) : [],
    isSearching: isSearchable && (isFetching || settledQuery !== query),
  }
}

async function findAll(finders: Screen[], query: string): Promise<Choice[]> {
  const results = await Promise.allSettled(finders.map(({ find }) => find?.(query)))
  return results.flatMap((result, index) => {
    const screen = finders[index]
    if (result.status === 'rejected' || screen === undefined) return []
    return (result.value ?? []).map((hit): Choice => ({ ...hit, group: screen.title, icon: screen.icon }))
  })
}
