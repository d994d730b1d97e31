import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { Button } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'

/**
 * The forms on the screen with unsaved changes. Each function returns whether the screen may be left anyway, for
 * example after saving.
 */
const unsaved = new Set<() => boolean>()
const hasUnsaved = () => [...unsaved].some((isAllowed) => !isAllowed())

/**
 * Registers a form with unsaved changes: `LeaveGuard` prompts before the operator leaves its screen.
 *
 * @param isAllowed true while the form itself navigates, for example after saving
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
 * Prompts before a screen with unsaved changes is left or the window is closed. One guard serves all forms of a screen,
 * because the router supports only one.
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
