import { Outlet, useRouteError } from 'react-router'
import { ErrorContent } from '#web/features/error/error-content.tsx'
import { isNotFound } from '#web/features/error/is-not-found.ts'
import { NotFoundContent } from '#web/features/error/not-found-content.tsx'
import { Shell } from './shell.tsx'

export default function ShellLayout() {
  return (
    <Shell>
      <Outlet />
    </Shell>
  )
}

/** A page that fails to load or render says so inside the shell; only the shell's own failure goes up to the root. */
export function ErrorBoundary() {
  const error = useRouteError()
  return <Shell>{isNotFound(error) ? <NotFoundContent /> : <ErrorContent />}</Shell>
}
