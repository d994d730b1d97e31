import { Suspense, useState } from 'react'
import type { DialogWindowProps } from './dialog-window.tsx'
import { lazyPart } from './lazy-part.ts'

const LazyWindow = lazyPart(async () => (await import('./dialog-window.tsx')).DialogWindow)

/** A modal window. Its code is downloaded when it first opens. */
export function Dialog(props: DialogWindowProps) {
  const [wanted, setWanted] = useState(props.open)
  if (props.open && !wanted) setWanted(true)
  return wanted ? (
    <Suspense>
      <LazyWindow {...props} />
    </Suspense>
  ) : null
}
