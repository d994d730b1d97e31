import deskLayout from './desk-layout.module.css'
import { DeskIcon } from './icons.tsx'

type MoveButtonsProps<Id> = {
  ids: readonly Id[]
  index: number
  name: string | undefined
  busy?: boolean
  /** Receives all ids in the new order. */
  onMove: (ids: Id[]) => void
}

/** Two buttons that move the entry at `index` of a list up or down by one. */
export function MoveButtons<Id>({ ids, index, name, busy = false, onMove }: MoveButtonsProps<Id>) {
  const move = (direction: 'up' | 'down', newIndex: number) => (
    <button
      type="button"
      disabled={busy || newIndex < 0 || newIndex === ids.length}
      onClick={() => onMove(ids.toSpliced(index, 1).toSpliced(newIndex, 0, ...ids.slice(index, index + 1)))}
    >
      <DeskIcon name={direction} size={18} />
      <span className="visually-hidden">{`Move ${name} ${direction}`}</span>
    </button>
  )
  return (
    <span className={deskLayout.moves}>
      {move('up', index - 1)}
      {move('down', index + 1)}
    </span>
  )
}
