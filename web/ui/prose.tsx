// biome-ignore-all lint/suspicious/noArrayIndexKey: written texts do not change order
// biome-ignore-all lint/a11y/noRedundantRoles: a list without bullets and a table laid out as blocks lose theirs
import type { ComponentType, ReactNode } from 'react'
import { type Block, type ProseTable, readMarks } from '#content/prose.ts'
import { OwnOrForeignLink } from './link.tsx'

/** Class names of a page's own stylesheet, by block; `link` is for the links within sentences. */
type ProseClasses = {
  readonly [Part in 'text' | 'list' | 'steps' | 'tip' | 'note' | 'table' | 'link']?: string
}

type LinkProps = { to: string; className?: string | undefined; children: ReactNode }

type Look = {
  classes: ProseClasses
  /** Opens what a sentence links to, where a page has links of its own; otherwise every kind of address works. */
  link?: ComponentType<LinkProps>
}

type ProseProps<Figure extends string> = Look & {
  blocks: readonly Block<Figure>[]
  /** The drawing behind each name that the blocks use. */
  figures?: Readonly<Record<Figure, ComponentType>>
}

/**
 * A long text, block after block, without an element around it. Cells of a table carry their column's title in
 * `data-column`, so that a stylesheet can lay the rows out as blocks on a phone.
 */
export function Prose<Figure extends string = never>({ blocks, figures, ...look }: ProseProps<Figure>) {
  const { classes } = look
  const words = (text: string) => <RichText text={text} {...look} />
  return blocks.map((block, at) => {
    if (typeof block === 'string') {
      return (
        <p key={at} className={classes.text}>
          {words(block)}
        </p>
      )
    }
    if ('figure' in block) {
      const Drawing: ComponentType | undefined = figures?.[block.figure]
      return Drawing && <Drawing key={at} />
    }
    if ('table' in block) return <Table key={at} {...block.table} {...look} />
    if ('tip' in block || 'note' in block) {
      return (
        <p key={at} className={'tip' in block ? classes.tip : classes.note}>
          {words('tip' in block ? block.tip : block.note)}
        </p>
      )
    }
    const [List, lines] = 'list' in block ? (['ul', block.list] as const) : (['ol', block.steps] as const)
    return (
      <List key={at} role="list" className={List === 'ul' ? classes.list : classes.steps}>
        {lines.map((line, i) => (
          <li key={i}>{words(line)}</li>
        ))}
      </List>
    )
  })
}

function Table({ caption, columns, rows, ...look }: ProseTable & Look) {
  return (
    <table className={look.classes.table} role="table">
      {caption !== undefined && <caption>{caption}</caption>}
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column, i) => (
            <th key={i} scope="col" role="columnheader">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map(([first = '', ...cells], i) => (
          <tr key={i} role="row">
            <th scope="row" role="rowheader">
              <RichText text={first} {...look} />
            </th>
            {cells.map((cell, j) => (
              <td key={j} role="cell" data-column={columns[j + 1]}>
                <RichText text={cell} {...look} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** One sentence with its strong words, keys and links. */
export function RichText({ text, classes, link: PageLink = AnyLink }: Look & { text: string }) {
  return readMarks(text).map((piece, at) => {
    if (piece.kind === 'plain') return piece.text
    if (piece.kind === 'link') {
      return (
        <PageLink key={at} to={piece.to} className={classes.link}>
          {piece.text}
        </PageLink>
      )
    }
    const Mark = piece.kind === 'key' ? 'kbd' : 'strong'
    return <Mark key={at}>{piece.text}</Mark>
  })
}

function AnyLink({ to, className, children }: LinkProps) {
  if (!/^(mailto:|#)/.test(to)) {
    return (
      <OwnOrForeignLink to={to} className={className}>
        {children}
      </OwnOrForeignLink>
    )
  }
  return (
    <a href={to} className={className}>
      {children}
    </a>
  )
}
