import styles from './policy.module.css'
import type { PolicyBlock } from './policy-types.ts'
import { RichText } from './rich-text.tsx'

/** A paragraph, a list or a table of a policy. */
export function PolicyBlocks({ blocks }: { blocks: readonly PolicyBlock[] }) {
  return blocks.map((block) => {
    if (typeof block === 'string') {
      return (
        <p key={block}>
          <RichText text={block} />
        </p>
      )
    }
    if ('list' in block) {
      return (
        <ul key={block.list[0]} className={styles.list}>
          {block.list.map((line) => (
            <li key={line}>
              <RichText text={line} />
            </li>
          ))}
        </ul>
      )
    }
    return <PolicyTable key={block.table.columns.join()} {...block.table} />
  })
}

/** On a phone each row stands as a block of its own; the roles keep it a table for screen readers. */
function PolicyTable({ columns, rows }: { columns: readonly string[]; rows: readonly (readonly string[])[] }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: laid out as blocks, a table would lose its role
    <table className={styles.table} role="table">
      {/* biome-ignore lint/a11y/noRedundantRoles: as above */}
      <thead role="rowgroup">
        {/* biome-ignore lint/a11y/noRedundantRoles: as above */}
        <tr role="row">
          {columns.map((column) => (
            // biome-ignore lint/a11y/noRedundantRoles: as above
            <th key={column} scope="col" role="columnheader">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      {/* biome-ignore lint/a11y/noRedundantRoles: as above */}
      <tbody role="rowgroup">
        {rows.map((row) => (
          // biome-ignore lint/a11y/noRedundantRoles: as above
          <tr key={row[0]} role="row">
            {row.map((cell, i) => (
              // biome-ignore lint/a11y/noRedundantRoles: as above
              <td key={columns[i]} role="cell" data-column={columns[i]}>
                <RichText text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
