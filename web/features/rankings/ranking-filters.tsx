import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { type ClassName, findSchool, SCHOOLS, type SchoolCode } from '#contract/game.ts'
import { formatPlural } from '#contract/numbers.ts'
import { Crest } from '#web/art/crest.tsx'
import { Emblem } from '#web/art/emblem.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { useLayer } from '#web/ui/layers.ts'
import layout from '#web/ui/layout.module.css'
import { FilterLinks } from '#web/ui/tabs.tsx'
import styles from './ranking-filters.module.css'

type Choice = { school: SchoolCode | null; cls: ClassName | null }

type FilterChoicesProps = {
  choice: Choice
  classes: readonly ClassName[]
  /** Returns the address after a choice, with the other choices unchanged. */
  getPath: (choice: Partial<Choice>) => string
  /** The id of the board that the choices change. */
  list?: string
  /** Whether to use the label of the home page's widget, 'all' (HOME-2). */
  isWidget?: boolean
}

const ALL = 'all'

/** The filters of a board by school and class. Each choice is a link. */
function FilterChoices({ choice, classes, getPath, list, isWidget = false }: FilterChoicesProps) {
  const schools = [
    { key: ALL, label: 'All', to: getPath({ school: null }) },
    ...SCHOOLS.map(({ code, name }) => ({
      key: String(code),
      label: name,
      to: getPath({ school: code }),
      icon: <Crest school={code} size={26} />,
      showLabel: true,
    })),
  ]
  const classOptions = [
    { key: ALL, label: isWidget ? ALL : 'All', to: getPath({ cls: null }) },
    ...classes.map((name) => ({
      key: name as string,
      label: name,
      to: getPath({ cls: name }),
      icon: <Emblem name={name} size={isWidget ? 28 : 22} isOn={choice.cls === name} />,
      showLabel: true,
    })),
  ]
  const listProps = list === undefined ? {} : { list }
  return (
    <>
      <span className={styles.label} aria-hidden="true">
        School
      </span>
      <div className={styles.schools}>
        <FilterLinks label="School" options={schools} current={String(choice.school ?? ALL)} {...listProps} />
      </div>
      <span className={styles.label} aria-hidden="true">
        Class
      </span>
      <div className={styles.classes}>
        <FilterLinks label="Class" options={classOptions} current={choice.cls ?? ALL} {...listProps} />
      </div>
    </>
  )
}

/** The filters of the home page's widget. They are always open. On wider screens they are emblems with tooltips. */
export function WidgetFilters(props: FilterChoicesProps) {
  return (
    <div className={styles.widget}>
      <FilterChoices {...props} isWidget />
    </div>
  )
}

type RankingFiltersProps = Omit<FilterChoicesProps, 'list' | 'isWidget'> & {
  /** The number of matching rows; undefined until they have loaded. */
  count: number | undefined
  /** Further chips in the row. */
  children?: ReactNode
}

/**
 * The filters of a board: one line on a desktop screen. On smaller screens, a row of chips shows the choices and opens
 * a sheet from the bottom. A checkbox opens the sheet, so it needs no script.
 */
export function RankingFilters({ count, children, ...choices }: RankingFiltersProps) {
  const { choice, getPath } = choices
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const checkbox = useRef<HTMLInputElement>(null)
  const close = () => {
    setOpen(false)
    checkbox.current?.focus({ preventScroll: true })
  }
  useLayer(isOpen, close, true)
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen) close()
  }
  const chosenCount = [choice.school, choice.cls].filter((value) => value !== null).length
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the sheet; every action in it is a link or a button
    <div className={styles.filters} onKeyDown={closeOnEscape}>
      <div className={`${styles.chips} ${layout.fading}`}>
        <label className={styles.chip}>
          <input
            ref={checkbox}
            id={id}
            type="checkbox"
            className="visually-hidden"
            checked={isOpen}
            onChange={({ target }) => setOpen(target.checked)}
          />
          <svg width="18" height="14" viewBox="0 0 18 14" stroke="currentColor" strokeWidth="2" aria-hidden="true">
            <path d="M0 1h18M3 7h12M6 13h6" />
          </svg>
          Filter
          {chosenCount > 0 && <b>{chosenCount}</b>}
        </label>
        <label className={styles.chip} htmlFor={id} data-on={choice.school !== null || undefined}>
          {choice.school === null ? 'All schools' : findSchool(choice.school)?.name}
        </label>
        <label className={styles.chip} htmlFor={id} data-on={choice.cls !== null || undefined}>
          {choice.cls ?? 'All classes'}
        </label>
        {children}
      </div>
      <label className={styles.shade} htmlFor={id}>
        <span className="visually-hidden">Close the filter</span>
      </label>
      <div className={styles.sheet}>
        <div className={styles.sheetHead}>
          <h3>Filter</h3>
          <button type="button" className="needs-script" aria-label="Close the filter" onClick={close}>
            <svg width="20" height="20" viewBox="0 0 22 22" stroke="currentColor" strokeWidth="3" aria-hidden="true">
              <path d="M2 2 20 20M20 2 2 20" />
            </svg>
          </button>
        </div>
        <div className={styles.choices}>
          <FilterChoices {...choices} />
        </div>
        <div className={styles.sheetFoot}>
          <ButtonLink tone="secondary" to={getPath({ school: null, cls: null })}>
            Reset
          </ButtonLink>
          <Button className="needs-script" onClick={close}>
            {count === undefined ? 'Show the ranking' : `Show ${formatPlural(count, 'player')}`}
          </Button>
        </div>
      </div>
    </div>
  )
}
