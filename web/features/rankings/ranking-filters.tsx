import { type ClassName, SCHOOLS, type SchoolCode } from '#contract/game.ts'
import { Crest } from '#web/art/crest.tsx'
import { Emblem } from '#web/art/emblem.tsx'
import { FilterLinks } from '#web/ui/tabs.tsx'
import styles from './ranking-filters.module.css'

type Choice = { school: SchoolCode | null; cls: ClassName | null }

type Props = {
  choice: Choice
  classes: readonly ClassName[]
  /** The address that shows a choice, beside what else is chosen. */
  getPath: (choice: Partial<Choice>) => string
  /** The id of the board. */
  list: string
  /** The home page's widget: in the words of HOME-2 ('all'), and but on phones with emblems alone, which have a tooltip. */
  compact?: boolean
}

const ALL = 'all'

/** The two filters of a board: school and class. Each choice is a link. */
export function RankingFilters({ choice, classes, getPath, list, compact = false }: Props) {
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
    { key: ALL, label: compact ? ALL : 'All', to: getPath({ cls: null }) },
    ...classes.map((name) => ({
      key: name as string,
      label: name,
      to: getPath({ cls: name }),
      icon: <Emblem name={name} size={28} on={choice.cls === name} />,
      showLabel: true,
    })),
  ]
  return (
    <div className={compact ? styles.compact : styles.filters}>
      <span className={styles.word} aria-hidden="true">
        School
      </span>
      <div className={styles.schools}>
        <FilterLinks label="School" options={schools} current={String(choice.school ?? ALL)} list={list} />
      </div>
      <span className={styles.word} aria-hidden="true">
        Class
      </span>
      <div className={styles.classes}>
        <FilterLinks label="Class" options={classOptions} current={choice.cls ?? ALL} list={list} />
      </div>
    </div>
  )
}
