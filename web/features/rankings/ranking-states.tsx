import { EMPTY } from '#contract/messages.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/states.tsx'

/** The board did not come (SPEC §8: only logged); the way out is to ask again. */
export function NothingLoaded({ onUpdate }: { onUpdate: () => void }) {
  return (
    <EmptyState
      title="Nothing loaded"
      line="The ranking did not come through. Your connection may be away for a moment."
      action={<Button onClick={() => onUpdate()}>Update</Button>}
    />
  )
}

/** Nobody stands on the board, or nobody whom the filters leave. */
export function NobodyRanked({ empty, allPath }: { empty: boolean; allPath: string }) {
  if (empty)
    return <EmptyState title={EMPTY.noData} line="Nobody stands on this board yet. Play a round and be the first." />
  return (
    <EmptyState
      title={EMPTY.noData}
      line="Nobody of this school and class is among the top 100."
      action={<ButtonLink to={allPath}>Show all</ButtonLink>}
    />
  )
}
