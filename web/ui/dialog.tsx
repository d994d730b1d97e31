import { Suspense, useState } from 'react'
import type { DialogWindowProps } from './dialog-window.tsx'
import { lazyPart } from './lazy-part.ts'

const LazyWindow = lazyPart(async () => (await import('./dialog-window.tsx')).DialogWindow)

/** A modal window. Its code is downloaded when it first opens. */
export function Dialog(props: DialogWindowProps) {
  const [hasOpened, setHasOpened] = useState(props.open)
  if (props.open && !hasOpened) setHasOpened(true)
  return hasOpened ? (
    <Suspense>
      <LazyWindow {...props} />
    </Suspense>
  ) : null
}
