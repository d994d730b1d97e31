import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { Button } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'

/**
 * One function for each form with unsaved changes on the screen. It returns whether the operator may leave the form
 * without a prompt, for example after saving.
 */
const unsavedForms = new Set<() => boolean>()
const hasUnsavedForms = () => [...unsavedForms].some((isAllowed) => !isAllowed())

/**
 * Registers a form with unsaved changes: `LeaveGuard` prompts before the operator leaves its screen.
 *
 * @param isAllowed true while the form itself navigates, for example after saving
 */
export function useLeaveGuard(isChanged: boolean, isAllowed?: { readonly current: boolean }): void {
  useEffect(() => {
    if (!isChanged) return
    const isLeavingAllowed = () => isAllowed?.current === true
    unsavedForms.add(isLeavingAllowed)
    return () => void unsavedForms.delete(isLeavingAllowed)
  }, [isChanged, isAllowed])
}

/**
 * Prompts before a screen with unsaved changes is left or the window is closed. One guard serves all forms of a screen,
 * because the router supports only one.
 */
export function LeaveGuard() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && hasUnsavedForms(),
  )
  useEffect(() => {
    const promptBeforeUnload = (event: BeforeUnloadEvent) => {
      if (hasUnsavedForms()) event.preventDefault()
    }
    addEventListener('beforeunload', promptBeforeUnload)
    return () => removeEventListener('beforeunload', promptBeforeUnload)
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
