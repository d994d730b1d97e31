type ContentsProps = {
  entries: readonly { id: string; title: string }[]
  /** The id of the section in view, if known. */
  current?: string | null
  /** The CSS classes of the list, of its links, and of the numbers before the titles. */
  classes: { list?: string | undefined; entry?: string | undefined; number: string | undefined }
}

/** The sections of a long page as numbered links. */
export function ContentsList({ entries, current, classes }: ContentsProps) {
  return (
    <ol className={classes.list}>
      {entries.map(({ id, title }, index) => (
        <li key={id}>
          <a href={`#${id}`} className={classes.entry} aria-current={id === current ? 'true' : undefined}>
            <span className={classes.number} aria-hidden="true">
              {index + 1}
            </span>
            {title}
          </a>
        </li>
      ))}
    </ol>
  )
}
