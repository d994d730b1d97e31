type ContentsProps = {
  entries: readonly { id: string; title: string }[]
  /** The id of the section in view, if known. */
  current?: string | null
  classes?: { list?: string | undefined; entry?: string | undefined }
  /** The CSS class of the numbers before the titles. */
  number: string | undefined
}

/** The sections of a long page as numbered links. */
export function ContentsList({ entries, current, classes, number }: ContentsProps) {
  return (
    <ol className={classes?.list}>
      {entries.map(({ id, title }, index) => (
        <li key={id}>
          <a href={`#${id}`} className={classes?.entry} aria-current={id === current ? 'true' : undefined}>
            <span className={number} aria-hidden="true">
              {index + 1}
            </span>
            {title}
          </a>
        </li>
      ))}
    </ol>
  )
}
