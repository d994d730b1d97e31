import { RichText } from './rich-text.tsx'
import styles from './system-blocks.module.css'
import { FIGURES } from './system-figures.tsx'
import type { SystemBlock } from './system-types.ts'

/** One block of a section, whatever it is. */
export function SystemBlockView({ block }: { block: SystemBlock }) {
  if (block.kind === 'figure') {
    const Figure = FIGURES[block.figure]
    return <Figure />
  }
  if (block.kind === 'table') return <SystemTable {...block} />
  if (block.kind === 'list') {
    return (
      <ul className={styles.list}>
        {block.lines.map((line) => (
          <li key={line}>
            <RichText text={line} />
          </li>
        ))}
      </ul>
    )
  }
  return (
    <p className={block.kind === 'note' ? styles.note : styles.text}>
      <RichText text={block.text} />
    </p>
  )
}

function SystemTable({ caption, head, rows }: Extract<SystemBlock, { kind: 'table' }>) {
  return (
    <table className={styles.table}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {head.map((cell) => (
            <th key={cell} scope="col">
              {cell}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([first, ...others]) => (
          <tr key={first}>
            <th scope="row">{first}</th>
            {others.map((cell, index) => (
              <td key={head[index + 1]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
