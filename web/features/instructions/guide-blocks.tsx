import { OwnOrForeignLink } from '#web/ui/link.tsx'
import type { Block } from './content/blocks.ts'
import { readPart } from './content/part-keys.ts'
import styles from './guide-blocks.module.css'
import { PartLink } from './part-link.tsx'
import { spansOf } from './rich-text.ts'

/** Guide text as the page shows it. */
export function GuideBlocks({ blocks }: { blocks: readonly Block[] }) {
  return (
    <div className={styles.blocks}>
      {blocks.map((block) => (
        <GuideBlock key={JSON.stringify(block)} block={block} />
      ))}
    </div>
  )
}

function GuideBlock({ block }: { block: Block }) {
  if (typeof block === 'string')
    return (
      <p>
        <RichText>{block}</RichText>
      </p>
    )
  if ('list' in block) return <Lines as="ul" lines={block.list} />
  if ('steps' in block) return <Lines as="ol" lines={block.steps} />
  if ('tip' in block)
    return (
      <p className={styles.tip}>
        <RichText>{block.tip}</RichText>
      </p>
    )
  return <BlockTable {...block.table} />
}

function Lines({ as: List, lines }: { as: 'ul' | 'ol'; lines: readonly string[] }) {
  return (
    // Safari takes the meaning of a list away with its marks; the role brings it back.
    <List role="list" className={styles[List]}>
      {lines.map((line) => (
        <li key={line}>
          <RichText>{line}</RichText>
        </li>
      ))}
    </List>
  )
}

type TableProps = Extract<Block, { table: unknown }>['table']

function BlockTable({ caption, head, rows }: TableProps) {
  return (
    <table className={styles.table}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([first = '', ...rest]) => (
          <tr key={first}>
            <th scope="row">
              <RichText>{first}</RichText>
            </th>
            {rest.map((cell, column) => (
              <td key={head[column + 1]}>
                <RichText>{cell}</RichText>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A sentence with its keys, strong words and links. */
function RichText({ children }: { children: string }) {
  return spansOf(children).map((span, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: fixed pieces in a fixed order
    if (span.kind === 'strong') return <strong key={index}>{span.text}</strong>
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    if (span.kind === 'key') return <kbd key={index}>{span.text}</kbd>
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    if (span.kind === 'link') return <GuideLink key={index} to={span.to} words={span.text} />
    return span.text
  })
}

function GuideLink({ to, words }: { to: string; words: string }) {
  const part = to.startsWith('/instructions?') ? readPart(new URLSearchParams(to.split('?')[1])) : null
  return part === null ? <OwnOrForeignLink to={to}>{words}</OwnOrForeignLink> : <PartLink part={part}>{words}</PartLink>
}
