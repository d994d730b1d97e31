import { Fragment } from 'react'
import { type ControlGroup, differs, piecesOf } from './content/controls.ts'
import styles from './control-table.module.css'

type ControlTableProps = {
  caption: string
  groups: readonly ControlGroup[]
  /** Whether the cells name keys, which are then drawn as such. */
  keys?: boolean
}

/** The two types beside each other; a line where they differ is marked. */
export function ControlTable({ caption, groups, keys = false }: ControlTableProps) {
  return (
    <table className={styles.table}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Action</th>
          <th scope="col">Type A</th>
          <th scope="col">Type B</th>
        </tr>
      </thead>
      {groups.map(({ title, controls }) => (
        <tbody key={title}>
          <tr className={styles.group}>
            <th colSpan={3} scope="rowgroup">
              {title}
            </th>
          </tr>
          {controls.map((control) => (
            <tr key={control.action} className={differs(control) ? styles.differs : undefined}>
              <th scope="row">{control.action}</th>
              <td>{keys ? <Keys cell={control.a} /> : control.a}</td>
              <td>{keys ? <Keys cell={control.b} /> : control.b}</td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  )
}

/** A cell of the key table: keys as such, the signs between them plain. */
function Keys({ cell }: { cell: string }) {
  return piecesOf(cell).map((piece, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: fixed pieces in a fixed order
    if (index % 2 === 0) return <kbd key={index}>{piece}</kbd>
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    return <Fragment key={index}>{piece === ' / ' ? ' ' : piece}</Fragment>
  })
}
