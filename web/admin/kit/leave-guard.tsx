import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { Button } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'

/** The forms on the screen with unsaved work. Each says whether the screen may be left all the same, as after saving. */
const unsaved = new Set<() => boolean>()
const hasUnsaved = () => [...unsaved].some((isAllowed) => !isAllowed())

/**
 * Says that a form has unsaved work: `LeaveGuard` asks before its screen is left.
 *
 * @param isAllowed says true while the form itself goes somewhere else, as after saving
 */
export function useLeaveGuard(isChanged: boolean, isAllowed?: { readonly current: boolean }): void {
  useEffect(() => {
    if (!isChanged) return
    const form = () => isAllowed?.current === true
    unsaved.add(form)
    return () => void unsaved.delete(form)
  }, [isChanged, isAllowed])
}

/**
 * Asks before a screen with unsaved work is left, also when the window is closed. There is one for all forms of a screen,
 * because the router asks only one.
 */
export function LeaveGuard() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && hasUnsaved(),
  )
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (hasUnsaved()) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
  const stay = () => blocker.reset?.()
  return (
    <DialogWindow
      open={blocker.state === 'blocked'}
      onClose={stay}
      title="Leave without saving?"
      tone="note"
      actions={
        <>
          <Button tone="secondary" onClick={() => blocker.proceed?.()}>
            Leave
          </Button>
          <Button onClick={stay}>Keep editing</Button>
        </>
      }
    >
      <p>Your changes on this page haven’t been saved yet.</p>
    </DialogWindow>
  )
}
